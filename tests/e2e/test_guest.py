"""Somebody who got a link sits down without an account, plays, and goes on elsewhere, with and without JavaScript."""

import pytest
from playwright.sync_api import Browser, expect

from games.models import Match
from games.services.lobby import challenges
from tests.e2e.playing import MINE, make_move, version, wait_live, wait_version
from tests.factories import asked, member, opened
from tests.processes import off_loop


@pytest.mark.thin(1)
@pytest.mark.browser
@pytest.mark.parametrize("script", [True, False])
def test_a_link_a_name_a_seat(browser: Browser, site, log_in, script):
    with off_loop():
        ann = member("ann")
        table = opened(ann, size=2, access=Match.Access.LINK)
    hers = browser.new_context(base_url=site.url)
    log_in(hers, ann)
    anns = hers.new_page()
    anns.goto(f"/matches/{table.pk}/")
    wait_live(anns)
    link = anns.get_by_label("Anybody with this link").input_value()
    phone = browser.new_context(
        base_url=site.url, java_script_enabled=script, viewport={"width": 390, "height": 844}, locale="fr"
    )
    page = phone.new_page()
    page.goto(link)
    page.get_by_label("Votre nom à cette table").fill("Moderator")
    page.get_by_role("button", name="S’asseoir en visiteur").click()
    expect(page.locator("body")).to_contain_text("est réservé")
    page.get_by_label("Votre nom à cette table").fill("Léa")
    page.get_by_role("button", name="S’asseoir en visiteur").click()
    expect(page.locator("body")).to_contain_text("Vous jouez sous le nom")
    expect(anns.locator("#table")).to_contain_text("guest-Léa")  # at once, on the page that was open
    with off_loop():
        mover = asked(table)
    mine = page if mover.user_id != ann.pk else anns
    if mine is page and not script:
        page.reload()
    mine.wait_for_selector(MINE, state="attached")
    before = version(anns)
    make_move(mine)
    wait_version(anns, before + 1)
    site.web.kill()  # a guest outlives the server
    site.web.start()
    page.reload()
    page.get_by_role("link", name="Votre lien").click()
    own = page.get_by_label("Votre lien").input_value()
    elsewhere = browser.new_context(base_url=site.url, java_script_enabled=script).new_page()
    elsewhere.goto(own)
    elsewhere.get_by_role("button", name="Continuer").or_(elsewhere.get_by_role("button", name="Go on")).click()
    expect(elsewhere.locator("body")).to_contain_text("Yum EXTRA")
    elsewhere.goto(f"/matches/{table.pk}/")
    expect(elsewhere.locator("#table")).to_contain_text("ann")


@pytest.mark.browser
def test_a_challenge_appears_in_the_lobby_at_once(browser: Browser, site, log_in):
    with off_loop():
        ann, bob = member("ann"), member("bob")
    his = browser.new_context(base_url=site.url)
    log_in(his, bob)
    page = his.new_page()
    page.goto("/play/")
    page.wait_for_selector("[data-live=yes]", state="attached")
    expect(page.locator("#standing")).to_contain_text("None at the moment")
    with off_loop():
        challenges.offer(member=ann, game_slug="yay", size=2, pace="3d", most=1, rated=False, options={})
    page.locator("#standing").get_by_role("button", name="Accept").click()
    expect(page).to_have_url(f"{site.url}/matches/{Match.objects.values_list('pk', flat=True).get()}/")
