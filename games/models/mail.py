"""Mails as rows, and the notices of which they are made."""

import uuid
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from config.lib import clock
from games.models.match import Person


class Kind(models.TextChoices):
    """What a notice is about."""

    TURN = "turn", _("your turn")
    REMINDER = "reminder", _("reminder")
    REMINDER2 = "reminder2", _("last reminder")
    PLAYED = "played", _("we played for you")
    VACATION = "vacation", _("a day off was taken")
    ABSENT = "absent", _("a bot plays on")
    STARTED = "started", _("started")
    ENDED = "ended", _("ended")
    VOIDED = "voided", _("voided")
    INVITED = "invited", _("invited")
    DECLINED = "declined", _("declined")
    PROPOSED = "proposed", _("pause or call-off proposed")
    LAPSED = "lapsed", _("lapsed")
    REFUSED = "refused", _("pause or call-off declined")
    MENTIONED = "mentioned", _("mentioned in a chat")
    SAID = "said", _("new lines in a chat")


# Kinds of finished mails, see `Mail.message`.
POSTED = {
    "account": _("account"),
    "sanction": _("sanction"),
    "report": _("report"),
    "webhook": _("webhook turned off"),
    "fuse": _("fuse"),
    "errors": _("errors"),
    "reply": _("answer to a reply"),
    "tournament": _("tournament"),
    "ladder": _("ladder"),
    "club": _("club"),
}

ASKING = (Kind.TURN, Kind.REMINDER, Kind.REMINDER2)  # true only while the question is open

# Topics that a member can turn on and off, and the kinds of each.
TOPICS: dict[str, tuple[Kind, ...]] = {
    "turn": (Kind.TURN,),
    "reminder": (Kind.REMINDER, Kind.REMINDER2),
    "played": (Kind.PLAYED, Kind.VACATION, Kind.ABSENT),
    "started": (Kind.STARTED,),
    "ended": (Kind.ENDED, Kind.VOIDED),
    "invited": (Kind.INVITED, Kind.DECLINED, Kind.PROPOSED, Kind.REFUSED),
    "lapsed": (Kind.LAPSED,),
    "mentioned": (Kind.MENTIONED,),
    "tournament": (),  # mails of their own: `games.competitions`
    "ladder": (),  # likewise: `games.ladders`
    "club": (),  # likewise: `games.clubs`
    "chat": (Kind.SAID,),  # turned on by who wants it: `User.topics_off`
}
REPLIES_OFF = "reply"  # among what a member has turned off: answering mails plays nothing
TOPIC_OF: dict[str, str] = {kind.value: topic for topic, kinds in TOPICS.items() for kind in kinds}


class Wish(models.TextChoices):
    """What a person wants to be told of one match, by whatever channel: `Seat.notices`."""

    ALL = "all", _("Everything")
    REMINDERS = "reminders", _("Only when my time is getting short, or has run out")
    NONE = "none", _("Nothing")


def unheard(kind: str) -> list[Wish]:
    """Return the wishes with which a notice of this kind is not told."""
    is_of_time = TOPIC_OF[kind] in ("reminder", "played")
    return [Wish.NONE] if is_of_time else [Wish.NONE, Wish.REMINDERS]


def new_message_id() -> str:
    """Return the unguessable part of a mail's Message-ID, in lower case as some servers make it."""
    return uuid.uuid4().hex


class Mail(models.Model):
    """One mail, composed from its notices when it is sent.

    Account mails are finished when queued: `message` holds them until they are sent or expire.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENDING = "sending", _("being sent")  # composed; the server does not have it
        HANDED = "handed", _("handed over")  # the server may have it, but has not answered
        SENT = "sent", _("sent")
        PUSHED = "pushed", _("left to other channels")  # not mailed, unless they fail
        DROPPED = "dropped", _("dropped, no longer true")
        FAILED = "failed", _("failed")
        UNKNOWN = "unknown", _("unknown whether it went out")

    user = models.ForeignKey(Person, models.CASCADE, related_name="mails", null=True, db_index=False)
    match = models.ForeignKey("games.Match", models.CASCADE, null=True, related_name="mails")  # its thread
    kind = models.CharField(_("kind"), max_length=10)  # of its first notice, "digest", or one of POSTED
    state = models.CharField(_("state"), max_length=7, choices=State, default=State.WAITING)
    state_at = models.DateTimeField(_("since"), default=clock.now)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_try_at = models.DateTimeField(_("next try"), default=clock.now)
    created_at = models.DateTimeField(_("created"), default=clock.now)
    sent_at = models.DateTimeField(_("sent"), null=True)
    message_id = models.CharField(max_length=32, default=new_message_id)
    error = models.CharField(_("error"), max_length=200, blank=True)
    refused_at = models.DateTimeField(null=True, editable=False)  # for good, by the server; counts for the fuse
    answers = models.JSONField(default=list, db_default=[], editable=False)  # given by its links: match, act, at
    message = models.JSONField(null=True, editable=False)  # to, subject, text, html, headers
    expires_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = _("mail")
        verbose_name_plural = _("mails")
        indexes: ClassVar = [
            models.Index(
                fields=["next_try_at"],
                name="letter_underway",
                condition=Q(state__in=["waiting", "sending", "handed"]),
            ),
            models.Index(fields=["user", "-created_at"], name="letter_last"),
            models.Index(fields=["expires_at"], name="letter_held", condition=Q(message__isnull=False)),
            models.Index(fields=["refused_at"], name="letter_refused", condition=Q(refused_at__isnull=False)),
            models.Index(fields=["state"], name="letter_stuck", condition=Q(state__in=["failed", "unknown"])),
            models.Index(fields=["created_at"], name="letter_old"),
        ]
        constraints: ClassVar = [models.UniqueConstraint(fields=["message_id"], name="letter_message_id")]

    def __str__(self) -> str:
        return f"#{self.pk}"  # shown in the admin's log, where the kind may be secret


class Notice(models.Model):
    """One fact for one member; without a mail it waits for one or, unread, for the pages to show it."""

    user = models.ForeignKey(Person, models.CASCADE, related_name="notices", db_index=False)
    match = models.ForeignKey("games.Match", models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=10, choices=Kind)
    ask = models.PositiveIntegerField(default=0)  # the question, else what distinguishes two facts
    unread = models.BooleanField(default=False)  # shown on pages until read; only of mentions
    mail = models.ForeignKey(Mail, models.CASCADE, null=True, related_name="notices")
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name = _("notice")
        indexes: ClassVar = [
            models.Index(fields=["user"], name="notice_waiting", condition=Q(mail__isnull=True)),
            models.Index(fields=["user", "match"], name="notice_unread", condition=Q(unread=True)),
        ]
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "match", "kind", "ask"], name="told_once")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind} {self.match_id}/{self.ask}"


class MailStop(models.Model):
    """A stop of all sending by the fuse: most of the last mails were refused, for different addresses."""

    open = models.BooleanField(null=True, unique=True, default=True)  # None once it is over: one at a time
    at = models.DateTimeField(default=clock.now)
    since = models.DateTimeField()  # the first refusal of the series
    addresses = models.PositiveIntegerField()
    error = models.CharField(max_length=200)  # the last refusal, without addresses
    released_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("stop of the mails")

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}"
