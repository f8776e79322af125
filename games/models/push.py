"""The browsers in which members are called, and what is pushed to them."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from config.lib import clock
from games.models.mail import Mail
from games.models.match import Person


class Device(models.Model):
    """A browser that its member has let the site call, as long as the session lasts in which they did."""

    user = models.ForeignKey(Person, models.CASCADE, related_name="devices")
    name = models.CharField(_("name"), max_length=40)
    endpoint = models.CharField(max_length=1024, unique=True, null=True, editable=False)  # none once it is gone
    public_key = models.CharField(max_length=100, editable=False)
    secret = models.CharField(max_length=30, editable=False)
    session_key = models.CharField(max_length=40, editable=False)
    muted = models.BooleanField(_("muted"), default=False, db_default=False)
    created_at = models.DateTimeField(_("since"), default=clock.now)
    reached_at = models.DateTimeField(_("last reached"), null=True)
    failed_at = models.DateTimeField(_("failed"), null=True)  # since it was last reached
    gone_at = models.DateTimeField(_("gone"), null=True)  # its push service no longer knows it
    error = models.CharField(_("error"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("device")
        verbose_name_plural = _("devices")

    def __str__(self) -> str:
        return f"#{self.pk}"  # shown in the admin's log, where the name may be personal


class CallChoice(models.Model):
    """How a member wants to be called, in which order and on devices; who has no row chose nothing."""

    user = models.OneToOneField(Person, models.CASCADE, primary_key=True, related_name="call_choice")
    discreet = models.BooleanField(default=False, db_default=False)  # no game and no name on a lock screen
    # Those of one place are called together, the next when all of it failed; webhooks at 0 always, beside the others.
    mail_place = models.PositiveSmallIntegerField(default=1, db_default=1)
    devices_place = models.PositiveSmallIntegerField(default=1, db_default=1)
    webhooks_place = models.PositiveSmallIntegerField(default=0, db_default=0)
    webhooks_since = models.DateTimeField(null=True)  # since when they are at 0 again, after another place
    not_asked = models.BooleanField(default=False, db_default=False)  # never ask again whether to call here

    class Meta:
        verbose_name = _("choice about devices")

    def __str__(self) -> str:
        return f"#{self.pk}"


class Push(models.Model):
    """One message to one device, composed from the notices of a mail's row when it is sent; or a test, of no mail."""

    State = Mail.State

    device = models.ForeignKey(Device, models.CASCADE, related_name="pushes")
    mail = models.ForeignKey(Mail, models.CASCADE, related_name="pushes", null=True, db_index=False)
    match = models.ForeignKey("games.Match", models.CASCADE, related_name="+", null=True)  # none: about several
    state = models.CharField(_("state"), max_length=7, choices=Mail.State, default=Mail.State.WAITING)
    state_at = models.DateTimeField(_("since"), default=clock.now)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_try_at = models.DateTimeField(_("next try"), default=clock.now)
    created_at = models.DateTimeField(_("created"), default=clock.now)
    sent_at = models.DateTimeField(_("sent"), null=True)
    error = models.CharField(_("error"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("push message")
        verbose_name_plural = _("push messages")
        indexes: ClassVar = [
            models.Index(fields=["state", "next_try_at"], name="push_state"),
            models.Index(fields=["created_at"], name="push_old", condition=Q(mail__isnull=True)),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["mail", "device", "match"], name="pushed_once"),
            models.UniqueConstraint(
                fields=["mail", "device"], name="pushed_once_of_all", condition=Q(match__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"
