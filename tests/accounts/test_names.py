"""User names: what is refused, and what is taken for what."""

import pytest
from django.core.exceptions import ValidationError

from accounts.names import normalise, refuse_reserved, skeleton, validate_name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "ab",
        "a" * 25,
        "an n",
        "ann!",
        "ann.b",
        "ann@b",
        "аnn",
        "Ann\u0430",
        "αnn",
        "日本語",
        "ann\u200b",
        "___",
        "---",
        "ann\n",
        "Ꭺnn",
        "𝓐\u202enn",
        "a\u0301",
    ],
)
def test_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        validate_name(name)


@pytest.mark.parametrize(
    "name", ["Ann", "ann_b", "otto-2", "Élodie", "Анна", "Νίκος", "a1_", "007", "ß-Straße", "a" * 24, "Ali"]
)
def test_allowed(name: str) -> None:
    validate_name(name)
    refuse_reserved(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "ann"),
        ("ann", "АNN"),
        ("ann", "аnn"),
        ("ape", "аре"),
        ("Ann", "Ａｎｎ"),
        ("ΑΝΝΑ", "Anna"),
        ("otto", "0tt0"),
        ("lion", "Iion"),
        ("lion", "1ion"),
        ("modern", "modem"),
        ("wave", "vvave"),
        ("Élodie", "elodie"),
        ("ann_b", "ann-b"),
        ("ann_b", "annb"),
        ("Straße", "strasse"),
        ("ТОМ", "tom"),
    ],
)
def test_alike(one: str, other: str) -> None:
    assert skeleton(normalise(one)) == skeleton(normalise(other))


@pytest.mark.parametrize(("one", "other"), [("Ann", "Anna"), ("Bob", "Rob"), ("Анна", "Ивана"), ("otto", "ottо2")])
def test_not_alike(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@pytest.mark.parametrize(
    "name",
    [
        "admin",
        "Admin",
        "ADM1N",
        "ad-min",
        "rnoderator",
        "m0derator",
        "guest",
        "guest-otter-42",
        "GUEST_x",
        "bot",
        "Club-Y",
        "clubY",
        "former-member",
        "аdmin",
        "ａｄｍｉｎ",
    ],
)
def test_reserved(name: str) -> None:
    with pytest.raises(ValidationError):
        refuse_reserved(name)
