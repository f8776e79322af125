"""Write accounts/confusables.txt: the letters of user names that Unicode calls alike, one class a line.

python docs/drawings/confusables.py confusables.json, which is the file of that name in PyPI's package
confusable_homoglyphs 3.3.1: Unicode's confusables.txt (UTS 39), version 15.1, source and prototype both ways.
"""

import json
import sys
import unicodedata
from pathlib import Path

from accounts.names import ALPHABETS, NEUTRAL

TO = Path("accounts/confusables.txt")


def classes(pairs: dict[str, list[dict[str, str]]]) -> list[set[str]]:
    """Return the sets of letters, or of short runs of letters, that look alike."""
    of: dict[str, set[str]] = {}
    for one, others in pairs.items():
        together = {one, *(other["c"] for other in others)}
        for letter in list(together):
            together |= of.get(letter, set())
        of |= dict.fromkeys(together, together)
    return [set(one) for one in {frozenset(letters) for letters in of.values()}]


def in_names(text: str) -> bool:
    plain = [c for c in text if not unicodedata.combining(c)]
    return all(NEUTRAL.fullmatch(c) or any(letters.fullmatch(c) for letters in ALPHABETS.values()) for c in plain)


def bare(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def lines(found: list[set[str]]) -> list[str]:
    """Return each class as a line: what it is taken for, then the letters that are; ASCII and accents need none."""
    told = []
    for letters in found:
        forms = sorted({bare(one) for one in letters if in_names(one)} - {""}, key=lambda one: (not one.isascii(), one))
        others = [one for one in forms[1:] if len(one) == 1 and not one.isascii()]
        if others:
            told.append(" ".join([forms[0], *others]))
    return sorted(told)


if __name__ == "__main__":
    TO.write_text("\n".join(lines(classes(json.loads(Path(sys.argv[1]).read_text())))) + "\n")
