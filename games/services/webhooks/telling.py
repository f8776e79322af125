"""What a member is told of their webhooks: by mail, when one is turned off."""

from datetime import UTC
from urllib.parse import urljoin

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation

from config.lib import time_zones
from config.lib.mail_rendering import render_mail
from games.models import Webhook
from games.services.mail.notices import post


def tell_of_end(hook: Webhook) -> None:
    """Queue a mail that a webhook was turned off, and what it last answered; none to who has no address."""
    user = hook.user
    if user is None or not user.email or user.mail_broken_at:  # a club's or tournament's: its page says so
        return
    with translation.override(user.language), timezone.override(time_zones.zone(user.time_zone) or UTC):
        link = urljoin(settings.SITE_URL, reverse("webhooks"))
        status = f" ({hook.last_status})" if hook.last_status else ""
        what = f"{Webhook.Outcome(hook.last_outcome).label}{status}"
        context = {"reader": user, "hook": hook, "what": what, "settings_url": link}
        subject, text, html = render_mail("games/webhooks/off", context)
    post(to=user.email, subject=subject, text=text, html=html, kind="webhook", user=user, life=None)
