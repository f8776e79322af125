"""Who people are: members, and guests who have not signed up yet."""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """A member, or a guest (`is_guest`) who plays without an account until signing up."""

    class Colours(models.TextChoices):
        SYSTEM = "system", _("As the device")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    is_guest = models.BooleanField(_("guest"), default=False)
    language = models.CharField(_("language"), max_length=8, default="en")
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    colours = models.CharField(_("colours"), max_length=8, choices=Colours, default=Colours.SYSTEM)
    reduced_motion = models.BooleanField(_("reduced motion"), default=False)

    REQUIRED_FIELDS: ClassVar[list[str]] = ["email"]
