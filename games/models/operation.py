"""Heartbeats, outages, sweeps and time-outs, and the audit of what people do by hand."""

from datetime import UTC, datetime
from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from config.lib import clock
from games.models.match import Match, Person

LONGEST_REASON = 500


class Heartbeat(models.Model):
    """When a part of the site was last alive: `web` (people could reach it), `sweep` (clocks were judged).

    `clock` is when the machine's clock was last set, `since` what it would have said then.
    """

    name = models.CharField(primary_key=True, max_length=10)
    at = models.DateTimeField()
    since = models.DateTimeField()  # the start of its beats without a gap

    def __str__(self) -> str:
        return self.name


class Outage(models.Model):
    """A time in which the site failed its members; each running clock is given it back once."""

    part = models.CharField(max_length=10)  # the missing heartbeat, or "admin" for a gift to all
    start = models.DateTimeField()
    end = models.DateTimeField()

    class Meta:
        verbose_name = _("outage")

    def __str__(self) -> str:
        return f"{self.part} {self.start:%Y-%m-%d %H:%M}-{self.end:%H:%M}"


class Audit(models.Model):
    """One act of a moderator or admin, in the app of moderation's table. Appended, never changed."""

    class Deed(models.TextChoices):
        WARN = "warn", _("warn")
        MUTE = "mute", _("mute until")
        SUSPEND = "suspend", _("suspend until")
        BAN = "ban", _("ban")
        LIFT = "lift", _("lift mute, suspension and ban")
        RENAME = "rename", _("rename")
        HIDE = "hide", _("hide a chat line")
        UNHIDE = "unhide", _("show a hidden chat line again")
        VOID = "void", _("void a match")
        END = "end", _("end a match")
        TIME = "time", _("give time")
        REPLACE = "replace", _("replace a seat by a bot")
        TAKE = "take", _("take a report")
        SETTLE = "settle", _("settle a report")
        DISMISS = "dismiss", _("dismiss a report")
        LOOK = "look", _("look at the hidden state of a running match")
        TIME_ALL = "time_all", _("give time to all")
        RELEASE = "release", _("resume a stopped sweep")
        UNDO = "undo", _("undo a sweep")
        AGAIN = "again", _("look again at what was set aside")
        MAILS = "mails", _("resume the mails")
        ADDRESS = "address", _("change the e-mail address")
        RIGHTS = "rights", _("change the rights")
        NOTE = "note", _("write a note")
        READ = "read", _("read a private chat")
        OVER = "over", _("take over a report")
        REOPEN = "reopen", _("reopen a report")
        PROPOSE = "propose", _("propose a ban")
        GRANT = "grant", _("grant an appeal")
        REFUSE = "refuse", _("refuse an appeal")
        BAR = "bar", _("ban an address or a domain")
        LINKS = "links", _("end the links in mails")
        UNBAR = "unbar", _("allow an address or a domain again")
        PUZZLE = "puzzle", _("withdraw a puzzle")
        CONTEST = "contest", _("correct a tournament")
        CLUB = "club", _("correct a club")
        HOOK = "hook", _("webhook of a club or tournament")

    moderator = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="deeds", verbose_name=_("who"))
    at = models.DateTimeField(_("when"), default=clock.now)
    deed = models.CharField(_("what"), max_length=8, choices=Deed)
    reason = models.CharField(_("why"), max_length=LONGEST_REASON)
    member = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="audits", verbose_name=_("member"))
    match = models.ForeignKey("games.Match", models.SET_NULL, null=True, related_name="audits", verbose_name=_("match"))
    line = models.ForeignKey(
        "games.ChatLine", models.SET_NULL, null=True, related_name="+", verbose_name=_("chat line")
    )
    report = models.ForeignKey(
        "moderation.Report", models.SET_NULL, null=True, related_name="audits", verbose_name=_("report")
    )
    sweep = models.ForeignKey("games.Sweep", models.SET_NULL, null=True, related_name="+")
    outage = models.ForeignKey(Outage, models.SET_NULL, null=True, related_name="+")
    details = models.CharField(_("details"), max_length=200, blank=True)  # a seat, a date, hours
    key = models.CharField(max_length=40, null=True, editable=False)  # of the form, which is done once

    class Meta:
        app_label = "moderation"
        verbose_name = _("audit row")
        verbose_name_plural = _("audit")
        constraints: ClassVar = [models.UniqueConstraint(fields=["moderator", "key"], name="deed_once")]
        permissions: ClassVar = [
            ("moderate", "Can act on reports, members, chats and matches"),
            ("see_hidden", "Can look at the hidden state of running matches"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk} {self.get_deed_display()}"

    @property
    def told(self) -> str:
        """The details; the end of a sanction, stored in UTC, in the reader's time zone."""
        try:
            until = datetime.strptime(self.details, "%Y-%m-%d %H:%M UTC").replace(tzinfo=UTC)
        except ValueError:
            return self.details
        return date_format(timezone.localtime(until), "SHORT_DATETIME_FORMAT")


class Sweep(models.Model):
    """One look at the clocks that ran out: how many were due, and whether the fuse stopped it."""

    at = models.DateTimeField(default=clock.now)
    due = models.PositiveIntegerField(default=0)
    stopped = models.BooleanField(default=False)  # by the fuse: more were due than is plausible, or the clock was set
    released_at = models.DateTimeField(null=True)  # when an admin let it go on
    undone_at = models.DateTimeField(null=True)
    told_at = models.DateTimeField(null=True)  # when the admins were mailed

    class Meta:
        verbose_name = _("sweep")
        indexes: ClassVar = [models.Index(fields=["at"], name="sweep_old")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S}"

    @property
    def is_stopped(self) -> bool:
        """Whether the fuse holds back all time-outs by this sweep; those after it do not get that far."""
        return self.stopped and self.released_at is None


class Sample(models.Model):
    """Figures of one moment, by their names, for the curves of a week; kept eight days."""

    at = models.DateTimeField(default=clock.now, unique=True)
    values = models.JSONField()

    class Meta:
        verbose_name = _("sample")

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}"


class TimeOut(models.Model):
    """A clock that ran out: its result, and the match before it, so that it can be undone."""

    class Kind(models.TextChoices):
        PLAYED = "played", _("the default move was played")
        ABSENT = "absent", _("a bot plays on")
        ENDED = "ended", _("the match ended")

    sweep = models.ForeignKey(Sweep, models.SET_NULL, null=True, related_name="time_outs")
    match = models.ForeignKey(Match, models.CASCADE, related_name="time_outs", db_index=False)
    seat = models.PositiveSmallIntegerField()
    ask = models.PositiveIntegerField()
    kind = models.CharField(max_length=7, choices=Kind)
    at = models.DateTimeField(default=clock.now)
    before = models.JSONField()  # turns, status and seats as they were
    undone = models.JSONField(null=True)  # the turns that were undone

    class Meta:
        verbose_name = _("time-out")
        indexes: ClassVar = [models.Index(fields=["at"], name="timed_out_old")]
        constraints: ClassVar = [models.UniqueConstraint(fields=["match", "seat", "ask"], name="timed_out_once")]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.seat} {self.kind}"
