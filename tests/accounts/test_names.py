"""User names: what is refused, and what is taken for what."""

from importlib import import_module

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError

from accounts.models import User
from accounts.names import CLASSES, looks_of, normalise, refuse_reserved, skeleton, validate_name


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
    "name",
    [
        "Ann",
        "ann_b",
        "otto-2",
        "Élodie",
        "Анна",
        "Νίκος",
        "a1_",
        "007",
        "ß-Straße",
        "a" * 24,
        "Ali",
        "Badminton",
        "Abbott",
        "modern",
        "Talbot",
        "Stafford",
        "Toi_et_Moi",
        "Yousef",
    ],
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
        ("ĸim", "kim"),
        ("joỿ", "joy"),
        ("ћat", "hat"),
        ("ЗОО", "300"),
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
        "Moderator1",
        "the_m0derator",
        "Admin_ClubY",
        "Modérateur",
        "xXadminXx",
        "StrongBot",
        "strongbot",
        "bot7",
        "Staff_Ann",
        "ModAnn",
        "Support24",
        "ClubYHelp",
        "аdмin",
        "moderatοr",
    ],
)
def test_reserved(name: str) -> None:
    with pytest.raises(ValidationError):
        refuse_reserved(name)


@pytest.mark.parametrize(
    ("one", "other"), [("νον", "vov"), ("υνυ", "uvu"), ("σσσ", "ooo"), ("ΝΟΝ", "non"), ("Бет", "bet")]
)
def test_a_name_is_taken_for_what_its_letters_look_like_in_their_own_case(one: str, other: str) -> None:
    assert skeleton(other) in looks_of(one)


def test_each_letter_that_unicode_calls_alike_is_taken_for_the_first_of_its_class():
    """The whole table, of the alphabets that names may have: as typed, or by the other case."""
    for first, *others in CLASSES:
        for letter in others:
            assert looks_of(letter) & looks_of(first), (first, letter)


@pytest.mark.django_db
def test_members_who_are_alike_by_a_later_table_keep_their_names():
    """Both were there before Unicode's whole table: neither is lost, neither is barred from being saved."""
    for name, before in (("kim", "klm"), ("ĸim", "ĸlm"), ("joy", "joy")):
        User.objects.create_user(name + "x")
        User.objects.filter(username=name + "x").update(username=name, skeleton=before)
    import_module("accounts.migrations.0008_staff").look_again(apps, None)
    late = User.objects.get(username="ĸim")
    assert late.skeleton == f"klm~{late.pk}"
    late.save()
    assert User.objects.get(pk=late.pk).skeleton == f"klm~{late.pk}"
