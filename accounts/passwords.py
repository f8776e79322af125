"""Passwords: hashed in one form of Unicode however they were typed; none of the site's name, none that many have."""

import re
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import password_validation as django
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from config.lib.texts import unicode_form

LONGEST_COMMON = 64  # no password on a list is longer
DISGUISES = str.maketrans("01345789@$!|", "oleastbgasil")
LEAST_BESIDE_NAME = 6  # characters that a password has beside the site's name


class Hasher(PBKDF2PasswordHasher):
    """Django's hash of the password's composed form: é is one letter or two, as the device has it.

    Hashes of before, under Django's own name, are compared with what was typed, and replaced at the next log-in.
    """

    algorithm = "pbkdf2_sha256_nfc"

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        return super().encode(composed(password), salt, iterations)


def composed(password: str) -> str:
    """Return the password in Unicode's NFC form."""
    return unicode_form("NFC", password)


def _bare(text: str) -> str:
    """Return a text without case, forms, spaces and signs."""
    return re.sub(r"[\W_]+", "", unicode_form("NFKC", text).casefold())


def _core(text: str) -> str:
    """Return a text without the digits and signs at its ends."""
    letters = [place for place, sign in enumerate(text) if sign.isalpha()]
    return text[letters[0] : letters[-1] + 1] if letters else ""


class SiteNameValidator:
    """Refuse the name or the address of the site with little else, in any spelling."""

    def __init__(self) -> None:
        host = urlsplit(settings.SITE_URL).hostname or ""
        names = {_bare(settings.SITE_NAME), _bare(host), *(_bare(part) for part in host.split(".")[:-1])}
        self.names = sorted((name for name in names if len(name) > 3), key=len, reverse=True)

    def validate(self, password: str, user: object = None) -> None:
        """Raise ValidationError when little is left without the site's names."""
        bare = _bare(password)
        for spelt in (bare, bare.translate(DISGUISES)):
            rest = spelt
            for name in self.names:
                rest = rest.replace(name, "")
            if rest != spelt and len(rest) < LEAST_BESIDE_NAME:
                raise ValidationError(_("This password is little more than the name of the site."), code="site_name")

    def get_help_text(self) -> str:
        return _("Your password can’t be the name of the site.")


class CommonPasswordValidator(django.CommonPasswordValidator):
    """Django's list of 20 000, also with digits and signs around or letters in disguise: “Pa$$word-2026”."""

    def validate(self, password: str, user: object = None) -> None:
        """Raise ValidationError when the password, or what it is a variant of, is on the list."""
        if len(password) > LONGEST_COMMON:
            return
        lowered = unicode_form("NFKC", password).casefold()
        core = _core(lowered)
        undone = (lowered.translate(DISGUISES), core.translate(DISGUISES), _core(lowered.translate(DISGUISES)))
        for form in (password, lowered, core, *undone):
            for spelt in (form, _bare(form)):
                if len(spelt) > 3:
                    super().validate(spelt)
