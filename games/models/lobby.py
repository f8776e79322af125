"""What is remembered of invitations between two members: the last of one to the other."""

from typing import ClassVar

from django.db import models

from config.lib import clock
from games.models.match import Match, Person


class LastInvitation(models.Model):
    """The last invitation of a member by another: kept a day, or while its table waits for the answer."""

    host = models.ForeignKey(Person, models.CASCADE, related_name="+", db_index=False)
    guest = models.ForeignKey(Person, models.CASCADE, related_name="+")
    match = models.ForeignKey(Match, models.CASCADE, null=True, related_name="+")
    at = models.DateTimeField(default=clock.now)
    accepted = models.BooleanField(default=True)  # then the next need not wait

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["host", "guest"], name="invitation_last_of_pair")]

    def __str__(self) -> str:
        return f"{self.host_id}→{self.guest_id}"
