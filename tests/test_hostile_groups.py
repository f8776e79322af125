"""Sixty hostile texts in what clubs, circles, ladders, tournaments, sandboxes, programs and webhooks are sent."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from django.contrib import admin
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import models

from accounts.models import User
from accounts.names import BOT_SUFFIX, LONGEST
from config.lib import rate_limits
from games.api.models import ApiToken
from games.clubs.models import Circle, Encounter
from games.competitions.models import Correction, Tournament
from games.models import Audit, ChatLine, Club, Match, Webhook
from games.record import public_record
from games.rules import games
from tests import FULL
from tests.clubs.encounters import form_of
from tests.factories import as_many, browser_of, fresh, prove, seated, seats_of
from tests.hostile import ANSWERS, SHARES, TEXTS, tried
from tests.hostile_site import staged
from tests.test_hostile_fields import UNSEEN, assert_stays

pytestmark = pytest.mark.walk

WRITTEN: dict[type[models.Model], tuple[str, ...]] = {  # what people wrote, by the table that keeps it
    Club: ("name", "words"), Encounter: ("words",), Circle: ("name",), Tournament: ("name", "words"),
    ApiToken: ("name",), Webhook: ("name",), ChatLine: ("text",), Correction: ("reason",), User: ("username",),
    Audit: ("reason", "details"),
}  # fmt: skip
LINES = {Club: "name", Circle: "name", Tournament: "name", ApiToken: "name", Webhook: "name", User: "username"}


@pytest.fixture
def stage(transactional_db, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """The numbers of what the hostile texts stand in; limits are not what is tried."""
    for name in ("allows", "allows_reader", "allows_of", "allows_from"):
        monkeypatch.setattr(rate_limits, name, lambda *args, **named: True)
    return staged()


def kept_since(before: dict[type[models.Model], int]) -> Iterator[tuple[type[models.Model], str, str]]:
    """Yield the texts of rows that were made since, each with its table and column."""
    for model, names in WRITTEN.items():
        for row in model._default_manager.filter(pk__gt=before[model]).values(*names):
            yield from ((model, name, row[name]) for name in names)


def last_rows() -> dict[type[models.Model], int]:
    """Return the number of the last row of each table in which people write."""
    return {model: model._default_manager.order_by("pk").values_list("pk", flat=True).last() or 0 for model in WRITTEN}


def assert_kept_well(before: dict[type[models.Model], int], made: set[type[models.Model]]) -> None:
    """What was kept since is no longer than its column, seen as it is, and of one line where it is a name."""
    found = set()
    for model, name, text in kept_since(before):
        found.add(model)
        longest = model._meta.get_field(name).max_length
        assert longest is None or len(text) <= longest, (model, name, text)
        assert not set(text) & UNSEEN, (model, name, text)
        assert LINES.get(model) != name or "\n" not in text, (model, name, text)
    assert found >= made


def test_every_field_of_groups_answers_in_words(stage):
    """Of clubs and their matches, circles, ladders, tournaments."""
    ann, host, kim = (browser_of(User.objects.get(pk=stage[name])) for name in ("ann", "host", "kim"))
    club, rival, contest = (stage[name] for name in ("club", "rival", "contest"))
    circle, lined, before = stage["circle"], stage["accepted"], last_rows()
    Encounter.objects.exclude(pk=lined).update(state="withdrawn")  # as many as there are, no other would be made
    for number, text in enumerate(TEXTS):
        challenge = form_of(Club.objects.get(pk=club), words=text)
        posts = (
            (f"/clubs/{club}/edit/", {"name": text, "words": text, "access": text}),
            (f"/clubs/{club}/edit/", {"name": f"{text[:20]} {number}", "words": text, "access": "open"}),
            (f"/clubs/{club}/invite/", {"name": text}),
            (f"/clubs/{club}/people/", {"deed": text, "person": text}),
            (f"/clubs/{club}/chat/say/", {"text": text}),
            (f"/clubs/{club}/chat/read/", {"line": text}),
            (f"/clubs/{club}/chat/mute/", {"mute": text}),
            (f"/clubs/{rival}/join/", {"token": text}),
            (f"/report/?club={club}", {"reason": "other", "words": text}),
            (f"/clubs/{rival}/matches/new/", challenge),
            (f"/clubs/{rival}/matches/new/", dict.fromkeys(challenge, text) | {"game": "yum-extra"}),
            (f"/clubs/{rival}/matches/new/", challenge | {"game": text}),
            (f"/clubs/matches/{lined}/play/", {"wish": text, "side": text}),
            (f"/clubs/matches/{lined}/line-up/", {"wish": text, "side": "1", f"place_{text}": text}),
            (f"/clubs/matches/{lined}/line-up/", {"wish": "rating", "side": text}),
            (f"/clubs/matches/{stage['over']}/answer/", {"wish": text}),
            ("/circles/new/", {"match": str(stage["done"]), "name": text}),
            ("/circles/new/", {"match": text, "name": text}),
            (f"/circles/{circle}/rename/", {"name": text}),
            (f"/circles/{circle}/weekly/", {"wish": text, "weekday": text, "hour": text}),
            ("/ladders/yum-extra/join/", {"at_once": text}),
            ("/ladders/yum-extra/pause/", {"wish": text, "days": text}),
            ("/ladders/yum-extra/challenge/", {"climber": text}),
            (
                "/tournaments/new/",
                {"name": text, "words": text, "game": "yum-extra", "format": text, "begins_at": text},
            ),
            (f"/tournaments/{contest}/enter/", {"token": text}),
            (f"/tournaments/{contest}/ready/", {"wish": text}),
            (f"/tournaments/{contest}/place/", {"wish": text}),
            ("/play/standing/", {"game": text, "pace": text, "size": text}),
        )
        for address, data in tried(text, posts):
            assert_stays(ann.post(address, data), address, text)
        for name in tried(text, (text, f"Club {number}")):
            assert_stays(kim.post("/clubs/new/", {"name": name, "words": text, "access": "open"}), "new club", text)
        deeds = (
            {"deed": "extend", "days": text, "reason": text},
            {"deed": "take-out", "number": "9", "reason": text},
            {"deed": "replace", "number": "9", "by": text, "reason": text},
            {"deed": text, "reason": text},
        )
        for data in tried(text, deeds):
            assert_stays(host.post(f"/tournaments/{contest}/manage/", data), "manage", text)
        name = Circle.objects.get(pk=circle).name
        assert 0 < len(name) <= 40
    assert_kept_well(before, {Club, ChatLine, Encounter})


def test_every_field_for_programs_answers_in_words(stage):
    """Names of tokens, bots, webhooks and devices, addresses of webhooks; records for sandboxes."""
    ann, kim, host = (browser_of(User.objects.get(pk=stage[name])) for name in ("ann", "kim", "host"))
    prove(kim)
    Webhook.objects.all().delete()  # and tokens: as many as there are, none would be added
    ApiToken.objects.all().delete()
    User.objects.filter(owner=stage["kim"]).exclude(pk=stage["bot"]).delete()
    before, record = last_rows(), public_record(done := fresh(Match(pk=stage["done"])), seats_of(done))
    for text in TEXTS:
        hook = {"act": "add", "name": text, "address": "https://hooks.example.org/x", "format": "json"}
        strange = {"act": "add", "name": f"x {text}", "address": text, "format": "slack"}
        hooks = (hook, strange, strange | {"address": f"https://hooks.example.org/{text}"}, {"act": text, "hook": text})
        groups = ((ann, f"/clubs/{stage['club']}/webhooks/"), (host, f"/tournaments/{stage['contest']}/webhooks/"))
        posts: list[tuple[Any, str, dict[str, Any]]] = [
            *((kim, "/settings/webhooks/", data) for data in hooks),
            *((browser, address, data) for browser, address in groups for data in hooks),
            (kim, "/settings/api/", {"act": "make", "name": text, "scopes": ["read"], "days": "30"}),
            (kim, "/settings/api/", {"act": "make", "name": text, "scopes": [text], "days": text}),
            (kim, "/settings/api/", {"act": "end", "token": text}),
            (kim, "/settings/bots/", {"act": "make", "name": text}),
            (kim, "/settings/bots/", {"act": "token", "bot": stage["bot"], "name": text, "writes": text}),
            (kim, "/settings/bots/", {"act": text, "bot": text, "token": text, "name": text}),
            (ann, "/settings/devices/add/", {"endpoint": text, "public_key": text, "secret": text}),
            (ann, "/sandbox/", {"text": text}),
            (ann, "/sandbox/", {"match": text}),
            (ann, "/sandbox/", {"match": stage["done"], "kind": text, "step": text, "level": text, "seat": text}),
            (ann, "/sandbox/", {"match": stage["done"], "kind": "friends", "step": "1", "invited": text}),
            (ann, "/sandbox/", {"file": SimpleUploadedFile(text or "x", text.encode())}),
            *(
                (ann, "/sandbox/", {"file": SimpleUploadedFile("x.json", json.dumps(one).encode())})
                for one in planted(record, text)
            ),
        ]
        for browser, address, data in tried(text, posts):
            answer = browser.post(address, data)
            assert_stays(answer, address, text)
            assert "<script>window.ran" not in answer.content.decode(), (address, text)
    assert_kept_well(before, {ApiToken, Webhook})
    for robot in User.objects.filter(owner=stage["kim"], pk__gt=before[User]):
        assert robot.username.endswith(BOT_SUFFIX) and len(robot.username) <= LONGEST


def planted(record: dict[str, Any], text: str) -> Iterator[dict[str, Any]]:
    """Yield copies of a record in each of which one part says this text, or is called so."""
    for name, value in record.items():
        yield record | {name: text}
        if isinstance(value, list) and value:
            yield record | {name: [text, *value[1:]]}
        if isinstance(value, dict):
            yield record | {name: dict.fromkeys(value, text) | {text: text}}
    first, *rest = record["moves"]
    for name in first:
        yield record | {"moves": [first | {name: text}, *rest]}
    yield record | {"moves": [first | {"move": dict.fromkeys(first["move"], text) | {text: text}}, *rest]}
    yield record | {text: text}


def test_every_address_that_holds_a_text_answers_in_words(stage):
    """Secrets of links, names, days and months within addresses; searches and cursors behind them."""
    ann, host = (browser_of(User.objects.get(pk=stage[name])) for name in ("ann", "host"))
    for text in TEXTS:
        part, match = quote(text[:500], safe=""), stage["of_clubs"]
        asked = (
            *((f"/{one}/{part}/", {}) for one in ("clubs/join", "tournaments/link", "puzzle", "people", "join")),
            *((f"/people/{part}/{one}/", {}) for one in ("season", "follow")),
            *((f"/{one}/{part}/", {}) for one in ("ladders", "games", "leaderboards", "guests")),
            (f"/records/{part}.jsonl.zst", {}),
            ("/clubs/", {"search": text, "page": text}),
            (f"/clubs/{stage['club']}/matches/", {"page": text}),
            (f"/clubs/{stage['rival']}/matches/new/", {"game": text}),
            ("/circles/new/", {"match": text}),
            ("/sandbox/", {"match": text, "step": text}),
            ("/matches/records.zip", {"before": text}),
            ("/tournaments/", {"running": text, "game": text, "page": text}),
            (f"/tournaments/{stage['contest']}/", {"whole": text, "page": text}),
            ("/ladders/yum-extra/", {"page": text, "mark": text}),
            *((f"/matches/{match}/{one}", {"lang": text}) for one in ("embed/", "table.svg", "qr.svg", "card.png")),
            ("/leaderboards/yum-extra/", {"season": text, "club": text, "page": text}),
        )
        for address, query in tried(text, asked):
            for browser in (ann, host):
                assert_stays(browser.get(address, query), address, text)


def test_every_list_of_admins_answers_every_search(stage):
    """Searches, filters, orders and pages of each list, and rows of each by a hostile number."""
    root = browser_of(User.objects.get(pk=stage["root"]))
    lists = [(model._meta, one) for model, one in admin.site._registry.items()]
    assert len(lists) > 25
    asked = []
    for meta, one in lists:
        address = f"/admin/{meta.app_label}/{meta.model_name}/"
        names = [getattr(field, "parameter_name", field) for field in one.list_filter]
        names = [name[0] if isinstance(name, tuple) else name for name in names]
        asked += [(address, name) for name in ("", "q", "o", *names, *(f"{name}__gte" for name in names))]
    for text in TEXTS if FULL else TEXTS[30 : 30 + SHARES]:  # each address gets one
        for address, name in tried(text, asked):
            where, query = (address, {name: text}) if name else (f"{address}{quote(text[:500], safe='')}/change/", {})
            answer = root.get(where, query)
            assert answer.status_code in ANSWERS, (where, query)
            assert "<script>window.ran" not in answer.content.decode(), (where, query)


def test_pictures_and_frames_of_hostile_names_are_well_formed(stage):
    """The picture of a public match's table in each game is XML without a script; its frame has none either."""
    crowd = list(User.objects.filter(username__regex=r"\d{3}$", owner=None).order_by("pk"))
    assert len(crowd) == len(TEXTS)
    visitor = browser_of()
    for number, text in enumerate(TEXTS):
        for slug in tried(text, games()):
            people = [crowd[(number + more) % len(crowd)] for more in range(3)]
            match = seated(*as_many(slug, *people), game_slug=slug)
            picture = visitor.get(f"/matches/{match.pk}/table.svg")
            assert picture.status_code == 200
            found = list(ET.fromstring(picture.content.decode()).iter())
            assert not [one.tag for one in found if "script" in one.tag or "foreignObject" in one.tag]
            assert not [name for one in found for name in one.attrib if name.lower().startswith("on")]
            frame = visitor.get(f"/matches/{match.pk}/embed/")
            assert frame.status_code == 200
            assert "<script>window.ran" not in frame.content.decode()
            assert visitor.get(f"/matches/{match.pk}/table.png").content.startswith(b"\x89PNG"), text
