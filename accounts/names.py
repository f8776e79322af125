"""User names: which are allowed, which are reserved, and which look alike."""

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

SHORTEST, LONGEST = 3, 24

# The alphabets whose look-alikes are known below; a name keeps to one of them.
ALPHABETS = {
    "latin": re.compile(r"[A-Za-zÀ-ÖØ-öø-ſȘ-țḀ-ỿ]"),
    "greek": re.compile(r"[Ά\u0388-\u03ce]"),
    "cyrillic": re.compile(r"[\u0400-\u045fҐґ]"),
}
NEUTRAL = re.compile(r"[0-9_-]")

# What each letter or digit is taken for. Case has been folded before, so a letter counts as alike when either
# of its cases does: capital I, small l and 1 make i, l and 1 one letter; 0 and O make 0 and o one.
ALIKE = str.maketrans(
    {
        **dict(zip("01iı", "olll", strict=True)),
        **dict(zip("łøđħŧðþŋ", "lodhtdpn", strict=True)),
        "æ": "ae",
        "œ": "oe",
        **dict(zip("αβγεζηικμνορτυχω", "abyezhlkmnoptyxw", strict=True)),
        **dict(zip("авгеікмнопрстухшщьѕј", "abrelkmhonpctyxwwbsj", strict=True)),
    }
)
PAIRS = (("rn", "m"), ("vv", "w"))

RESERVED_NAMES = (
    *("admin", "administrator", "administration", "root", "superuser", "sysadmin", "webmaster", "postmaster"),
    *(
        "hostmaster",
        "abuse",
        "security",
        "moderator",
        "moderators",
        "moderation",
        "moderateur",
        "modo",
        "mod",
    ),
    *(
        "staff",
        "team",
        "equipe",
        "support",
        "help",
        "aide",
        "contact",
        "info",
        "system",
        "official",
        "officiel",
    ),
    *(
        "owner",
        "site",
        "server",
        "club-y",
        "club",
        "bot",
        "bots",
        "robot",
        "guest",
        "guests",
        "invite",
        "visitor",
    ),
    *("visiteur", "member", "membre", "former-member", "ancien-membre", "deleted", "supprime", "nobody"),
    *(
        "personne",
        "anonymous",
        "anonyme",
        "everyone",
        "none",
        "null",
        "undefined",
        "you",
        "vous",
        "toi",
        "moi",
    ),
)
GUEST_PREFIX = "guest-"


def normalise(name: str) -> str:
    """Return the name as it is kept: full-width and other compatibility forms become plain letters."""
    return unicodedata.normalize("NFKC", name).strip()


def skeleton(name: str) -> str:
    """Return what the name looks like: two names that could be taken for each other have the same skeleton.

    Case, accents, `_` and `-` make no difference; look-alikes across Latin, Greek and Cyrillic, 0 and o,
    1, i and l, rn and m, vv and w are one.
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    bare = "".join(c for c in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(c))
    looks = bare.translate(ALIKE).replace("_", "").replace("-", "")
    for pair, letter in PAIRS:
        looks = looks.replace(pair, letter)
    return looks


RESERVED = frozenset(skeleton(name) for name in RESERVED_NAMES)
_GUEST = skeleton(GUEST_PREFIX)


def validate_name(name: str) -> None:
    """Raise ValidationError unless the name has 3 to 24 letters of one alphabet, digits, `_` and `-`."""
    if not SHORTEST <= len(name) <= LONGEST:
        raise ValidationError(_("A user name has 3 to 24 characters."), code="length")
    scripts = {_alphabet(character) for character in name} - {"neutral"}
    if "" in scripts:
        raise ValidationError(
            _("Use letters (Latin, Greek or Cyrillic), digits, “_” and “-” only."), code="letters"
        )
    if len(scripts) > 1:
        raise ValidationError(_("Use letters of one alphabet only."), code="mixed")
    if not skeleton(name):
        raise ValidationError(_("A user name needs a letter or a digit."), code="blank")


def refuse_reserved(name: str) -> None:
    """Raise ValidationError when the name is, or looks like, one that the site keeps for itself."""
    looks = skeleton(name)
    if looks in RESERVED or looks.startswith(_GUEST):
        raise ValidationError(_("This name is reserved. Please choose another."), code="reserved")


def _alphabet(character: str) -> str:
    if NEUTRAL.fullmatch(character):
        return "neutral"
    return next((name for name, letters in ALPHABETS.items() if letters.fullmatch(character)), "")


GONE = "…"
_PLAIN = re.compile(r"[\x21-\x7e]+")


def may_name(field: str, name: str) -> Q:
    """Return the condition of the rows whose text may hold this name, and of hardly any other.

    SQLite knows no case beyond ASCII, so it looks for the longest part of the name that is plain; of a name
    without any it finds every row. Whether the name is there `unnamed` tells.
    """
    plain = max(_PLAIN.findall(name), key=len, default="")
    return Q(**{f"{field}__icontains": plain}) if plain else Q()


def unnamed(text: str, name: str) -> str:
    """Return the text without this name wherever it stands as a word of its own, in any case."""
    forms = sorted({name, name.casefold(), name.upper()}, key=len, reverse=True)
    words = "|".join(re.escape(form) for form in forms)
    return re.sub(rf"(?<!\w)(?:{words})(?!\w)", GONE, text, flags=re.IGNORECASE)
