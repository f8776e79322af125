"""The mail settings, the links that unsubscribe from mails, and the replies that a mail provider passes on."""

from typing import Any

from anymail.signals import AnymailInboundEvent, inbound
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.access import member_of
from accounts.models import User
from accounts.services import membership
from config.lib import clock
from config.lib.provider_mails import bytes_of, mistakes_of_the_mail
from games.forms.channels import OrderForm
from games.forms.mail import WORDS, MailForm
from games.services import channel_order
from games.services.channels import channels_of
from games.services.mail import receiving, unsubscribing


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def mail_settings(request: HttpRequest) -> HttpResponse:
    """Show how this member is called and whether calls arrive; show and save what mails they want."""
    user = User.objects.get(pk=member_of(request).pk)
    posted = request.POST if request.method == "POST" else None
    is_order = posted is not None and "order" in posted and not user.is_guest
    form = MailForm(user, None if is_order else posted)
    order = OrderForm(posted if is_order else None, auto_id="place_%s", initial=channel_order.places_of(user))
    if is_order and order.is_valid():
        channel_order.choose(user, **order.cleaned_data)
    elif not is_order and form.is_valid():
        membership.change_times(user_id=user.pk, **form.fields_to_save())
    else:
        context = {"form": form, "order": order, "channels": [] if user.is_guest else channels_of(user)}
        return render(request, "games/mail/settings.html", context, status=400 if form.errors or order.errors else 200)
    messages.success(request, _("Saved."))
    return redirect("mail-settings")


@csrf_exempt  # the token in the address is the proof; mail programs post without cookies (RFC 8058)
@require_http_methods(["GET", "HEAD", "POST"])
def mails_off(request: HttpRequest, token: str) -> HttpResponse:
    """Show what the link turns off, and turn it off when a button, or a mail program, posts."""
    try:
        return _turned_off(request, *unsubscribing.read(token))
    except unsubscribing.BadToken:
        return render(request, "games/mail/turned_off.html", {"state": "bad"}, status=404)


def _turned_off(request: HttpRequest, user: User, topics: list[str]) -> HttpResponse:
    with translation.override(user.language):
        state = "done" if request.method == "POST" else "ask"
        if state == "done":
            topics = list(unsubscribing.ALL) if request.POST.get("off") == "all" else topics
            unsubscribing.turn_off(user.pk, topics)
        context = {
            "state": state,
            "words": [WORDS[topic] for topic in topics],
            "all": len(topics) == len(WORDS),
            "LANGUAGE_CODE": user.language,
        }
        page = render(request, "games/mail/turned_off.html", context)
    page["Content-Language"] = user.language
    return page


@receiver(inbound)
def take_replies(sender: Any, event: AnymailInboundEvent, **signal: Any) -> None:
    """Take a mail that a provider passes on, once for each address; an error has it passed on again."""
    mail, named = event.message, [event.message.envelope_recipient]
    raw = bytes_of(mail)
    if not mail.envelope_recipient:
        with mistakes_of_the_mail():
            named = [one.addr_spec for one in (*mail.to, *mail.cc)]
    for recipient in dict.fromkeys(named[: receiving.MOST_RECIPIENTS]):
        receiving.receive(raw, recipient=recipient, envelope_sender=mail.envelope_sender, received=clock.now_ms())
