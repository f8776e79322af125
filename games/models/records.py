"""The months of public records that are published as files."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from config.lib import clock
from games.models.match import Match
from games.models.seeds import new_seed


class RecordMonth(models.Model):
    """One calendar month (UTC) of public matches by their end, its file, and how far a new one has come.

    Written by `services.records` alone. The file lies in RECORDS_DIR, named by month and digest; a new one is made
    beside it in steps (`part`), and takes its place at once.
    """

    month = models.DateField(_("month"), unique=True)  # its first day
    salt = models.BinaryField(default=new_seed, editable=False)  # of this month's pseudonyms
    matches = models.PositiveIntegerField(_("matches"), default=0)
    size = models.PositiveBigIntegerField(_("bytes"), default=0)
    digest = models.CharField("SHA-256", max_length=64, blank=True)  # of the file; empty while there is none
    made_at = models.DateTimeField(_("made at"), null=True)
    stale_at = models.DateTimeField(_("to be made again since"), null=True, default=clock.now)
    part = models.CharField(max_length=16, blank=True)  # names the file that is being made
    part_since = models.DateTimeField(null=True)  # of changes before this it knows
    part_size = models.PositiveBigIntegerField(default=0)  # bytes of it that count
    part_matches = models.PositiveIntegerField(default=0)
    part_at = models.DateTimeField(null=True)  # the end of the last match that is in it, or was passed over
    part_match = models.PositiveBigIntegerField(default=0)  # and its number

    class Meta:
        verbose_name = _("month of records")
        verbose_name_plural = _("months of records")

    def __str__(self) -> str:
        return f"{self.month:%Y-%m}"


class Imported(models.Model):
    """From which record and step a sandbox began; the moves until it starts, when they become turns."""

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="imported")
    source = models.ForeignKey(Match, models.SET_NULL, null=True, related_name="+", db_index=False)  # None: a file
    digest = models.CharField("SHA-256", max_length=64)  # of the record, as `services.records.checking` has it
    step = models.PositiveIntegerField()
    body = models.BinaryField()  # JSON of the draws of the setup and of the moves, compressed; empty once it started

    class Meta:
        verbose_name = _("origin of a sandbox")
        verbose_name_plural = _("origins of sandboxes")

    def __str__(self) -> str:
        return f"{self.match_id}"
