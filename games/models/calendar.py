"""The secret addresses of members' calendar feeds."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from config.lib import clock
from games.models.match import Person


class CalendarFeed(models.Model):
    """The one address at which a member's calendar is read, by whoever knows it; without a row there is none.

    It is found by the hash of its token, and shown to its member from the sealed one: a copy of the database alone
    opens no calendar. The token is drawn from 192 bits, so that its hash needs no key.
    """

    user = models.OneToOneField(Person, models.CASCADE, related_name="calendar_feed")
    digest = models.CharField(max_length=64, unique=True)  # SHA-256 of the token, in hex
    sealed = models.TextField()  # by accounts.services.sealing
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name = _("calendar feed")

    def __str__(self) -> str:
        return str(self.user_id)
