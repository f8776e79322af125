"""The addresses for replies: whose and for what each is, and that no other is one."""

from random import Random

import pytest

from games.services.mail import reply_address
from tests.factories import asked, seated
from tests.replying import letter, take

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("replies_on")]


@pytest.fixture
def match(ann, bob):
    return seated(ann, bob)


@pytest.mark.parametrize("ending", ["password", "closed", "address", "guest"])
def test_an_ended_address(match, ending):
    mover = asked(match)
    user, to = mover.user, reply_address.address_for(mover.user, match.pk, mover.ask)
    if ending == "password":
        user.set_password("another otter 8")
    user.is_active = ending != "closed"
    user.email = user.email if ending != "address" else ""
    user.is_guest = ending == "guest"
    user.save()
    assert str(take(letter("ann@example.org", to, "roll"), to)).startswith("550 5.1.1")
    assert not match.log.exists()


def test_a_thousand_changed_addresses_are_none_of_ours(ann, bob):
    rng = Random(7)
    good = reply_address.address_for(ann, 12_345, 67)
    token = good.removeprefix("reply+").partition("@")[0]
    assert reply_address.read(good.upper()).user == ann
    signs = "abcdefghijklmnopqrstuvwxyz234567"
    seen = set()
    while len(seen) < 1000:
        changed = list(token)
        for _time in range(rng.choice([1, 1, 1, 2, 5])):
            kind, at = rng.choice("rid"), rng.randrange(len(changed))
            if kind == "r":
                changed[at] = rng.choice(signs)
            elif kind == "i":
                changed.insert(at, rng.choice(signs + "018=+"))
            elif len(changed) > 1:
                del changed[at]
        if "".join(changed) != token:
            seen.add("".join(changed))
    for one in seen:
        with pytest.raises(reply_address.NoReplyAddress):
            reply_address.read(f"reply+{one}@reply.example.org")
    for local in ("reply+", "reply", "reply+" + "a" * 59, token, f"reply+{token}=", "reply+é", f"reply+{token} "):
        with pytest.raises(reply_address.NoReplyAddress):
            reply_address.read(f"{local}@reply.example.org" if local != token else token)
    with pytest.raises(reply_address.NoReplyAddress):
        reply_address.read(good.replace("reply.example.org", "other.example.org"))


def test_letters_whose_capitals_are_those_of_others_are_none_of_ours(ann):
    for match_id in range(20):
        good = reply_address.address_for(ann, match_id, 67)
        token = good.removeprefix("reply+").partition("@")[0]
        odd = token.replace("i", "ı").replace("s", "ſ")
        if odd != token:
            with pytest.raises(reply_address.NoReplyAddress):
                reply_address.read(f"reply+{odd}@reply.example.org")


def test_the_longest_address_fits_a_local_part(ann, settings):
    ann.pk = 2**63 - 1
    local = reply_address.address_for(ann, 2**63 - 1, 2**31 - 1).partition("@")[0]
    assert len(local) <= 64
