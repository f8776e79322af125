"""Unicode's forms: the same text as Python makes, at a cost that grows with its length alone."""

import contextlib
import sys
import time
import unicodedata
from random import Random

import pytest
from django.core.exceptions import ValidationError

from accounts import addresses, names, passwords
from config.lib import texts
from config.lib.texts import unicode_form

# Rows of marks that a form sorts one by one, and signs that become such marks.
ROWS = ["\u0315\u0300", "\u0300\uff9e", "\u0344\u0315", "\u0f73\u0f71\u0f74", "\u0f75\u0300", "\u0f81\u0315\u0f71"]
LETTERS = "aeiou\u00e9\ufb01\ud55c\u1100\u1161\u11a8\u0f40 "
MARKS = [*map(chr, range(0x300, 0x350)), *"\uff9e\uff9f\u0f73\u0f81"]


@pytest.mark.parametrize("form", ["NFC", "NFKC", "NFKD"])
def test_the_form_is_unicodes(form) -> None:
    rng = Random(form)
    for _text in range(50):
        text = "".join(rng.choice(LETTERS) + "".join(rng.choices(MARKS, k=rng.randrange(9))) for _letter in range(600))
        assert unicode_form(form, text) == unicodedata.normalize(form, text)


@pytest.mark.thin(2)
@pytest.mark.parametrize("row", ROWS)
def test_no_row_of_marks_is_dear(row) -> None:
    text = "a" + row * (100_000 // len(row))
    for work in (
        *(lambda form=form: unicode_form(form, text) for form in ("NFC", "NFKC", "NFKD")),
        *(lambda work=work: work(text) for work in (texts.clean_text, names.skeleton, names.looks_of, names.normalise)),
        *(lambda work=work: work(text) for work in (addresses.normalise, addresses.canonical, passwords.composed)),
        lambda: passwords.SiteNameValidator().validate(text),
        lambda: passwords.CommonPasswordValidator().validate(text[:60]),
    ):
        start = time.thread_time()
        with contextlib.suppress(ValidationError):
            work()
        assert time.thread_time() - start < 1


def test_no_other_sign_becomes_a_mark() -> None:
    signs = map(chr, range(sys.maxunicode + 1))
    becoming = {c for c in signs if not unicodedata.combining(c) and _is_mark(unicodedata.normalize("NFKD", c)[0])}
    assert becoming == set(texts._BECOME_MARKS)


def _is_mark(sign: str) -> bool:
    return unicodedata.combining(sign) > 0
