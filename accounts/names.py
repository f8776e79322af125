"""User names: which are allowed, which are reserved, and which look alike."""

import re
import unicodedata
from functools import cache
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

from config.lib.texts import unicode_form

SHORTEST, LONGEST = 3, 24
REMOVED = "…"  # stands where a name was
_PLAIN = re.compile(r"[\x21-\x7e]+")

# The alphabets whose look-alikes are known below; a name keeps to one of them.
ALPHABETS = {
    "latin": re.compile(r"[A-Za-zÀ-ÖØ-öø-ſȘ-țḀ-ỿ]"),
    "greek": re.compile(r"[Ά\u0388-\u03ce]"),
    "cyrillic": re.compile(r"[\u0400-\u045fҐґ]"),
}
NEUTRAL = re.compile(r"[0-9_-]")

# The letter that each letter or digit is taken for, after case folding; a letter counts as alike when either
# of its cases does: capital I makes i, l and 1 one letter, capital O makes 0 and o one.
PLAIN_ALIKE = dict(zip("01iı", "olll", strict=True))
ALIKE = {
    **PLAIN_ALIKE,
    **dict(zip("łøđħŧðþŋỽẜ", "lodhtdpnvf", strict=True)),
    "æ": "ae",
    "œ": "oe",
    "ỻ": "ll",
    **dict(zip("αβγεζηικμνορτυχω", "abyezhlkmnoptyxw", strict=True)),
    **dict(zip("авгеікмнопрстухшщьѕј", "abrelkmhonpctyxwwbsj", strict=True)),
}
PAIRS = (("rn", "m"), ("vv", "w"))


# What Unicode calls confusable among these alphabets, a class a line: made by docs/drawings/confusables.py.
CLASSES = [line.split() for line in Path(__file__).with_name("confusables.txt").read_text("utf-8").splitlines()]

# As typed: what each letter is taken for, in its own case.
TYPED = {letter: first for first, *others in CLASSES for letter in others}
# Case folded: letters that ALIKE leaves alone, by either case; a class without a Latin letter has one of ALIKE.
_NEW = {
    letter.casefold(): next((ALIKE[one.casefold()] for one in alike if one.casefold() in ALIKE), alike[0].casefold())
    for alike in CLASSES
    for letter in alike
    if letter.casefold() not in ALIKE and not letter.isascii() and len(letter.casefold()) == 1
}
_FOLDED = str.maketrans(_NEW | ALIKE)
_TYPED = str.maketrans(TYPED)
_SETTLED = str.maketrans(PLAIN_ALIKE)  # what a class is taken for may be such a letter itself

# Refused in any part of a name, and refused as a word of it: as a whole, between `_`, `-`, digits or capitals.
RESERVED_PARTS = (
    *("admin", "moderat", "webmaster", "sysadmin", "superuser", "postmaster", "hostmaster"),
    *("official", "officiel", "club-y", "strongbot", "easybot"),
)
INNOCENT = ("badminton",)  # holds a reserved part, and means none
RESERVED_NAMES = (
    *("admin", "administrator", "administration", "root", "superuser", "sysadmin", "webmaster"),
    *("postmaster", "hostmaster", "abuse", "security", "moderator", "moderators", "moderation"),
    *("moderateur", "modo", "modos", "mod", "mods", "staff", "team", "equipe", "support", "help", "aide"),
    *("contact", "info", "system", "systeme", "official", "officiel", "owner", "site", "server", "club-y"),
    *("club", "bot", "bots", "robot", "robots", "guest", "guests", "invite", "visitor", "visiteur"),
    *("member", "membre", "former-member", "ancien-membre", "deleted", "supprime", "nobody", "personne"),
    *("anonymous", "anonyme", "everyone", "none", "null", "undefined", "you", "vous", "toi", "moi"),
)
# Words that say nothing about who somebody is when others stand beside them: "Help_Me", "Toi_et_Moi".
ALONE = frozenset(
    {"help", "aide", "info", "contact", "site", "server", "system", "systeme", "owner", "root", "security"}
    | {"abuse", "club", "member", "membre", "guest", "guests", "invite", "visitor", "visiteur", "deleted"}
    | {"supprime", "nobody", "personne", "anonymous", "anonyme", "everyone", "none", "null", "undefined"}
    | {"you", "vous", "toi", "moi", "equipe", "team", "former-member", "ancien-membre"}
)
GUEST_PREFIX = "guest-"
BOT_SUFFIX = "-bot"  # a word that is reserved: nobody but a bot has it in their name
_WORDS = re.compile(r"[^\W\d_]+")
_HUMPS = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][^\W\d_A-Z])")


def is_guests(username: str) -> bool:
    """Return whether this is the name of a guest: nobody else's begins so."""
    return username.startswith(GUEST_PREFIX)


def bot_name(plain: str) -> str:
    """Return the name of a bot that its owner calls so; ValidationError for one that a member could not have."""
    plain = normalise(plain)
    validate_name(plain)
    refuse_reserved(plain)
    name = plain + BOT_SUFFIX
    validate_length(name)
    return name


def normalise(name: str) -> str:
    """Return the name as it is stored, in Unicode's NFKC form."""
    return unicode_form("NFKC", name).strip()


def _bare(text: str) -> str:
    return "".join(c for c in unicode_form("NFKD", text) if not unicodedata.combining(c))


def _settled(text: str) -> str:
    looks = text.translate(_SETTLED).replace("_", "").replace("-", "")
    for pair, letter in PAIRS:
        looks = looks.replace(pair, letter)
    return looks


def skeleton(name: str) -> str:
    """Return the skeleton of a name, which is equal for names that look alike.

    Case, accents, `_` and `-` make no difference; look-alikes across Latin, Greek and Cyrillic, 0 and o,
    1, i and l, rn and m, vv and w are one.
    """
    return _settled(_bare(unicode_form("NFKC", name).casefold()).translate(_FOLDED))


def looks_of(name: str) -> set[str]:
    """Return the skeletons that a name can be taken for: its own, and that of its letters in the case typed.

    Greek ν is taken for v and Ν for N: one skeleton, the same in both cases, cannot say both.
    """
    typed = _bare(unicode_form("NFKC", name)).translate(_TYPED).casefold()
    return {skeleton(name), _settled(_bare(typed).translate(_FOLDED))}


RESERVED = frozenset(skeleton(name) for name in RESERVED_NAMES)
_PARTS = tuple(skeleton(part) for part in RESERVED_PARTS)
_AS_WORDS = RESERVED - {skeleton(word) for word in ALONE}
_INNOCENT = re.compile("|".join(skeleton(word) for word in INNOCENT))
_GUEST = skeleton(GUEST_PREFIX)


@cache
def _others() -> frozenset[str]:
    """Return the skeletons of the names that other apps give, in one word (NAMES_KEPT)."""
    return frozenset(skeleton(name.replace(" ", "")) for name in import_string(settings.NAMES_KEPT)())


def is_reserved(name: str) -> bool:
    """Return whether a name is, holds, or looks like a reserved word, or is one that the site itself gives."""
    words = [word for part in _WORDS.findall(name.replace("_", " ")) for word in (part, *_HUMPS.split(part))]
    if any(looks_of(word) & _AS_WORDS for word in words):
        return True
    return any(
        looks in RESERVED
        or looks in _others()
        or looks.startswith(_GUEST)
        or any(part in _INNOCENT.sub("", looks) for part in _PARTS)
        for looks in looks_of(name)
    )


def validate_name(name: str) -> None:
    """Raise ValidationError unless the name has 3 to 24 letters of one alphabet, digits, `_` and `-`."""
    validate_length(name)
    scripts = {_alphabet(character) for character in name} - {"neutral"}
    if "" in scripts:
        words = _("Use letters (Latin, Greek or Cyrillic), digits, “_” and “-” only.")
        raise ValidationError(words, code="letters")
    if len(scripts) > 1:
        raise ValidationError(_("Use letters of one alphabet only."), code="mixed")
    if not skeleton(name):
        raise ValidationError(_("A user name needs a letter or a digit."), code="blank")


def validate_length(name: str) -> None:
    """Raise ValidationError unless the name is as long as a name may be."""
    if not SHORTEST <= len(name) <= LONGEST:
        raise ValidationError(_("A user name has 3 to 24 characters."), code="length")


def refuse_reserved(name: str) -> None:
    """Raise ValidationError when the name is, holds, or looks like a reserved one."""
    if is_reserved(name):
        raise ValidationError(_("This name is reserved. Please choose another."), code="reserved")


def _alphabet(character: str) -> str:
    if NEUTRAL.fullmatch(character):
        return "neutral"
    return next((name for name, letters in ALPHABETS.items() if letters.fullmatch(character)), "")


def may_name(field: str, name: str) -> Q:
    """Return a condition for the rows whose text may hold this name, to be checked by `unnamed`.

    SQLite folds case in ASCII only: so it is the longest ASCII part of the name, or every row without any.
    """
    plain = max(_PLAIN.findall(name), key=len, default="")
    return Q(**{f"{field}__icontains": plain}) if plain else Q()


def unnamed(text: str, name: str) -> str:
    """Return the text with this name replaced where it is a whole word, in any case."""
    forms = sorted({name, name.casefold(), name.upper()}, key=len, reverse=True)
    words = "|".join(re.escape(form) for form in forms)
    return re.sub(rf"(?<!\w)(?:{words})(?!\w)", REMOVED, text, flags=re.IGNORECASE)
