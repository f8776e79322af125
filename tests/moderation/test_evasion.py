"""Who comes back: with a tag, dots or another case in the address, with one only typed, after closing the account."""

from datetime import timedelta

import pytest

from accounts.addresses import canonical
from accounts.models import User
from accounts.services.closing import close_account
from config.lib import clock as present
from games.moderation import hints, members, personal_data
from games.moderation.models import Sanction, Trace
from games.moderation.sanctions import mark_of
from tests.factories import WHY, browser_of, committed, confirmed_member, fresh, opened

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "address",
    [
        "mia.x@gmail.com",
        "Mia.X@Gmail.com",
        "miax+club@googlemail.com",
        "m.i.a.x+1+2@gmail.com.",
        "\uff4diax@gmail.com",
        "miax@\uff47mail\uff0ecom",
        " miax@GMAIL.COM ",
    ],
)
def test_one_mailbox_has_one_mark(address):
    assert canonical(address) == "miax@gmail.com"


@pytest.mark.parametrize(
    "spellings",
    [
        ("mia.x@proton.me", "miax@protonmail.com", "m_i-a.x+club@pm.me", "Mia-X@protonmail.ch"),
        ("mia-x@ya.ru", "mia.x@yandex.ru", "mia-x+1@yandex.com"),
        ("mia.x@icloud.com", "mia.x+1@me.com", "mia.x@mac.com"),
    ],
)
def test_other_providers_have_one_mailbox_by_several_names_too(spellings):
    assert len({canonical(address) for address in spellings}) == 1


def test_other_mailboxes_have_others():
    assert (
        len({canonical(one) for one in ("mia.x@icloud.com", "miax@icloud.com", "mia.x@proton.me", "mia-x@ya.ru")}) == 4
    )
    assert canonical("miax@yandex.ru") != canonical("mia-x@yandex.ru")
    assert canonical("._-@proton.me") == "._-@proton.me"
    assert canonical("m.x+club@Bücher.example") == canonical("m.x@xn--bcher-kva.example") == "m.x@xn--bcher-kva.example"
    assert len({canonical(one) for one in ("m.x@a.example", "mx@a.example", "mx@b.example", "+mx@a.example")}) == 4
    assert canonical("x" * 300 + "@" + "y" * 300 + ".example") and canonical("no address") and canonical("") == "@"


def confirms(name: str, address: str) -> User:
    """Return a member who has just confirmed this address."""
    user = confirmed_member(name, address)
    personal_data.take_up_sanctions(user, address)
    return User.objects.get(pk=user.pk)


@pytest.mark.outgrown
def test_a_tag_does_not_help_against_a_sanction_in_force(mo):
    mia = confirmed_member("Mia", "mia.x@gmail.com")
    until = present.now() + timedelta(days=30)
    members.suspend(moderator=mo, member=mia, reason=WHY, until=until)
    maja = confirmed_member("Maja", "miax+1@googlemail.com")
    table = opened(maja)
    committed(personal_data.take_up_sanctions, user=maja, address="miax+1@googlemail.com")
    row = Sanction.objects.get(member=maja)
    assert (row.kind, row.reason, row.until) == ("suspension", WHY, until)
    assert fresh(table).ending == "closed"
    personal_data.take_up_sanctions(maja, "miax+1@googlemail.com")
    assert Sanction.objects.filter(member=maja).count() == 1
    members.ban(moderator=mo, member=mia, reason=WHY)
    assert not confirms("Majo", "m.iax@gmail.com").is_active
    assert confirms("Nina", "nina.x@gmail.com").is_active


@pytest.mark.outgrown
def test_nor_does_closing_the_account(mo):
    mia = confirmed_member("Mia", "mia@example.org")
    members.ban(moderator=mo, member=mia, reason=WHY)
    close_account(user_id=mia.pk)
    assert not confirms("Maja", "Mia+2@example.org").is_active


def test_what_was_kept_by_the_mark_of_before_still_holds(mo):
    old = mark_of("address", "mia.x@gmail.com")
    until = present.now() + timedelta(days=3)
    Sanction.objects.create(member=None, mark=old, kind="mute", reason=WHY, until=until)
    assert Sanction.objects.filter(member=confirms("Maja", "Mia.X@gmail.com")).exists()


@pytest.mark.parametrize("is_closed", [False, True])
def test_a_typed_address_is_a_hint_and_no_more(mo, is_closed):
    """A troll may have typed anybody's address: its reader, who confirms it, is not to suffer."""
    mia = confirmed_member("Mia", "zoe@example.org", confirmed=False)
    members.ban(moderator=mo, member=mia, reason=WHY)
    if is_closed:
        close_account(user_id=mia.pk)
    zoe = confirms("Zoe", "zoe@example.org")
    typed = confirmed_member("Maja", "Zoe+1@example.org", confirmed=False)
    personal_data.take_up_sanctions(zoe, "zoe@example.org")
    assert zoe.is_active and not Sanction.objects.filter(member__in=[zoe, typed]).exists()
    for person in (zoe, typed):
        shown = hints.shown(person)
        assert [one["member"] for one in shown["mailbox"]] == ([] if is_closed else [mia])
        assert [one["standing"][0].split(" until")[0] for one in shown["closed_mailbox"]] == (
            ["banned"] if is_closed else []
        )
    page = browser_of(mo).get(f"/admin/accounts/user/{typed.pk}/change/").content.decode()
    assert "Typed the e-mail address of an account under a sanction" in page and "banned" in page
    assert "zoe@" not in page.lower() and "zoe+1" not in page.lower()
    nina = confirmed_member("Nina", "nina@example.org", confirmed=False)
    assert not hints.shown(nina)["mailbox"] and not hints.shown(nina)["closed_mailbox"]


@pytest.mark.outgrown
def test_traces_of_the_sanctioned_stay(mo, clock):
    mia, ann = confirmed_member("Mia", "mia@example.org"), confirmed_member("Ann", "ann@example.org")
    today = present.now().date()
    for person in (mia, ann):
        Trace.objects.create(member=person, kind="range", mark=f"of {person.pk}", on=today)
    members.ban(moderator=mo, member=mia, reason=WHY)
    clock.forward(20 * 24 * 3600)
    assert hints.forget() == 1
    maja = confirmed_member("Maja", "maja@example.org")
    Trace.objects.create(member=maja, kind="range", mark=f"of {mia.pk}", on=present.now().date())
    assert hints.sharing(maja, Trace.Kind.RANGE) == [mia]
    close_account(user_id=mia.pk)
    assert [one["standing"][0].split(" until")[0] for one in hints.shown(maja)["closed_range"]] == ["banned"]
    assert hints.shown(maja)["closed_mailbox"] == []
    assert "a closed account" in browser_of(mo).get(f"/admin/accounts/user/{maja.pk}/change/").content.decode()
    clock.forward(31 * 24 * 3600)
    assert hints.shown(maja)["closed_range"] == []
    assert personal_data.forget_sanctions() == 1  # the trace; the address waits on
    assert Sanction.objects.filter(member=None).count() == 1
