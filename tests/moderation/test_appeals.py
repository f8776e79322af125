"""Appeals of the sanctioned, bans that take two moderators, banned addresses and domains, the public figures."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from accounts.models import User
from config.lib import clock
from games.models import Audit, Mail
from games.moderation import appeals, bars, members, queue, reports
from games.moderation.models import Appeal, Barred, Sanction
from games.services.refusals import Invalid
from tests.factories import PASSWORD, WHY, browser_of, last_audit, moderator, opened, sign_up
from tests.moderation.test_admin import ACT

SURE = {"reason": WHY, "sure": "on"}


@pytest.fixture
def mia(db):
    return moderator("mia")


def suspended(mo, ann) -> Sanction:
    return members.suspend(moderator=mo, member=ann, reason=WHY, until=clock.now() + timedelta(days=3))


def decide(moderator, deed: str):
    return browser_of(moderator).post(f"{ACT}?appeal={Appeal.objects.get().pk}", {"deed": deed, "reason": "Sorry."})


@pytest.mark.outgrown
def test_the_suspended_see_why_and_appeal_once(mo, mia, ann, bob):
    sanction = suspended(mo, ann)
    browser, address = browser_of(ann), f"/sanctions/{sanction.pk}/"
    assert address in browser.post("/play/yum-extra/", follow=True).content.decode()
    assert WHY in browser.get(address).content.decode()
    assert browser.post(address, {"words": " \0 "}).status_code == 400
    assert "Thank you" in browser.post(address, {"words": "It was a joke <b>"}, follow=True).content.decode()
    again = browser.post(address, {"words": "more"})
    assert again.status_code == 400
    assert Appeal.objects.get().words == "It was a joke <b>"
    assert "joke &lt;b&gt;" in browser.get(address).content.decode()
    assert browser_of(bob).get(address).status_code == 404
    assert decide(mo, "grant").status_code == 403
    assert decide(mia, "grant").status_code == 302
    assert (last_audit().deed, last_audit().member) == ("grant", ann)
    assert "Your appeal was granted" in browser.get(address).content.decode()
    assert "Sorry." in Mail.objects.get(kind="sanction").message["text"]
    assert opened(ann)
    assert decide(mia, "refuse").status_code == 400


@pytest.mark.outgrown
def test_an_appeal_that_is_refused_leaves_the_sanction(mo, mia, ann):
    sanction = suspended(mo, ann)
    appeals.appeal(sanction=sanction, words="please")
    listed = browser_of(mia).get("/admin/moderation/appeal/?state=open").content.decode()
    assert "ann" in listed
    assert decide(mia, "refuse").status_code == 302
    assert Sanction.objects.get(pk=sanction.pk).ended_at is None
    assert "Your appeal was refused" in browser_of(ann).get(f"/sanctions/{sanction.pk}/").content.decode()


def test_whoever_moderates_alone_decides_and_bans_alone(mo, ann):
    sanction = suspended(mo, ann)
    appeals.appeal(sanction=sanction, words="please")
    assert decide(mo, "grant").status_code == 302
    assert browser_of(mo).post(f"{ACT}?member={ann.pk}&deed=ban", SURE).status_code == 302
    assert not User.objects.get(pk=ann.pk).is_active


@pytest.mark.outgrown
def test_a_ban_takes_two(mo, mia, ann):
    first, second = browser_of(mo), browser_of(mia)
    assert first.post(f"{ACT}?member={ann.pk}&deed=ban", SURE).status_code == 400
    with pytest.raises(Invalid):
        members.confirm_ban(moderator=mo, member=ann, reason=WHY)
    assert first.post(f"{ACT}?member={ann.pk}&deed=propose", SURE).status_code == 302
    held = Sanction.objects.get()
    assert (held.kind, held.until, held.to_ban, held.by) == ("suspension", None, True, mo)
    assert User.objects.get(pk=ann.pk).is_active
    for deed in ("ban", "propose"):
        assert first.post(f"{ACT}?member={ann.pk}&deed={deed}", SURE).status_code == 400
    with pytest.raises(Invalid):
        members.confirm_ban(moderator=mo, member=ann, reason=WHY)
    assert "ann" in second.get("/admin/moderation/sanction/?to_ban=1").content.decode()
    page = second.get(f"/admin/moderation/sanction/{held.pk}/change/").content.decode()
    assert f'href="{ACT}?member={ann.pk}"' in page  # where it is confirmed or lifted
    assert "Bans to be confirmed (1)" in second.get("/admin/").content.decode()
    assert second.post(f"{ACT}?member={ann.pk}&deed=ban", SURE).status_code == 302
    assert "Bans to be confirmed</a>" in second.get("/admin/").content.decode()
    assert not User.objects.get(pk=ann.pk).is_active
    assert [row.deed for row in Audit.objects.order_by("pk")] == ["propose", "ban"]
    assert second.get("/admin/moderation/sanction/?to_ban=1").context["cl"].result_count == 0


def test_a_second_moderator_may_lift_what_waits_for_a_ban(mo, mia, ann):
    members.propose_ban(moderator=mo, member=ann, reason=WHY)
    assert members.lift(moderator=mia, member=ann, reason=WHY) == 1
    assert members.ban_to_confirm(ann) is None


@pytest.mark.outgrown
def test_the_banned_appeal_after_their_password(mo, mia, ann, clock):
    members.ban(moderator=mo, member=ann, reason=WHY)
    answer = Client().post("/accounts/login/", {"login": "ann", "password": PASSWORD}, follow=True)
    address = answer.context["appeal_url"]
    assert address in answer.content.decode()
    browser = Client()
    assert WHY in browser.get(address).content.decode()
    assert browser.post(address, {"words": "I was hacked"}).status_code == 302
    assert decide(mia, "grant").status_code == 302
    assert User.objects.get(pk=ann.pk).is_active
    assert Client().post("/accounts/login/", {"login": "ann", "password": PASSWORD}).status_code == 302
    assert browser.get(address + "x").status_code == 404
    clock.forward(3700)
    assert browser.get(address).status_code == 404
    wrong = Client().post("/accounts/login/", {"login": "ann", "password": "wrong"})
    assert "/closed/" not in wrong.content.decode()


@pytest.mark.outgrown
def test_a_banned_domain_is_refused_in_words_and_an_address_in_silence(root, mo, ann):
    browser = browser_of(root)
    add = "/admin/moderation/barred/add/"
    key = browser.get(add).context["form"]["key"].value()
    for pattern in ("no domain", "localhost", ""):
        assert browser.post(add, {"pattern": pattern, "reason": WHY}).status_code == 400
    assert browser.post(add, {"pattern": "example.com", "reason": "\u200b"}).status_code == 400  # nobody could read it
    for _twice in range(2):
        browser.post(add, {"pattern": "@Spam.example", "reason": WHY, "key": key})
    browser.post(add, {"pattern": "troll+x@example.org", "reason": WHY})
    assert set(Barred.objects.values_list("pattern", flat=True)) == {"spam.example", "troll@example.org"}
    assert [row.details for row in Audit.objects.filter(deed="bar").order_by("pk")] == ["spam.example", ""]
    refused = sign_up(Client(), "Cleo", "cleo@mail.spam.example")
    assert "Addresses of this provider cannot be used here" in refused.content.decode()
    assert not User.objects.filter(username="Cleo").exists()
    Mail.objects.all().delete()
    assert sign_up(Client(), "Troll", "troll+2@example.org").status_code == sign_up(Client(), "Zed").status_code == 302
    assert [mail.message["to"] for mail in Mail.objects.all()] == ["cleo@example.org"]
    assert not bars.is_barred("cleo@example.org")
    barred = Barred.objects.get(pattern="spam.example")
    assert browser_of(mo).get(f"{ACT}?barred={barred.pk}").status_code == 404
    assert browser.post(f"{ACT}?barred={barred.pk}", {"deed": "unbar", **SURE}).status_code == 302
    assert not bars.is_domain_barred("cleo@mail.spam.example")


@pytest.mark.outgrown
def test_a_banned_address_that_waits_is_not_confirmed(root):
    browser = Client()
    sign_up(browser, "Troll", "troll@example.org")
    text = Mail.objects.get().message["text"]
    link = next(word for word in text.split() if "/confirm-email/" in word).partition("testserver")[2]
    bars.bar(moderator=root, pattern="troll@example.org", reason=WHY)
    browser.post(link)
    assert not EmailAddress.objects.get().verified


@pytest.mark.outgrown
def test_figures_tell_everybody_how_much_and_of_nobody(mo, ann, bob, clock):
    found = reports.report(reporter=bob, reason="insult", words="", member=ann)
    queue.set_state(moderator=mo, report=found, deed="settle", reason=WHY)
    members.warn(moderator=mo, member=ann, reason=WHY)
    answer = browser_of().get("/moderation/")
    month = answer.context["months"][0]
    told = dict(zip(answer.context["heads"], month["figures"], strict=True))
    assert {name for name, count in told.items() if count} == {"reports", "settled", "warn"}
    assert len(answer.context["months"]) == 12
    for secret in ("ann", "bob", WHY):
        assert secret not in answer.content.decode().split("<main")[1].split("</main")[0]
    clock.forward(40 * 86400)
    later = browser_of().get("/moderation/").context["months"]
    assert sum(later[0]["figures"]) == 0
    assert sum(later[1]["figures"]) + sum(later[2]["figures"]) == 3


@pytest.mark.outgrown
def test_an_appeal_goes_on_against_the_ban_that_was_confirmed_and_not_against_what_has_ended(mo, mia, ann):
    proposed = members.propose_ban(moderator=mo, member=ann, reason=WHY)
    appeal = Appeal.objects.create(sanction=proposed, words="No.")
    banned = members.confirm_ban(moderator=mia, member=ann, reason=WHY)
    appeal.refresh_from_db()
    assert appeal.sanction == banned
    Sanction.objects.filter(pk=banned.pk).update(ended_at=clock.now())
    with pytest.raises(Invalid):
        appeals.decide(moderator=mo, appeal=appeal, deed=Audit.Deed.GRANT, reason=WHY)
