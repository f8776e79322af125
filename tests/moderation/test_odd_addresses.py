"""Every list of the admin, with every odd value in every part of its address: an answer in words, never a 500."""

from itertools import product

import pytest
from django.contrib import admin
from django.urls import reverse

from games.models import Mail, Outage, Sweep
from games.moderation import members
from games.queries.play import seats_of
from games.services.chat import lines
from tests import FULL
from tests.factories import WHY, browser_of, end, guest, rated

pytestmark = [pytest.mark.both, pytest.mark.walk]

HUGE = "9" * 40
ODD = ("", "a", "0", "-1", HUGE, "\0é", "2026-13-40", "1,2")
LOOKUPS = ("year", "gte", "isnull", "exact", "in", "nowhere")
WELL = {200, 302, 400, 403, 404}


@pytest.fixture
def rows(ann, bob, root, clock):
    """Something in the lists: an empty one asks the database less."""
    match = end(rated(ann, bob), [1, 2])
    lines.say(match=match, seats=seats_of(match), user=ann, text="hello")
    members.warn(moderator=root, member=ann, reason=WHY)
    Sweep.objects.create(due=1)
    Outage.objects.create(part="web", start=match.started_at, end=match.started_at)
    Mail.objects.create(user=ann, kind="turn", message_id="1")
    guest()


def lists() -> list[tuple[str, str, object]]:
    """Return name and address of each list of the admin."""
    registered = admin.site._registry.items()
    found = [(model._meta, one) for model, one in registered]
    return [(str(m), reverse(f"admin:{m.app_label}_{m.model_name}_changelist"), one) for m, one in found]


def asked_of(one, place: int) -> list[dict[str, str]]:
    """Return odd queries for a list: for Django's own parameters, each filter, the dates, every other field.

    In short one in eight, at the next list the next ones.
    """
    shown = [getattr(part, "parameter_name", None) or str(part) for part in one.list_filter]
    dates = [one.date_hierarchy] if one.date_hierarchy else []
    fields = [field.name for field in one.model._meta.fields]
    found = [
        *({name: value} for name in ("q", "o", "p") for value in ODD),
        *({name: "a"} for name in ("e", "all", "_to_field", "_popup")),
        *({name: "0"} for name in fields),
        *({name: value} for name in (*shown, *dates) for value in (HUGE, "\0", "a")),
        *({f"{name}__{lookup}": value} for name in (*shown, *dates) for lookup in LOOKUPS for value in ("0", HUGE)),
    ]
    return found if FULL else found[place % 8 :: 8]


def faults(browser, address: str, asked: list[dict[str, str]]) -> list[str]:
    found = [(query, browser.get(address, query).status_code) for query in asked]
    return [f"{address} {query}: {status}" for query, status in found if status not in WELL]


@pytest.mark.parametrize("name", sorted(name for name, _address, _one in lists()))
def test_no_odd_address_of_a_list_is_an_error(rows, root, name):
    place, (_name, address, one) = next(row for row in enumerate(lists()) if row[1][0] == name)
    assert not faults(browser_of(root), address, asked_of(one, place))


@pytest.mark.parametrize("name", sorted(name for name, _address, _one in lists()))
def test_every_column_by_which_a_list_can_be_sorted_is_one_of_the_database(rows, root, name):
    _name, address, one = next(row for row in lists() if row[0] == name)
    columns = range(1, 1 + len(one.list_display))
    assert not faults(browser_of(root), address, [{"o": f"{sign}{place}"} for place in columns for sign in ("", "-")])


def test_no_odd_number_of_a_row_is_an_error(rows, root):
    """In short one in four at each list, at the next list the next ones."""
    browser, share = browser_of(root), 1 if FULL else 4
    odd = [*product(("-1", HUGE, "a", "%00"), ("change/", "history/", "delete/", ""))]
    for place, (_name, address, _one) in enumerate(lists()):
        for number, page in odd[place % share :: share]:
            answer = browser.get(f"{address}{number}/{page}")
            assert answer.status_code in WELL, answer.request["PATH_INFO"]


def test_no_odd_address_beside_the_lists_is_an_error(rows, root):
    browser = browser_of(root)
    wrong: list[str] = []
    acts = [{name: value} for name in ("report", "member", "match", "line", "deed") for value in ODD]
    wrong += faults(browser, "/admin/moderation/audit/act/", acts)
    wrong += faults(browser, "/admin/operation/matches/give-time/", [{"match": value} for value in ODD])
    wrong += faults(
        browser, "/admin/autocomplete/", [{"app_label": value, "model_name": value, "field_name": "a"} for value in ODD]
    )
    for value in (*(HUGE, "0", "%00"), "a"):
        wrong += faults(browser, f"/admin/r/{value}/1/", [{}])
        wrong += faults(browser, f"/admin/operation/sweeps/{value}/undo/", [{}])
        wrong += faults(browser, f"/admin/games/match/{value}/hidden/", [{}])
    assert not wrong
