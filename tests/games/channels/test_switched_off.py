"""Each channel switched off at the server: whoever is called is called by what is left, and every page works."""

from itertools import combinations, permutations
from random import Random

import pytest

from games import tasks
from games.models import Match
from games.services import channel_order
from games.services.mail import delivery as mails
from games.services.mail import planning
from games.services.webhooks import planning as webhooks
from tests.factories import asked, browser_of, fresh, random_move, submit
from tests.mailing import HOUR, MINUTE

SWITCHES = {"devices": ("PUSH", False), "webhooks": ("WEBHOOKS", False), "replies": ("REPLY_DOMAIN", "")}
OFF = [*combinations(SWITCHES, 1), tuple(SWITCHES)]
ORDERS = list(permutations(("mail", "devices", "webhooks")))
PAGES = (
    *("/", "/play/", "/play/new/", "/matches/", "/people/ann/", "/manifest.en.webmanifest", "/sw.js", "/offline/"),
    *("/settings/", "/settings/mails/", "/settings/devices/", "/settings/webhooks/", "/settings/calendar/"),
    *("/settings/days-off/", "/settings/data/"),
)


def switch_off(settings, names) -> None:
    for name in names:
        setattr(settings, *SWITCHES[name])


@pytest.fixture
def told(postbox, service, receiver, push, hook):
    """Sends all that is due, and says how often each channel has told something so far."""

    def told() -> dict[str, int]:
        mails.send_due(), push(), hook()
        return {"mail": len(postbox.kept), "devices": len(service.kept), "webhooks": len(receiver.calls)}

    return told


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("off", OFF, ids="+".join)
@pytest.mark.parametrize("order", ORDERS, ids=" ".join)
def test_the_first_that_is_left_is_called(mover, off, order, settings, told):
    channel_order.choose(mover, **{name: place for place, name in enumerate(order, 1)})
    switch_off(settings, off)
    for _ in range(2):
        planning.sweep()
        webhooks.sweep()
        counted = told()
    first = next(name for name in order if name not in off)
    assert counted == {"mail": 0, "devices": 0, "webhooks": 0} | {first: 1}


@pytest.mark.parametrize("first", ["devices", "webhooks"])
def test_what_waited_as_it_was_switched_off_goes_on_to_the_next(mover, first, settings, told, clock):
    channel_order.choose(mover, **{"devices": 3, "webhooks": 3, "mail": 2, first: 1})
    planning.sweep()
    switch_off(settings, [first])
    assert told() == {"mail": 0, "devices": 0, "webhooks": 0}
    clock.forward(11 * MINUTE)
    tasks.sweep_notices()
    assert told() == {"mail": 1, "devices": 0, "webhooks": 0}


@pytest.mark.parametrize("off", OFF, ids="+".join)
def test_every_page_works_and_a_move_is_played(mover, off, settings, clock):
    switch_off(settings, off)
    clock.forward(HOUR)
    match = Match.objects.get()
    browser = browser_of(mover)
    for path in (*PAGES, f"/matches/{match.pk}/"):
        answer = browser.get(path)
        assert answer.status_code == 200, path
    seat = asked(match)
    submit(match, seat, random_move(match, seat.number, Random(1)))
    assert fresh(match).turns == 1
