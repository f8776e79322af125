"""The client's own part of the dice: drawn for what was promised, kept, opened after a restart, compared."""

import json
import os
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
from club_y_client import Client, Runner
from club_y_client.__main__ import main
from club_y_client.own_part import Other, OwnParts, Part

from games.api.services import tokens
from games.models import Match
from games.services.lobby import seating
from tests.api.test_client import LINE, Site, asks, problem, runner, said, waiting
from tests.factories import bot_of, fresh, member, played_on

COMMITMENT, ENTRY = "c" * 64, "e" * 64
PROMISED = said(200, {"promise": "a promise", "commitment": COMMITMENT, "until": 1})


def seal(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def dice(part: Part, **more: object) -> dict:
    about = {"commitment": COMMITMENT, "entry": ENTRY, "opens": True, "opened": False}
    return about | part.sent | more


def kept(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines() if line]


def record(*parts: Part, **more: object) -> dict:
    sent = [part.sent for part in parts]
    return {
        "commitment": COMMITMENT,
        "nonces": [one["nonce"] for one in sent],
        "seals": [one["seal"] for one in sent],
    } | more


# ——— Drawn and sent


def test_who_makes_a_table_draws_for_what_was_promised(own_parts):
    for make in (lambda client: client.open_table("yay", 2, rated=True), lambda client: client.accept_challenge(3)):
        site = Site(PROMISED, said(201, {"id": 7}))
        make(site.client)
        sent = json.loads(site.sent[1].content)
        part = Part(**kept(own_parts)[-1])
        assert site.sent[0].url.path.endswith("/dice/promise")
        assert sent["promise"] == "a promise" and part.commitment == COMMITMENT
        assert part.sent == {"nonce": sent["nonce"], "seal": sent["seal"]} and len(sent["nonce"]) == 32
        assert part.at == "https://club-y.test/matches/7"
    assert len({one["nonce"] for one in kept(own_parts)}) == 2


@pytest.mark.parametrize(
    ("asked", "path"), [({}, "/matches/7"), ({"token": "a/b"}, "/links/a%2Fb"), ({"commitment": COMMITMENT}, "")]
)
def test_who_joins_draws_once_the_commitment_is_known(own_parts, asked, path):
    looked = [said(200, {"id": 7, "dice": {"commitment": COMMITMENT}})] if path else []
    site = Site(*looked, said(200, {"id": 7}))
    site.client.join(7, **asked)
    sent = json.loads(site.sent[-1].content)
    assert [str(request.url).removeprefix("https://club-y.test/api/v1") for request in site.sent[:-1]] == [path][
        : len(looked)
    ]
    assert Part(**kept(own_parts)[0]).sent == {"nonce": sent["nonce"], "seal": sent["seal"]}
    assert sent["token"] == asked.get("token", "")


def test_it_is_kept_before_it_is_sent(own_parts):
    """Else a crash between the two would leave a seal that nobody can open."""
    site = Site(PROMISED, lambda request: said(201, {"id": len(kept(own_parts))}))
    assert site.client.open_table("yay", 2)["id"] == 1


def test_what_was_lost_is_sent_again_with_the_same_part():
    site = Site(PROMISED, said(503), said(201, {"id": 7}))
    site.client.open_table("yay", 2)
    assert site.sent[1].content == site.sent[2].content


def test_what_cannot_be_kept_is_not_sealed(tmp_path, monkeypatch):
    (tmp_path / "a-file").touch()
    parts = OwnParts(tmp_path / "a-file" / "dice.jsonl")
    part = parts.draw(COMMITMENT)
    assert len(part.sent["nonce"]) == 32 and part.sent["seal"] == ""
    parts.sit(part, "there")
    assert parts.to_open(dice(part), "there") == ""


def test_others_cannot_read_it_and_nothing_of_it_is_shown(own_parts, capsys, caplog):
    caplog.set_level("DEBUG")
    site = Site(PROMISED, said(201, {"id": 7}))
    site.client.open_table("yay", 2)
    assert own_parts.stat().st_mode & 0o077 == own_parts.parent.stat().st_mode & 0o077 == 0
    shown = caplog.text + "".join(capsys.readouterr())
    for one in kept(own_parts):
        assert one["nonce"] not in shown and one["further"] not in shown


# ——— Opened


def test_it_is_opened_after_a_restart(own_parts):
    part = OwnParts().draw(COMMITMENT)
    site = Site(
        said(200, {"id": 7, "dice": dice(part)}), said(200, {"id": 7, "dice": dice(part, opens=False)}, ETag='"b"')
    )
    assert site.client.open_dice(site.client.table(7))
    assert site.sent[1].url.path.endswith("/matches/7/dice")
    assert json.loads(site.sent[1].content) == {"nonce": part.further}
    assert kept(own_parts)[-1] == {**part._asdict(), "at": "https://club-y.test/matches/7", "entry": ENTRY}


def test_the_start_is_noted_before_anything_is_opened(own_parts):
    part = OwnParts().draw(COMMITMENT)
    site = Site(
        lambda request: said(409 if kept(own_parts)[-1]["entry"] == ENTRY else 500, {"code": "nonce_not_taken"})
    )
    assert site.client.open_dice({"id": 7, "dice": dice(part)}) is False


@pytest.mark.parametrize(
    "more", [{"opens": False}, {"entry": ""}, {"seal": "0" * 64}, {"nonce": "another"}, {"entry": "f" * 64}]
)
def test_what_is_not_as_it_was_is_not_opened(own_parts, more):
    parts = OwnParts()
    part = parts.draw(COMMITMENT)
    if more == {"entry": "f" * 64}:
        assert parts.to_open(dice(part), "there") == part.further  # the start that it saw first
    before = own_parts.read_text()
    assert parts.to_open(dice(part, **more), "there") == ""
    assert own_parts.read_text() == before


def test_a_seat_that_sealed_nothing_opens_a_fresh_number_where_it_may(own_parts):
    none = Part(COMMITMENT, "", "")
    further = OwnParts().to_open(dice(none), "there")
    assert len(further) == 32 and kept(own_parts)[-1] == Part(COMMITMENT, "", further, "there", ENTRY)._asdict()
    assert OwnParts().noted(record(none, none)).entries == [ENTRY]


def test_a_move_opens_it_first_and_what_is_refused_keeps_nobody_from_playing():
    part = OwnParts().draw(COMMITMENT)
    known = said(200, {"id": 7, "dice": dice(part)}, ETag='"a"')
    opened = said(200, {"id": 7, "dice": dice(part, opens=False, opened=True)}, ETag='"b"')
    for answer in (opened, problem(409, "nonce_not_taken"), problem(404, "not_found")):
        site = Site(known, answer, opened)
        site.client.table(7)
        site.client.move(7, 1, {"type": "pass"})
        assert [request.url.path.rsplit("/", 1)[1] for request in site.sent] == ["7", "dice", "moves"]
    site.answers = [opened]
    site.client.move(7, 2, {"type": "pass"})
    assert site.sent[-1].url.path.endswith("/moves")  # and nothing is opened again


def test_a_table_of_a_site_that_says_nothing_of_dice():
    site = Site(said(200, {"id": 7}, ETag='"a"'), said(200, {"id": 7}))
    site.client.table(7)
    site.client.move(7, 1, {"type": "pass"})
    assert len(site.sent) == 2


def test_a_runner_opens_it_though_others_move_first():
    part = OwnParts().draw(COMMITMENT)
    site = Site(said(200, {"id": 7, "dice": dice(part)}), said(200, {"id": 7, "dice": dice(part, opens=False)}))
    playing, told = runner(site)
    state = {"status": "running"}
    for frame in ({"type": "match", "match": 7, "state": None}, *[{"type": "match", "match": 7, "state": state}] * 2):
        playing._news.put(frame)
    playing._listen(playing._news.empty)
    assert [request.url.path.rsplit("/", 1)[1] for request in site.sent] == ["7", "dice"] and not told


def test_a_runner_without_a_stream_looks_at_what_runs():
    part = OwnParts().draw(COMMITMENT)
    table, opened = ({"id": 7, "dice": dice(part, opens=opens)} for opens in (True, False))
    looks = [waiting(), waiting(LINE), said(200, table), said(200, opened), waiting(), waiting(LINE)]
    site, rounds = Site(*looks), iter([False] * 5)
    playing, told = runner(site, every=0)
    playing.run(until=lambda: next(rounds, True) or not site.answers)
    asked = [request.url.params.get("state", request.url.path.rsplit("/", 1)[1]) for request in site.sent]
    assert asked == ["waiting", "running", "7", "dice", "waiting", "running"] and not told


def test_a_runner_joins_with_the_commitment_of_the_line(own_parts):
    site = Site(waiting(LINE | {"invited": True}), said(200, {"id": 7}), asks(None))
    runner(site)[0].look()
    assert kept(own_parts)[0]["commitment"] == LINE["commitment"]


# ——— Compared


def test_what_was_noted_is_found_by_the_record():
    parts = OwnParts()
    mine, other = parts.draw(COMMITMENT), Part(COMMITMENT, "another", "further")
    parts.sit(mine, "there")
    assert parts.noted(record(mine, other)) == ([COMMITMENT], [])
    parts.to_open(dice(mine), "there")
    assert parts.noted(record(other, mine)) == ([COMMITMENT], [ENTRY])
    assert parts.noted(record(mine, commitment="0" * 64)).commitments == [COMMITMENT]  # not what was promised
    assert parts.noted(record(other, commitment="0" * 64)) == ([], [])


def test_a_record_without_one_s_part_is_another():
    parts = OwnParts()
    refused = parts.draw(COMMITMENT)  # and somebody else sat down
    assert parts.noted(record(Part(COMMITMENT, "x", ""))) == ([], [])
    parts.sit(refused, "there")
    for changed in (record(Part(COMMITMENT, "x", "")), record(refused._replace(further="other")), record()):
        with pytest.raises(Other):
            parts.noted(changed)
    parts.leave("elsewhere")
    with pytest.raises(Other):
        parts.noted(record())
    parts.leave("there")
    assert parts.noted(record()) == ([], [])


def test_who_leaves_takes_their_part_along():
    site = Site(PROMISED, said(201, {"id": 7}), said(204))
    site.client.open_table("yay", 2)
    site.client.leave(7)
    assert site.client.parts.noted(record()) == ([], [])


@pytest.mark.parametrize(
    "junk", [None, 1, [], {}, {"nonces": 1}, {"nonces": [1], "seals": []}, {"nonces": [[]], "seals": [{}]}]
)
def test_junk_is_no_record(junk):
    OwnParts().draw(COMMITMENT)
    assert OwnParts().noted(junk) == ([], [])


def test_a_line_that_was_cut_off_spoils_no_other(own_parts):
    one = OwnParts().draw(COMMITMENT)
    with own_parts.open("a") as file:
        file.write('\n{"commitment": "c')
    other = OwnParts().draw(COMMITMENT)
    for junk in ("[]", "1", "null", '{"what": 1}', "\ud800"):
        with own_parts.open("a", errors="surrogatepass") as file:
            file.write(f"\n{junk}")
    for part in (one, other):
        assert OwnParts().to_open(dice(part), "there") == part.further


def test_where_it_is_kept(monkeypatch, tmp_path, own_parts):
    assert OwnParts().path == own_parts
    assert OwnParts(tmp_path / "x").path == tmp_path / "x"
    monkeypatch.delenv("CLUB_Y_DICE")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert OwnParts().path == tmp_path / "club-y/dice.jsonl"
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setattr(os, "environ", {"HOME": "/home/ann"})
    assert OwnParts().path == Path("/home/ann/.local/state/club-y/dice.jsonl")


# ——— At a real server


def token_of(bot) -> str:
    return tokens.issue(user=bot, name="test", scopes=["bot"], ends_at=None)[1]


def two_bots(site, **about) -> list[Client]:
    return [Client(site.url, token_of(bot_of(member(name), f"{name}s")), **about) for name in ("ann", "bob")]


def test_bots_by_the_runner_open_their_parts_and_their_records_are_as_noted(site, own_parts, tmp_path, capsys):
    first, second = two_bots(site)
    table = first.open_table("yay", 2)
    second.join(table["id"])
    promised, _joined = (one["commitment"] for one in kept(own_parts)[::2])
    match = Match.objects.get(pk=table["id"])
    assert match.commitment == promised == table["dice"]["commitment"]
    parts = [Part(**one) for one in kept(own_parts)[1::2]]
    assert [(seat.nonce, seat.seal) for seat in match.seats.order_by("number")] == [
        tuple(part.sent.values()) for part in parts
    ]
    again = [Client(site.url, client.token) for client in (first, second)]  # both programs are begun again
    told: list[str] = []
    while len(fresh(match).openings or ()) < 2:
        for client in again:
            Runner(client, {}, streams=False, told=told.append).look()  # by chance
    assert sorted(one[1:] for one in fresh(match).openings) == [[n, part.further] for n, part in enumerate(parts)]
    assert not [words for words in told if "refused" not in words]
    match = played_on(fresh(match), Random(3))
    path = tmp_path / "record.json"
    path.write_text(json.dumps(first.record(match.pk)))
    [noted] = first.parts.noted(first.record(match.pk)).commitments
    assert main(["verify", str(path), "--commitment", noted]) == 0
    assert main(["verify", str(path)]) == 0
    assert "compared with what was noted" in capsys.readouterr().out
    own_parts.write_text(own_parts.read_text().replace(promised, "0" * 64))
    assert main(["verify", str(path)]) == 1
    assert "not what was noted" in capsys.readouterr().err
    other = kept(own_parts)[-1] | {"entry": "0" * 64, "commitment": promised}
    own_parts.write_text(json.dumps(other))
    assert main(["verify", str(path)]) == 1
    own_parts.write_text(json.dumps(other | {"nonce": "another"}))
    assert main(["verify", str(path)]) == 1
    assert "drawn on this computer" in capsys.readouterr().err
    assert main(["verify", str(path), "--parts", str(tmp_path / "none")]) == 0


def test_where_the_site_seats_them(site, own_parts):
    clients = two_bots(site)
    bots = [one.user for one in tokens.ApiToken.objects.order_by("pk").select_related("user")]
    facts = {"game_slug": "yay", "options": {}, "pace": "3d", "rated": False, "access": "open"}
    match = seating.seat_together(members=bots, **facts)
    for client in clients:
        assert client.open_dice(client.table(match.pk))
        assert not client.open_dice(client.table(match.pk))
    assert [one["further"] for one in kept(own_parts)] == [one[2] for one in fresh(match).openings]
