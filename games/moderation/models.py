"""Reports, sanctions, and the traces from which hints are made; the group of moderators."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from django.conf import settings
from django.contrib.auth.models import Group, Permission
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from config.lib import clock
from games.models import LONGEST_LINE, LONGEST_REASON, ChatLine, Club, Match

LONGEST_WORDS = 2000

Person = settings.AUTH_USER_MODEL


class Report(models.Model):
    """A member's report of another member, a chat line, a match, a club or a tournament."""

    class Reason(models.TextChoices):
        INSULT = "insult", _("Insults, threats, hate")
        SPAM = "spam", _("Advertising, spam")
        NAME = "name", _("An offensive name")
        CHEATING = "cheating", _("Playing with two accounts, or together against others")
        STALLING = "stalling", _("Playing to annoy others")
        OTHER = "other", _("Something else")

    class State(models.TextChoices):
        OPEN = "open", pgettext_lazy("report", "open")
        TAKEN = "taken", _("taken")
        SETTLED = "settled", _("settled")
        DISMISSED = "dismissed", _("dismissed")

    reporter = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="reports_made", verbose_name=_("by"))
    member = models.ForeignKey(
        Person, models.SET_NULL, null=True, related_name="reports_about", verbose_name=_("about")
    )
    bot = models.ForeignKey(  # of the member: who answers for it is its owner
        Person, models.SET_NULL, null=True, related_name="+", db_index=False, verbose_name=_("by their bot")
    )
    match = models.ForeignKey(Match, models.SET_NULL, null=True, related_name="reports", verbose_name=_("match"))
    line = models.ForeignKey(ChatLine, models.SET_NULL, null=True, related_name="reports", verbose_name=_("chat line"))
    club = models.ForeignKey(  # that is reported, or in whose chat the line stands
        Club, models.SET_NULL, null=True, related_name="reports", verbose_name=_("club")
    )
    tournament = models.ForeignKey(
        "competitions.Tournament", models.SET_NULL, null=True, related_name="reports", verbose_name=_("tournament")
    )
    reason = models.CharField(_("reason"), max_length=10, choices=Reason)
    words = models.CharField(_("in their words"), max_length=LONGEST_WORDS, blank=True)
    said = models.CharField(_("what was said"), max_length=LONGEST_LINE, blank=True)  # as it stood when reported
    mark = models.CharField(max_length=32, blank=True)  # of a closed account: its address, as in Sanction
    state = models.CharField(_("state"), max_length=9, choices=State, default=State.OPEN)
    at = models.DateTimeField(_("when"), default=clock.now)
    taken_by = models.ForeignKey(
        Person, models.SET_NULL, null=True, related_name="reports_taken", verbose_name=_("taken by")
    )
    closed_at = models.DateTimeField(_("closed"), null=True)
    reply = models.CharField(max_length=9, blank=True, db_default="")  # what the reporter is told: queue.Reply
    answer = models.CharField(_("answer"), max_length=LONGEST_REASON, blank=True, db_default="")  # in words, as well
    told_at = models.DateTimeField(_("told by mail"), null=True)
    around: Sequence[ChatLine] = ()  # chat lines around it, for the moderator's page
    is_chat_closed = False  # whether there is a private chat that this moderator has not said that they read
    others: Iterable["Report"] = ()  # other reports of the same subject, likewise

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        indexes: ClassVar = [
            models.Index(fields=["state", "-id"], name="report_queue"),
            models.Index(fields=["bot"], name="report_of_bot", condition=Q(bot__isnull=False)),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True, state__in=["open", "taken"])
                | Q(closed_at__isnull=False, state__in=["settled", "dismissed"]),
                name="report_closed_when",
            )
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"


class Sanction(models.Model):
    """A sanction on a member, in force until its end or until lifted.

    A warning or a renaming ends when the member confirms having read it. When an account is closed, its
    sanctions in force stay without a member, for whoever confirms the same address.
    """

    class Kind(models.TextChoices):
        WARNING = "warning", _("warning")
        RENAMING = "renaming", _("renamed")
        MUTE = "mute", _("muted")
        SUSPENSION = "suspension", _("suspended")
        BAN = "ban", _("banned")

    member = models.ForeignKey(
        Person, models.CASCADE, null=True, related_name="sanctions", db_index=False, verbose_name=_("member")
    )
    mark = models.CharField(max_length=32, blank=True)  # keyed hash of the member's confirmed address
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    reason = models.CharField(_("reason"), max_length=LONGEST_REASON)  # which the member reads
    at = models.DateTimeField(_("when"), default=clock.now)
    until = models.DateTimeField(_("until"), null=True)  # null: for good
    ended_at = models.DateTimeField(_("ended"), null=True)  # lifted; of a warning: read
    told_at = models.DateTimeField(_("told by mail"), null=True)
    by = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="+", verbose_name=_("by"))
    to_ban = models.BooleanField(  # a suspension until a second moderator confirms the ban, or lifts it
        _("a ban to be confirmed"), default=False, db_default=False
    )

    class Meta:
        verbose_name = _("sanction")
        verbose_name_plural = _("sanctions")
        indexes: ClassVar = [
            models.Index(fields=["member"], name="sanction_in_force", condition=Q(ended_at__isnull=True)),
            models.Index(fields=["kind", "at"], name="sanction_to_tell", condition=Q(told_at__isnull=True)),
            models.Index(fields=["mark"], name="sanction_waiting", condition=Q(member__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"#{self.pk} {self.get_kind_display()}"


class Appeal(models.Model):
    """What a member says against a sanction, once; another moderator decides."""

    class State(models.TextChoices):
        OPEN = "open", pgettext_lazy("appeal", "open")
        GRANTED = "granted", pgettext_lazy("appeal", "granted")
        REFUSED = "refused", pgettext_lazy("appeal", "refused")

    sanction = models.OneToOneField(Sanction, models.CASCADE, related_name="appeal", verbose_name=_("sanction"))
    words = models.CharField(_("in their words"), max_length=LONGEST_WORDS)
    at = models.DateTimeField(_("when"), default=clock.now)
    state = models.CharField(_("state"), max_length=7, choices=State, default=State.OPEN)
    answer = models.CharField(_("answer"), max_length=LONGEST_REASON, blank=True)
    decided_by = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="+", verbose_name=_("decided by"))
    decided_at = models.DateTimeField(_("decided"), null=True)

    class Meta:
        verbose_name = _("appeal")
        verbose_name_plural = _("appeals")

    def __str__(self) -> str:
        return f"#{self.pk}"


class Barred(models.Model):
    """An e-mail address or a domain with which nobody signs up."""

    pattern = models.CharField(_("address or domain"), max_length=254, unique=True)
    reason = models.CharField(_("reason"), max_length=LONGEST_REASON)
    at = models.DateTimeField(_("when"), default=clock.now)
    by = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="+", verbose_name=_("by"))

    class Meta:
        verbose_name = _("banned address or domain")
        verbose_name_plural = _("banned addresses and domains")

    def __str__(self) -> str:
        return self.pattern


class Trace(models.Model):
    """A hashed address range or device of a member on one day, kept for a week: a hint, no proof."""

    class Kind(models.TextChoices):
        RANGE = "range", _("address range")
        DEVICE = "device", _("device")

    member = models.ForeignKey(Person, models.CASCADE, related_name="traces", db_index=False)
    kind = models.CharField(max_length=6, choices=Kind)
    mark = models.CharField(max_length=32)  # keyed hash of a /24, a /48 or a user agent
    on = models.DateField()

    class Meta:
        verbose_name = _("trace")
        indexes: ClassVar = [
            models.Index(fields=["kind", "mark"], name="trace_shared"),
            models.Index(fields=["on"], name="trace_age"),
        ]
        constraints: ClassVar = [models.UniqueConstraint(fields=["member", "kind", "mark", "on"], name="trace_once")]

    def __str__(self) -> str:
        return f"{self.member_id} {self.kind} {self.on}"


MODERATORS = "Moderators"
MAY = (
    *("moderation.moderate", "moderation.view_report", "moderation.view_audit", "moderation.view_sanction"),
    "moderation.view_appeal",
    *("accounts.view_user", "games.view_match", "games.view_chatline"),
)


def moderators() -> Group:
    """Return the group of moderators with its permissions, created if missing."""
    group, _made = Group.objects.get_or_create(name=MODERATORS)
    apps, codenames = zip(*(name.split(".") for name in MAY), strict=True)
    group.permissions.set(Permission.objects.filter(content_type__app_label__in=apps, codename__in=codenames))
    return group
