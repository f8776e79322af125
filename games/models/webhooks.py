"""Webhooks: addresses of members that the site calls, and the calls as rows."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from config.lib import clock
from games.models.mail import Mail, new_message_id
from games.models.match import Person

TEST = "test"  # the kind of a call that its member asked for


class Webhook(models.Model):
    """An address that is called when a match of its member has news; address and secret are sealed."""

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

    user = models.ForeignKey(Person, models.CASCADE, related_name="webhooks", db_index=False)
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
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "name"], name="webhook_name_once")]

    def __str__(self) -> str:
        return f"{self.user_id}/{self.pk}"


class WebhookCall(models.Model):
    """One call of one webhook about one fact, composed when it leaves."""

    hook = models.ForeignKey(Webhook, models.CASCADE, related_name="calls", db_index=False)
    match = models.ForeignKey("games.Match", models.CASCADE, null=True, related_name="webhook_calls")
    kind = models.CharField(max_length=10)  # one of `Kind`, or TEST
    ask = models.PositiveIntegerField(default=0)
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
        constraints: ClassVar = [models.UniqueConstraint(fields=["hook", "match", "kind", "ask"], name="called_once")]

    def __str__(self) -> str:
        return f"#{self.pk}"
