"""What admins do to accounts: another address, other rights; whole, at once, told by mail, by nobody else."""

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import PermissionDenied
from django.test import Client

from accounts.models import User
from games.models import Audit, Mail
from games.moderation import accounts, members
from games.moderation.actions import perform
from games.moderation.models import Sanction, moderators
from games.services.operation import admin_actions
from games.services.refusals import Invalid
from tests.factories import PASSWORD, WHY, browser_of, confirmed_member, last_audit, moderator, seated

ACT = "/admin/moderation/audit/act/"


@pytest.fixture
def zoe(db):
    return confirmed_member("zoe", "zoe@example.org")


def logged_in(name: str) -> Client:
    browser = Client()
    browser.post("/accounts/login/", {"login": name, "password": PASSWORD})
    return browser


def posted_to() -> list[str]:
    return sorted(mail.message["to"] for mail in Mail.objects.filter(kind="account"))


@pytest.mark.outgrown
def test_another_address_takes_the_place_of_all_others_at_once(root, zoe):
    browser = logged_in("zoe")
    EmailAddress.objects.create(user=zoe, email="waiting@example.org", verified=False)
    User.objects.filter(pk=zoe.pk).update(mail_broken_at="2026-01-01T00:00Z")
    Mail.objects.all().delete()
    post = {"deed": "address", "address": "New@Example.org", "reason": WHY, "sure": "on"}
    answer = browser_of(root).post(f"{ACT}?member={zoe.pk}", post)
    assert answer.status_code == 302
    zoe.refresh_from_db()
    assert (zoe.email, zoe.mail_broken_at) == ("new@example.org", None)
    assert list(zoe.emailaddress_set.values_list("email", "verified", "primary")) == [("new@example.org", True, True)]
    assert browser.get("/settings/").status_code == 302
    assert posted_to() == ["new@example.org", "zoe@example.org"]
    assert WHY in Mail.objects.first().message["text"]
    row = last_audit()
    assert (row.deed, row.moderator, row.member, row.reason, row.details) == ("address", root, zoe, WHY, "")


@pytest.mark.outgrown
@pytest.mark.parametrize("address", ["ann@example.org", "ANN@example.org", "zoe@example.org", "no address"])
def test_addresses_that_nobody_is_given(root, zoe, ann, address):
    with pytest.raises(Invalid):
        accounts.change_address(moderator=root, member=zoe, reason=WHY, address=address)
    assert User.objects.get(pk=zoe.pk).email == "zoe@example.org"
    assert not Audit.objects.exists()


@pytest.mark.outgrown
def test_sanctions_that_wait_for_an_address_hold_whoever_gets_it(root, zoe):
    banned = confirmed_member("gone", "gone@example.org")
    members.ban(moderator=root, member=banned, reason=WHY)
    mark = Sanction.objects.get().mark
    Sanction.objects.update(member=None, until="2099-01-01T00:00Z")
    banned.delete()
    accounts.change_address(moderator=root, member=zoe, reason=WHY, address="gone@example.org")
    assert Sanction.objects.get(mark=mark).member == zoe
    assert not User.objects.get(pk=zoe.pk).is_active


@pytest.mark.outgrown
@pytest.mark.parametrize("rights", ["moderator", "admin"])
def test_rights_come_and_go_whole(root, zoe, rights):
    browser = logged_in("zoe")
    Mail.objects.all().delete()
    accounts.change_rights(moderator=root, member=zoe, reason=WHY, rights=rights)
    zoe = User.objects.get(pk=zoe.pk)
    assert (zoe.is_staff, zoe.is_superuser) == (True, rights == "admin")
    assert zoe.has_perm("moderation.moderate")
    assert browser.get("/settings/").status_code == 302
    assert posted_to() == ["root@example.org", "zoe@example.org"]
    assert (last_audit().deed, last_audit().details) == ("rights", f"member → {rights}")
    browser = logged_in("zoe")
    assert browser.get("/admin/").status_code == 200
    accounts.change_rights(moderator=root, member=zoe, reason=WHY, rights="member")
    zoe = User.objects.get(pk=zoe.pk)
    assert not (zoe.is_staff or zoe.is_superuser or zoe.groups.exists() or zoe.has_perm("moderation.moderate"))
    assert browser.get("/admin/").status_code == 302


def test_nobody_else_changes_them_and_nobody_their_own(mo, root, zoe):
    for who, whom in ((mo, zoe), (zoe, zoe), (root, root), (mo, root)):
        with pytest.raises(accounts.AdminsOnly):
            accounts.change_rights(moderator=who, member=whom, reason=WHY, rights="admin")
        with pytest.raises(accounts.AdminsOnly):
            accounts.change_address(moderator=who, member=whom, reason=WHY, address="other@example.org")
    assert "rights" not in browser_of(mo).get(f"{ACT}?member={zoe.pk}").content.decode()
    assert browser_of(mo).post(f"{ACT}?member={zoe.pk}", {"deed": "rights", "rights": "admin"}).status_code == 400
    unconfirmed = confirmed_member("nomail", "nomail@example.org", confirmed=False)
    with pytest.raises(Invalid):
        accounts.change_rights(moderator=root, member=unconfirmed, reason=WHY, rights="admin")


@pytest.mark.outgrown
def test_who_has_lost_rights_since_the_request_came_acts_no_more(root, zoe, eve):
    """Two admins who take each other's rights at the same moment: one of them stays an admin."""
    accounts.change_rights(moderator=root, member=zoe, reason=WHY, rights="admin")
    first, second = User.objects.get(pk=root.pk), User.objects.get(pk=zoe.pk)
    about = dict.fromkeys(("report", "appeal", "barred", "member", "match", "line"))
    perform("rights", moderator=first, reason=WHY, about=about | {"member": second}, rights="member")
    for deed, about_it, more in (
        ("rights", {"member": first}, {"rights": "member"}),
        ("mute", {"member": eve}, {"days": 1}),
        ("end", {"match": seated(root, eve)}, {}),
    ):
        with pytest.raises(PermissionDenied):
            perform(deed, moderator=second, reason=WHY, about=about | about_it, **more)
    with pytest.raises(PermissionDenied):
        admin_actions.give_time_to_all(admin=second, hours=1, reason=WHY, last=0)
    assert User.objects.get(pk=root.pk).is_superuser
    assert not Sanction.objects.exists()


@pytest.mark.outgrown
def test_no_other_page_of_the_admin_changes_them(root, mo, zoe):
    browser, before = browser_of(root), User.objects.filter(pk=zoe.pk).values()[0]
    page = f"/admin/accounts/user/{zoe.pk}/change/"
    wishes = {"email": "x@example.org", "is_staff": "on", "is_superuser": "on", "groups": [moderators().pk]}
    browser.post(page, {"language": "fr", "time_zone": "UTC", "colours": "dark", "single_keys": "on"} | wishes)
    assert browser.post(f"/admin/accounts/user/{zoe.pk}/password/", {"password1": "x"}).status_code == 403
    address = zoe.emailaddress_set.get()
    for part, post in (("change/", {"email": "x@example.org"}), ("delete/", {"post": "yes"})):
        assert browser.post(f"/admin/account/emailaddress/{address.pk}/{part}", post).status_code == 403
    browser.post("/admin/account/emailaddress/", {"action": "make_verified", "_selected_action": address.pk})
    now = User.objects.filter(pk=zoe.pk).values()[0]
    assert now == before | {"language": "fr", "colours": "dark"}
    assert not zoe.groups.exists()
    assert browser.get("/admin/auth/group/").status_code == 404


@pytest.mark.outgrown
@pytest.mark.parametrize("deed", ["warn", "note", "mute", "rename"])
def test_a_form_that_is_posted_twice_is_one_deed(mo, zoe, deed):
    browser = browser_of(mo)
    key = browser.get(f"{ACT}?member={zoe.pk}&deed={deed}").context["form"]["key"].value()
    post = {"deed": deed, "reason": WHY, "key": key, "days": "3", "name": "Zoebis"}
    answers = [browser.post(f"{ACT}?member={zoe.pk}", post) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert Audit.objects.filter(deed=deed).count() == 1
    assert Sanction.objects.count() == (deed != "note")
    other = browser.get(f"{ACT}?member={zoe.pk}&deed=warn").context["form"]["key"].value()
    assert other != key
    assert moderator("mia").deeds.count() == 0


@pytest.mark.outgrown
def test_two_looks_at_what_is_hidden_by_one_form_are_noted_once(root, ann, bob):
    address = f"/admin/games/match/{seated(ann, bob).pk}/hidden/"
    browser = browser_of(root)
    key = browser.get(address).context["form"]["key"].value()
    for _ in range(2):
        assert browser.post(address, {"reason": WHY, "key": key}).context["state"]
    assert Audit.objects.count() == 1
