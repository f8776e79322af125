"""What waits to be mailed of clubs; clubs themselves, and who belongs to them, are `games.models.clubs`."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from config.lib import clock
from games.clubs.circle_models import LONGEST_CIRCLE_NAME, Circle, CircleMember, CircleNews, CircleTable
from games.clubs.encounter_models import LONGEST_MESSAGE, Board, BoardSeat, Encounter, EncounterNews, Lineup
from games.models import LONGEST_CLUB_NAME
from games.models.match import Person

__all__ = [
    "LONGEST_CIRCLE_NAME",
    "LONGEST_MESSAGE",
    "Board",
    "BoardSeat",
    "Circle",
    "CircleMember",
    "CircleNews",
    "CircleTable",
    "Encounter",
    "EncounterNews",
    "Lineup",
    "News",
]


class News(models.Model):
    """Something of a club of which a member is to be mailed, once; the row goes when the mail is written.

    That of a mention stays, as told, until its reader has read the chat, so that no second mail is written.
    """

    class Kind(models.TextChoices):
        INVITED = "invited"
        LET_IN = "let-in"
        REFUSED = "refused"
        ASKED = "asked"  # to its owner and organisers: at least one waits
        OWNER = "owner"
        ORGANISER = "organiser"
        REMOVED = "removed"
        DISSOLVED = "dissolved"
        MENTIONED = "mentioned"

    club = models.ForeignKey("games.Club", models.SET_NULL, null=True, related_name="+")
    name = models.CharField(max_length=LONGEST_CLUB_NAME)  # of the club, which may be gone
    user = models.ForeignKey(Person, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=9, choices=Kind)
    by = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="+")  # who invited or mentioned
    line = models.PositiveBigIntegerField(null=True)  # of the club's talk
    at = models.DateTimeField(default=clock.now)
    told = models.BooleanField(default=False, db_default=False)

    class Meta:
        verbose_name = _("news of a club")
        verbose_name_plural = _("news of clubs")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "user", "kind"], name="club_news_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.club_id} {self.user_id}"
