"""People: members and guests, whom they follow, and whom they block."""

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce, Lower
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext, pgettext_lazy

from accounts.names import LONGEST, skeleton, validate_name
from config.lib import clock


def badge_of(is_staff: object, is_superuser: object, owner: str | None = None) -> Any:
    """Return the badge of somebody with these rights, or of a member's bot, in the active language; empty for none."""
    if owner:
        return pgettext("badge", "Bot of %(name)s") % {"name": owner}
    if is_superuser:
        return pgettext_lazy("badge", "Admin")
    return pgettext_lazy("badge", "Moderator") if is_staff else ""


class SkeletonField(models.CharField):
    """The skeleton of the row's user name, computed whenever the row is saved."""

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        value, stored = skeleton(model_instance.username), getattr(model_instance, self.attname)  # type: ignore[attr-defined]
        if stored.startswith(f"{value}~"):  # two members whom a later table of look-alikes takes for each other
            return stored
        setattr(model_instance, self.attname, value)
        return value


class Users(UserManager["User"]):
    """Django's manager, with e-mail addresses in lower case."""

    @classmethod
    def normalize_email(cls, email: str | None) -> str:
        return super().normalize_email(email).lower()


class User(AbstractUser):
    """A member, a guest (`is_guest`) who plays without an account until signing up, or a member's bot (`owner`).

    `email` holds a confirmed address only; an unconfirmed one is in allauth's EmailAddress, blocks nobody
    else from using it, and its response does not reveal whether it is known.
    """

    class Colours(models.TextChoices):
        SYSTEM = "system", _("Same as the device")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    class Rhythm(models.TextChoices):
        EACH = "each", _("Every time")
        VISIT = "visit", _("One mail until my next visit")
        DAILY = "daily", _("One mail a day, with everything")

    class Invitations(models.TextChoices):
        ALL = "all", _("Every member")
        KNOWN = "known", _("Members whom I follow or have played with")
        NONE = "none", _("Nobody")

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    username = models.CharField(
        _("user name"),
        max_length=LONGEST,
        unique=True,
        validators=[validate_name],
        error_messages={"unique": _("This name is taken, or too similar to one that is.")},
    )
    skeleton = SkeletonField(_("looks like"), max_length=100, unique=True, editable=False)
    date_joined = models.DateTimeField(_("joined"), default=clock.now)
    is_guest = models.BooleanField(_("guest"), default=False)
    owner = models.ForeignKey(  # of a bot, which plays by the API alone (spec: bots.md)
        "self", models.CASCADE, null=True, related_name="bots", db_index=False, verbose_name=_("bot of")
    )
    language = models.CharField(_("language"), max_length=8, default="en")
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    colours = models.CharField(_("colours"), max_length=8, choices=Colours, default=Colours.SYSTEM)
    reduced_motion = models.BooleanField(_("reduced motion"), default=False)
    single_keys = models.BooleanField(_("single keys"), default=True, db_default=True)  # as shortcuts, WCAG 2.1.4
    asks_before_final = models.BooleanField(_("ask before final moves"), default=False, db_default=False)
    vacation = models.JSONField(default=list)  # days off: accounts.services.days_off
    vacation_by_itself = models.BooleanField(_("take a day off automatically before a clock runs out"), default=True)
    quiet_from = models.PositiveSmallIntegerField(_("quiet from"), null=True)  # minutes after local midnight
    quiet_until = models.PositiveSmallIntegerField(_("quiet until"), null=True)
    invitations_from = models.CharField(
        _("who may invite me"), max_length=5, choices=Invitations, default=Invitations.ALL, db_default="all"
    )
    named_in_records = models.BooleanField(_("name in published records"), default=True, db_default=True)
    seen_at = models.DateTimeField(_("last visit"), null=True)  # stored by accounts.services.visits
    mail_off = models.JSONField(default=list)  # kinds of mail that this person has turned off
    chat_mails = models.BooleanField(_("mails about chats"), default=False, db_default=False)
    mail_rhythm = models.CharField(_("how often"), max_length=6, choices=Rhythm, default=Rhythm.EACH)
    answers_by_mail = models.BooleanField(null=True)  # None: as `accounts.services.mail_links` says
    mail_links = models.PositiveIntegerField(default=0, db_default=0, editable=False)  # raised, it ends all so far
    digest_hour = models.PositiveSmallIntegerField(_("hour of the digest"), default=8)
    digest_on = models.DateField(null=True)  # local day of the last digest considered
    mail_broken_at = models.DateTimeField(_("mail fails since"), null=True)
    mail_broken_why = models.CharField(_("why"), max_length=200, blank=True)

    REQUIRED_FIELDS: ClassVar[list[str]] = ["email"]

    objects: ClassVar[Users] = Users()

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        indexes: ClassVar = [
            models.Index(Coalesce("seen_at", "date_joined"), name="guest_away", condition=Q(is_guest=True)),
            models.Index(fields=["digest_on"], name="user_daily", condition=Q(mail_rhythm="daily")),
            models.Index(fields=["id"], name="user_staff", condition=Q(is_staff=True)),
            models.Index(fields=["email"], name="user_email"),  # as allauth asks for it
            models.Index(fields=["owner"], name="user_bots", condition=Q(owner__isnull=False)),
        ]
        constraints = [
            models.UniqueConstraint(
                Lower("email"),
                condition=~Q(email=""),
                name="accounts_user_email_unique",
                violation_error_message=_("A member already has this e-mail address."),
            ),
            models.CheckConstraint(
                condition=Q(owner__isnull=True) | Q(email="", is_guest=False, is_staff=False, is_superuser=False),
                name="bot_without_address",
            ),
        ]

    def get_full_name(self) -> str:
        """Return "": members have a user name only."""
        return ""

    @property
    def badge(self) -> Any:
        """What stands at the name of staff and bots, so that nobody can pass for another; empty for others."""
        if self.owner is not None:
            return badge_of(False, False, self.owner.username)
        return badge_of(self.is_staff, self.is_superuser) if self.is_active else ""

    @property
    def is_bot(self) -> bool:
        """Whether this is a member's bot, which no person is."""
        return self.owner_id is not None

    @property
    def topics_off(self) -> frozenset[str]:
        """The topics of which this person wants no mails; that of chats is off unless turned on."""
        return frozenset(self.mail_off) | ({"chat"} if not self.chat_mails else set())

    @property
    def is_confirmed(self) -> bool:
        """Whether this is a member with a confirmed e-mail address, or the bot of one: rated matches require it."""
        if self.owner is not None:
            return self.owner.is_confirmed
        return bool(self.email) and not self.is_guest


class Follow(models.Model):
    """A member follows another, who then comes first on leaderboards."""

    follower = models.ForeignKey(User, models.CASCADE, related_name="following", db_index=False)
    followed = models.ForeignKey(User, models.CASCADE, related_name="followers")
    at = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name = _("follow")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["follower", "followed"], name="follow_once"),
            models.CheckConstraint(condition=~Q(follower=F("followed")), name="follow_somebody_else"),
        ]

    def __str__(self) -> str:
        return f"{self.follower_id}→{self.followed_id}"


class Block(models.Model):
    """A member has blocked another: the two are kept apart."""

    blocker = models.ForeignKey(User, models.CASCADE, related_name="blocking", db_index=False)
    blocked = models.ForeignKey(User, models.CASCADE, related_name="blocked_by")
    at = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name = _("block")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["blocker", "blocked"], name="block_once"),
            models.CheckConstraint(condition=~Q(blocker=F("blocked")), name="block_somebody_else"),
        ]

    def __str__(self) -> str:
        return f"{self.blocker_id}⊘{self.blocked_id}"
