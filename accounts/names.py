"""User names: which are allowed, which are reserved, and which look alike."""

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

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
    *("admin", "administrator", "administration", "root", "superuser", "sysadmin", "webmaster"),
    *("postmaster", "hostmaster", "abuse", "security", "moderator", "moderators", "moderation"),
    *("moderateur", "modo", "mod", "staff", "team", "equipe", "support", "help", "aide", "contact", "info"),
    *("system", "official", "officiel", "owner", "site", "server", "club-y", "club", "bot", "bots"),
    *("robot", "guest", "guests", "invite", "visitor", "visiteur", "member", "membre", "former-member"),
    *("ancien-membre", "deleted", "supprime", "nobody", "personne", "anonymous", "anonyme", "everyone"),
    *("none", "null", "undefined", "you", "vous", "toi", "moi"),
)
GUEST_PREFIX = "guest-"


def normalise(name: str) -> str:
    """Return the name as it is stored, in Unicode's NFKC form."""
    return unicodedata.normalize("NFKC", name).strip()


def skeleton(name: str) -> str:
    """Return the skeleton of a name, which is equal for names that look alike.

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
        words = _("Use letters (Latin, Greek or Cyrillic), digits, “_” and “-” only.")
        raise ValidationError(words, code="letters")
    if len(scripts) > 1:
        raise ValidationError(_("Use letters of one alphabet only."), code="mixed")
    if not skeleton(name):
        raise ValidationError(_("A user name needs a letter or a digit."), code="blank")


def refuse_reserved(name: str) -> None:
    """Raise ValidationError when the name is, or looks like, a reserved one."""
    looks = skeleton(name)
    if looks in RESERVED or looks.startswith(_GUEST):
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
