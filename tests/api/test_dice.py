"""One's part of the dice by a program: promised before it is drawn, sealed, opened; refused as on pages."""

import json
from hashlib import sha256
from random import Random

import pytest

from accounts.models import User
from config.lib import clock as site_clock
from games.engine import LINKS, link, mix_sealed, verify
from games.models import Match
from games.moderation.models import Sanction
from games.record import public_record
from games.rules import get_game
from games.services.lobby import challenges, promises, seating
from games.services.lobby.promises import LASTS
from games.services.play import moves
from tests.api.calling import Program, problem
from tests.api.fitting import fits
from tests.factories import asked, bot_of, browser_of, end, fresh, guest, opened, played_on, seat, seated, seats_of
from tests.factories import random_move as any_move

pytestmark = pytest.mark.django_db
FURTHER = {"ann": "anns-further", "bob": "bobs-further"}


def seal(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def part(name: str) -> dict[str, str]:
    return {"nonce": f"{name}s", "seal": seal(FURTHER[name])}


def promised(program: Program) -> dict:
    answer = program.get("/dice/promise")
    fits("get", "/api/v1/dice/promise", answer)
    assert answer["Cache-Control"] == "no-store"
    return answer.json()


def running(ann: User, bob: User) -> tuple[Program, Program, int]:
    """Ann and Bob by their programs at a match at which both have sealed a number."""
    first, second = Program(ann), Program(bob)
    made = promised(first)
    table = first.post("/tables", {"game": "yay", "size": 2, "promise": made["promise"], **part("ann")}).json()
    assert table["dice"]["commitment"] == made["commitment"]
    assert second.post(f"/matches/{table['id']}/join", part("bob")).status_code == 200
    return first, second, table["id"]


# ——— What is promised


def test_a_promise_writes_nothing_and_each_is_another(ann) -> None:
    program = Program(ann, ["play"])
    one, other = promised(program), promised(program)
    assert not Match.objects.exists()
    assert one["commitment"] != other["commitment"] and one["promise"] != other["promise"]
    assert abs(one["until"] - site_clock.now_ms() - LASTS * 1000) < 5000


def test_who_gets_a_promise(ann) -> None:
    problem(Program(ann, ["read"]).get("/dice/promise"), 403, "scope_missing")
    problem(Program().get("/dice/promise"), 401, "token_missing")
    assert Program(bot_of(ann), ["bot"]).get("/dice/promise").status_code == 200


@pytest.mark.parametrize("door", ["new", "bots", "quick", "lesson", "rematch", "challenge"])
def test_every_door_to_a_new_table_keeps_the_promise(door, ann, bob) -> None:
    program = Program(ann)
    made = promised(program)
    sent = {"promise": made["promise"], **part("ann")}
    address, about = {
        "new": ("/tables", {"game": "yum-extra", "size": 3}),
        "bots": ("/tables", {"game": "yum-extra", "size": 2, "bots": ["easy"]}),
        "quick": ("/games/yay/start", {}),
        "lesson": ("/games/yay/start", {"lesson": True}),
        "rematch": ("", {}),
        "challenge": ("", {}),
    }[door]
    if door == "rematch":
        address = f"/matches/{end(seated(ann, bob), [1, 2]).pk}/rematch"
    elif door == "challenge":
        facts = {"game_slug": "yum-extra", "size": 2, "pace": "3d", "most": 1, "rated": False, "options": {}}
        address = f"/lobby/challenges/{challenges.offer(member=bob, **facts).pk}/accept"
    answer = program.post(address, about | sent)
    assert answer.status_code in (200, 201), answer.content
    match, table = Match.objects.latest("pk"), answer.json()
    assert match.commitment == made["commitment"] == table["dice"]["commitment"]
    mine = seats_of(match)[1 if door == "challenge" else 0]
    assert (mine.user, mine.nonce, mine.seal) == (ann, "anns", seal(FURTHER["ann"]))


def test_the_seed_follows_from_what_both_sent(ann, bob) -> None:
    _first, _second, number = running(ann, bob)
    match = Match.objects.get(pk=number)
    server, seals = link(bytes(match.chain_root), 0), [seal(FURTHER[name]) for name in ("ann", "bob")]
    assert match.seed_now(seats_of(match)) == mix_sealed(server, ["anns", "bobs"], seals, [])


@pytest.mark.parametrize("token", ["", "x", "0" * 32 + ":99999999999:forged", "é" * 100, "\u2603"])
def test_what_nobody_promised_is_no_promise(ann, token) -> None:
    answer = Program(ann).post("/tables", {"game": "yay", "size": 2, "promise": token})
    assert answer.status_code == 201
    assert Match.objects.get().promise is None


def test_a_promise_that_is_old_or_used_is_none(ann, clock) -> None:
    program = Program(ann)
    used, old = promised(program), promised(program)
    tables = [program.post("/tables", {"game": "yay", "size": 2, "promise": used["promise"]}).json() for _ in "ab"]
    assert [table["dice"]["commitment"] == used["commitment"] for table in tables] == [True, False]
    clock.forward(LASTS + 1)
    table = program.post("/tables", {"game": "yay", "size": 2, "promise": old["promise"]}).json()
    assert table["dice"]["commitment"] != old["commitment"]


@pytest.mark.parametrize("field", ["nonce", "seal", "promise"])
@pytest.mark.parametrize("junk", ["a b", "A" * 65, "0" * 201, 1, None, "\0"])
def test_what_cannot_be_a_part_is_refused(ann, bob, field, junk) -> None:
    if field == "promise" and junk in ("a b", "A" * 65):
        return  # any text may be one
    program, table = Program(ann), opened(bob)
    for address, about in (("/tables", {"game": "yay", "size": 2}), (f"/matches/{table.pk}/join", {})):
        answer = program.post(address, {**about, field: junk})
        problem(answer, *((400, "bad_json") if junk == "\0" else (422, "invalid_request")))
    assert Match.objects.count() == 1


def test_a_table_says_its_commitment_before_one_sits_down(ann, bob) -> None:
    program = Program(bob)
    by_link = opened(ann, access="link")
    asking, free = opened(ann, invited=[bob]), opened(ann, size=2)
    answer = program.get("/lobby")
    fits("get", "/api/v1/lobby", answer)
    assert {free.pk: free.commitment}.items() <= {
        one["id"]: one["commitment"] for one in answer.json()["items"]
    }.items()
    [line] = [one for one in program.get("/matches?state=waiting").json()["items"] if one["id"] == asking.pk]
    assert line["commitment"] == asking.commitment
    for address, match in ((f"/links/{by_link.token}", by_link), (f"/matches/{free.pk}", free)):
        dice = program.get(address).json()["dice"]
        nothing = {"entry": "", "nonce": "", "seal": "", "opens": False, "opened": False}
        assert dice == {"commitment": match.commitment, **nothing}


def test_the_rematch_of_another_says_its_commitment(ann, bob) -> None:
    old = end(seated(ann, bob), [1, 2])
    first, second = Program(ann), Program(bob)
    made = first.post(f"/matches/{old.pk}/rematch", part("ann")).json()
    number = second.get(f"/matches/{old.pk}").json()["rematch"]
    assert second.get(f"/matches/{number}").json()["dice"]["commitment"] == made["dice"]["commitment"]
    assert second.post(f"/matches/{old.pk}/rematch", part("bob")).json()["id"] == number
    assert seat(Match.objects.get(pk=number), 1).seal == seal(FURTHER["bob"])


# ——— What is opened


def test_a_seal_is_opened_once_and_all_later_draws_follow_from_it(ann, bob) -> None:
    first, second, number = running(ann, bob)
    before = first.get(f"/matches/{number}")
    assert before.json()["dice"] | {"commitment": "", "entry": ""} == {
        "commitment": "",
        "entry": "",
        "opens": True,
        "opened": False,
        **part("ann"),
    }
    assert len(before.json()["dice"]["entry"]) == 64
    answer = first.post(f"/matches/{number}/dice", {"nonce": FURTHER["ann"]})
    fits("post", "/api/v1/matches/{match_id}/dice", answer)
    assert answer.status_code == 200, answer.content
    assert (answer.json()["dice"]["opens"], answer.json()["dice"]["opened"]) == (False, True)
    assert first.get(f"/matches/{number}", **{"If-None-Match": before["ETag"]}).status_code == 200
    assert first.post(f"/matches/{number}/dice", {"nonce": FURTHER["ann"]}).status_code == 200  # twice is harmless
    problem(first.post(f"/matches/{number}/dice", {"nonce": "another"}), 409, "nonce_not_taken")
    assert fresh(Match(pk=number)).openings == [[0, 0, FURTHER["ann"]]]
    assert second.post(f"/matches/{number}/dice", {"nonce": FURTHER["bob"]}).status_code == 200
    match = played_on(fresh(Match(pk=number)), Random(4))
    record = public_record(match, seats_of(match))
    assert [one["nonce"] for one in record["openings"]] == [FURTHER["ann"], FURTHER["bob"]]
    assert verify(record, get_game).sound


def test_what_is_no_seal_of_one_s_own_is_refused(ann, bob) -> None:
    first, _second, number = running(ann, bob)
    for nonce in (FURTHER["bob"], "another"):
        problem(first.post(f"/matches/{number}/dice", {"nonce": nonce}), 409, "nonce_not_taken")
    for sent in ({}, {"nonce": ""}, {"nonce": "a b"}, {"nonce": "x" * 65}, {"nonce": None}, {"nonce": "x", "seat": 0}):
        problem(first.post(f"/matches/{number}/dice", sent), 422, "invalid_request")
    assert fresh(Match(pk=number)).openings is None


def test_not_after_one_s_first_move(ann, bob) -> None:
    first, second, number = running(ann, bob)
    match = fresh(Match(pk=number))
    mover = asked(match)
    program, name = (first, "ann") if mover.user == ann else (second, "bob")
    told = program.get(f"/matches/{number}/prompt").json()
    move = {"ask": told["ask"], "key": "a", "move": any_move(match, mover.number, Random(2))}
    table = program.post(f"/matches/{number}/moves", move).json()
    assert not table["dice"]["opens"]
    problem(program.post(f"/matches/{number}/dice", {"nonce": FURTHER[name]}), 409, "nonce_not_taken")


def test_not_by_others(ann, bob, cem) -> None:
    _first, _second, number = running(ann, bob)
    watcher, body = Program(cem), {"nonce": FURTHER["ann"]}
    assert watcher.get(f"/matches/{number}").json()["dice"]["opens"] is False
    problem(watcher.post(f"/matches/{number}/dice", body), 403, "not_your_seat")
    problem(Program(ann, ["read"]).post(f"/matches/{number}/dice", body), 403, "scope_missing")
    problem(Program().post(f"/matches/{number}/dice", body), 401, "token_missing")
    Match.objects.filter(pk=number).update(access="invitation")
    problem(watcher.post(f"/matches/{number}/dice", body), 404, "not_found")
    problem(watcher.post("/matches/999999/dice", body), 404, "not_found")
    assert fresh(Match(pk=number)).openings is None


def test_a_guest_opens_nothing_of_others(ann, bob) -> None:
    """Guests make no tokens; one that had one all the same would be a stranger like others."""
    _first, _second, number = running(ann, bob)
    problem(Program(guest()).post(f"/matches/{number}/dice", {"nonce": FURTHER["ann"]}), 403, "not_your_seat")


def test_not_before_the_start_and_not_after_the_end(ann, bob) -> None:
    program = Program(ann)
    table = program.post("/tables", {"game": "yay", "size": 2, **part("ann")}).json()
    problem(program.post(f"/matches/{table['id']}/dice", {"nonce": FURTHER["ann"]}), 409, "nonce_not_taken")
    first, second, number = running(ann, bob)
    assert first.post(f"/matches/{number}/resign").status_code == 200
    problem(second.post(f"/matches/{number}/dice", {"nonce": FURTHER["bob"]}), 409, "nonce_not_taken")
    assert not second.get(f"/matches/{number}").json()["dice"]["opens"]


def test_where_the_site_seats_everybody_each_may_add_one(ann, bob) -> None:
    facts = {"game_slug": "yum-extra", "options": {}, "pace": "3d", "rated": False, "access": "open"}
    match = seating.seat_together(members=[ann, bob], **facts)
    program = Program(ann)
    dice = program.get(f"/matches/{match.pk}").json()["dice"]
    assert (dice["nonce"], dice["seal"], dice["opens"]) == ("", "", True)
    assert program.post(f"/matches/{match.pk}/dice", {"nonce": "late"}).json()["dice"]["opened"]
    mixed = seated(ann, bob)
    mixed.seats.filter(number=1).update(seal=seal("b"))
    assert not program.get(f"/matches/{mixed.pk}").json()["dice"]["opens"]
    problem(program.post(f"/matches/{mixed.pk}/dice", {"nonce": "late"}), 409, "nonce_not_taken")


def test_against_bots_of_the_site_there_is_nothing_to_open(ann) -> None:
    """As on the page: one's own number came last, and nobody else has one."""
    program = Program(ann)
    table = program.post("/games/yay/start", {"promise": promised(program)["promise"], **part("ann")}).json()
    assert (table["status"], table["dice"]["opens"], table["dice"]["nonce"]) == ("running", False, "anns")


def test_the_former_format_has_no_seals(ann, bob) -> None:
    first, _second, number = running(ann, bob)
    Match.objects.filter(pk=number).update(chain_root=None)
    dice = first.get(f"/matches/{number}").json()["dice"]
    assert (dice["entry"], dice["nonce"], dice["seal"], dice["opens"]) == ("", "", "", False)
    problem(first.post(f"/matches/{number}/dice", {"nonce": FURTHER["ann"]}), 409, "nonce_not_taken")


@pytest.mark.parametrize("by", ["page", "program"])
def test_who_is_suspended_plays_on_and_so_opens_their_part(ann, bob, by) -> None:
    first, _second, number = running(ann, bob)
    Sanction.objects.create(member=ann, kind=Sanction.Kind.SUSPENSION, reason="x")
    if by == "page":
        assert browser_of(ann).post(f"/matches/{number}/dice/", {"nonce": FURTHER["ann"]}).status_code == 302
    else:
        assert first.post(f"/matches/{number}/dice", {"nonce": FURTHER["ann"]}).status_code == 200
    assert fresh(Match(pk=number)).openings == [[0, 0, FURTHER["ann"]]]


def test_a_bot_opens_its_own(ann, bob) -> None:
    bot = bot_of(ann)
    program, other = Program(bot, ["bot"]), Program(bob)
    number = program.post("/tables", {"game": "yay", "size": 2, **part("ann")}).json()["id"]
    other.post(f"/matches/{number}/join", part("bob"))
    assert program.post(f"/matches/{number}/dice", {"nonce": FURTHER["ann"]}).json()["dice"]["opened"]


def test_secrets_of_a_running_match_are_told_to_nobody_else(ann, bob, cem) -> None:
    first, _second, number = running(ann, bob)
    first.post(f"/matches/{number}/dice", {"nonce": FURTHER["ann"]})
    match = fresh(Match(pk=number))
    root = bytes(match.chain_root)
    hidden = [root.hex(), match.promise, FURTHER["ann"], *(link(root, one).hex() for one in range(LINKS))]
    addresses = ["", "/log", "/replay?step=0", "/prompt"]
    for person in (ann, bob, cem):
        program = Program(person)
        shown = "".join(program.get(f"/matches/{number}{address}").content.decode() for address in addresses)
        assert [one for one in hidden if one in shown] == []
        for name, owner in (("ann", ann), ("bob", bob)):
            own = [f'"{name}s"' in shown, seal(FURTHER[name]) in shown]
            assert own == [person == owner] * 2
        assert match.commitment in shown and match.entry(seats_of(match)) in shown


def test_a_tag_tells_nobody_that_another_opened(ann, bob) -> None:
    first, second, number = running(ann, bob)
    before = second.get(f"/matches/{number}")["ETag"]
    first.post(f"/matches/{number}/dice", {"nonce": FURTHER["ann"]})
    assert second.get(f"/matches/{number}", **{"If-None-Match": before}).status_code == 304


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_a_promise_and_an_opening_by_programs(ann, bob) -> None:
    """What is stored and compared is of the database's own kinds."""
    first, _second, number = running(ann, bob)
    for _time in range(2):
        answer = first.post(f"/matches/{number}/dice", {"nonce": FURTHER["ann"]}, **{"Idempotency-Key": "one"})
        assert answer.status_code == 200
    moves.resign(match_id=number, user=bob)
    record = first.get(f"/matches/{number}/record").json()["record"]
    assert record["openings"] == [{"after": 0, "seat": 0, "nonce": FURTHER["ann"]}]
    assert record["seals"] == [seal(FURTHER["ann"]), seal(FURTHER["bob"])]
    assert json.dumps(record["nonces"]) == '["anns", "bobs"]' and promises.LASTS > 0
