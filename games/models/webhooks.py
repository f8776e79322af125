"""Webhooks: addresses of members, clubs and tournaments that the site calls, and the calls as rows."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from config.lib import clock
from games.models.mail import Mail, new_message_id
from games.models.match import Person

TEST = "test"  # the kind of a call that its member asked for


class Webhook(models.Model):
    """An address that is called when a match of its member has news, or its club or tournament; sealed, and its secret.

    That of a club or tournament is no member's: it is named by `of` and `of_id`, as it may be of another app.
    """

    class Of(models.TextChoices):
        CLUB = "club", _("club")
        TOURNAMENT = "tournament", _("tournament")

    class Format(models.TextChoices):
        DISCORD = "discord", "Discord"
        SLACK = "slack", "Slack"
        JSON = "json", _("JSON, signed")

    class Outcome(models.TextChoices):
        ARRIVED = "arrived", _("arrived")
        STATUS = "status", _("answered with an error")
        REDIRECT = "redirect", _("answered that it has moved: enter the new address")
        REFUSED = "refused", _("not called, as the address is not a public one")
        UNREACHABLE = "away", _("nobody answers there")
        UNANSWERED = "unanswered", _("no answer in time: whether it arrived is unknown")

    user = models.ForeignKey(Person, models.CASCADE, null=True, related_name="webhooks", db_index=False)
    of = models.CharField(max_length=10, choices=Of, blank=True, default="", db_default="")  # empty: a member's
    of_id = models.PositiveBigIntegerField(null=True)
    language = models.CharField(max_length=8, blank=True, default="", db_default="")  # of a club's or tournament's
    name = models.CharField(max_length=40)
    format = models.CharField(max_length=7, choices=Format)
    address = models.TextField()  # sealed
    secret = models.TextField(blank=True)  # sealed; of JSON alone
    created_at = models.DateTimeField(default=clock.now)
    off_at = models.DateTimeField(null=True)  # after days of failures
    failures = models.PositiveIntegerField(default=0)  # since it last arrived
    failing_since = models.DateTimeField(null=True)
    last_at = models.DateTimeField(null=True)
    last_outcome = models.CharField(max_length=10, choices=Outcome, blank=True)
    last_status = models.PositiveSmallIntegerField(null=True)

    class Meta:
        verbose_name = _("webhook")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "name"], name="webhook_name_once"),
            models.UniqueConstraint(fields=["of", "of_id", "name"], name="webhook_of_once", condition=~Q(of="")),
            models.CheckConstraint(
                condition=Q(user__isnull=False, of="", of_id=None) | Q(~Q(of=""), user=None, of_id__isnull=False),
                name="webhook_is_ones",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id or self.of}/{self.pk}"


class WebhookCall(models.Model):
    """One call of one webhook about one fact, composed when it leaves."""

    hook = models.ForeignKey(Webhook, models.CASCADE, related_name="calls", db_index=False)
    match = models.ForeignKey("games.Match", models.CASCADE, null=True, related_name="webhook_calls")
    kind = models.CharField(max_length=10)  # one of `Kind`, what a club or tournament tells, or TEST
    ask = models.PositiveIntegerField(default=0)
    about = models.PositiveBigIntegerField(null=True)  # of a club or tournament: the number of what it is about
    key = models.CharField(max_length=32, default=new_message_id)  # by which its receiver knows it again
    state = models.CharField(max_length=7, choices=Mail.State, default=Mail.State.WAITING)
    state_at = models.DateTimeField(default=clock.now)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_try_at = models.DateTimeField(default=clock.now)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name = _("call of a webhook")
        verbose_name_plural = _("calls of webhooks")
        indexes: ClassVar = [
            models.Index(
                fields=["next_try_at"], name="call_underway", condition=Q(state__in=["waiting", "sending", "handed"])
            ),
            models.Index(fields=["created_at"], name="call_old"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["hook", "match", "kind", "ask"], name="called_once"),
            models.UniqueConstraint(
                fields=["hook", "kind", "about", "ask"], name="called_of_once", condition=Q(about__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"
