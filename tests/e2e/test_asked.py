"""Invitations and proposals arrive while one looks at something else, and are answered where they arrive."""

import re

import pytest
from playwright.sync_api import expect

from games.models import LastInvitation, Match
from games.queries.play import waiting_count
from games.services.lobby import opening
from games.services.play import moves
from tests.e2e.playing import wait_live
from tests.factories import member, opened, seated
from tests.processes import off_loop, wait_until


@pytest.mark.browser
def test_who_is_asked_sees_it_at_once_and_answers_in_place(browser, site, log_in):
    ann, bob = member("ann"), member("bob")
    match = seated(ann, bob)
    pages = {}
    for person, path in ((ann, f"/matches/{match.pk}/"), (bob, "/")):
        context = browser.new_context(base_url=site.url, viewport={"width": 390, "height": 844})
        log_in(context, person)
        pages[person] = context.new_page()
        pages[person].goto(path)
        wait_live(pages[person])
    anns, bobs = pages[ann], pages[bob]
    with off_loop():
        table = opened(ann, size=2, invited=[bob], access=Match.Access.INVITATION)
    card = bobs.locator(f"#w{table.pk}")
    expect(card).to_contain_text("ann invites you")
    expect(bobs).to_have_title(re.compile(r"^\(\d\) .+ for you · Club Y$"))
    assert bobs.title().removeprefix("(1) ").removeprefix("(2) ").startswith(bobs.locator("#waiting").inner_text())
    expect(bobs.locator("#asked")).to_be_hidden()
    card.get_by_role("button", name="Decline").click()
    expect(anns.locator("#asked")).to_contain_text("Declined: bob")
    bobs.wait_for_url(f"{site.url}/")
    anns.get_by_role("button", name="Close").click()
    expect(anns.locator("#asked")).to_be_hidden()
    with off_loop():
        LastInvitation.objects.all().delete()  # as a day later
        opening.invite(match_id=table.pk, user=ann, guests=[bob])
        moves.wish_pause(match_id=match.pk, user=bob, wish=True)
    expect(anns.locator("#proposal-pause")).to_contain_text("bob proposes to pause the clocks.")
    anns.locator("#proposal-pause").get_by_role("button", name="Accept").click()
    expect(anns.locator(".due")).to_contain_text("The clocks are paused by agreement.")
    bobs.goto(f"/matches/{match.pk}/")
    wait_live(bobs)
    expect(bobs.locator("#pause")).to_contain_text("Restart the clocks")
    with off_loop():
        moves.wish_pause(match_id=match.pk, user=ann, wish=False)
    expect(bobs.locator("#pause")).to_contain_text("Propose a pause")
    bobs.goto("/settings/")  # a page that shows no match
    wait_live(bobs)
    with off_loop():
        before = waiting_count(bob)
        LastInvitation.objects.all().delete()
        other = opened(ann, size=2, invited=[bob], access=Match.Access.INVITATION)
    expect(bobs.locator("[data-waiting]")).to_have_text(str(before + 1))
    expect(bobs).to_have_title(re.compile(rf"^\({before + 1}\) "))
    bobs.locator("#asked").get_by_role("button", name="Accept").click()
    bobs.wait_for_url(f"**/matches/{other.pk}/")
    with off_loop():
        wait_until(lambda: Match.objects.get(pk=other.pk).status == Match.Status.RUNNING)
