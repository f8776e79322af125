"""The mails that matches send, written in each reader's language and sent after commit."""

from collections.abc import Sequence
from urllib.parse import urljoin

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.urls import reverse
from django.utils import translation

from accounts.letters import written
from accounts.models import User
from games.models import Match


def mail_lapsed(match: Match, readers: Sequence[User]) -> None:
    """Tell, after commit, who sat at an open match that it lapsed."""
    for reader in readers:
        if reader.email:
            transaction.on_commit(lambda reader=reader: _send_lapsed(match, reader), robust=True)  # type: ignore[misc]


def _send_lapsed(match: Match, reader: User) -> None:
    with translation.override(reader.language):
        subject, text, html = written(
            "games/mail/lapsed",
            {
                "game": match.game,
                "game_slug": match.game_slug,
                "reader": reader,
                "new_url": urljoin(settings.SITE_URL, f"{reverse('new-match')}?game={match.game_slug}"),
            },
        )
    mail = EmailMultiAlternatives(subject, text, to=[reader.email])
    mail.attach_alternative(html, "text/html")
    mail.send()
