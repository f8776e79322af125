"""The replies to mails that were taken, so that none is carried out twice."""

from datetime import timedelta
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from config.lib import clock
from games.models.mail import Mail
from games.models.match import Match, Person

REPLIES_KEPT = timedelta(days=30)  # no mail server tries for so long to hand over a mail


class Reply(models.Model):
    """A mail by which a member answered a question, or tried to; kept for 30 days, without its text and address."""

    class Outcome(models.TextChoices):
        PLAYED = "played", _("played")
        REFUSED = "refused", _("refused by the rules, or too late")
        STALE = "stale", _("an older question")
        UNCLEAR = "unclear", _("not understood")
        HELP = "help", _("asked for help")
        FORGED = "forged", _("from another sender")

    mark = models.CharField(primary_key=True, max_length=64)  # a keyed hash of member, match and Message-ID
    user = models.ForeignKey(Person, models.CASCADE, related_name="replies", db_index=False)
    match = models.ForeignKey(Match, models.CASCADE, related_name="replies")
    ask = models.PositiveIntegerField()
    outcome = models.CharField(max_length=7, choices=Outcome)
    seen = models.PositiveIntegerField(default=0)  # how many turns there were before the one that it played
    why = models.CharField(max_length=300, blank=True)  # the sentence of a refusal, in the member's language
    came_as = models.CharField(max_length=200, blank=True)  # its Message-ID, for the answer's thread
    mail = models.OneToOneField(Mail, models.SET_NULL, null=True, related_name="reply")  # that answers it
    at = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name = _("reply by mail")
        verbose_name_plural = _("replies by mail")
        indexes: ClassVar = [
            models.Index(fields=["user", "at"], name="reply_lately"),
            models.Index(fields=["at"], name="reply_old"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.outcome} {self.match_id}/{self.ask}"
