"""Answering with one press: from the lists of matches, and from a mail in a browser without script or log-in."""

import pytest
from playwright.sync_api import expect

from games.models import Kind, Mail
from games.services.mail import answering
from tests.factories import asked
from tests.games.mail.test_telling import announced
from tests.processes import off_loop

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("address", ["/", "/matches/"])
def test_one_tap_on_a_card(site, page, log_in, address, ann, bob, cem):
    with off_loop():
        match = announced(ann, bob, cem)
        seat = asked(match)
    log_in(page.context, seat.user)
    page.goto(address)
    page.get_by_role("button", name="I believe it").click()
    expect(page.get_by_text("YAM menteur: I believe it")).to_be_visible()
    assert page.url == f"{site.url}{address}"
    with off_loop():
        assert match.seats.get(pk=seat.pk).ask is None


def test_one_press_without_script(site, browser, ann, bob, cem):
    with off_loop():
        match = announced(ann, bob, cem)
        seat = asked(match)
        mail = Mail.objects.create(user=seat.user, match=match, kind=Kind.TURN)
        move = {"type": "answer", "doubt": True}
        token = answering.token_of(seat.user, mail.pk, match.pk, "move", seat=seat, move=move)
    context = browser.new_context(base_url=site.url, java_script_enabled=False, viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto(f"/mails/answer/{token}/")
    page.get_by_role("button", name="I doubt it").click()
    expect(page.get_by_role("heading", name="Your answer has arrived")).to_be_visible()
    assert "sessionid" not in [cookie["name"] for cookie in context.cookies()]
    with off_loop():
        assert match.seats.get(pk=seat.pk).ask is None
