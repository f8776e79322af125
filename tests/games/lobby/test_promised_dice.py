"""The commitment that a form carries before there is a table, and who has which part of the dice."""

import re
from hashlib import sha256

import pytest
from django.urls import reverse

from games.engine import LINKS, commit, link
from games.models import Match
from games.services.lobby import challenges, lessons, opening, promises, seating
from tests.factories import browser_of, fresh, opened, seat, seats_of, session_of
from tests.games.play.at_once import Tab

PROMISE = re.compile(r'name="promise" value="([^"]+)"')
PROMISED = re.compile(r'name="nonce" data-promised="([0-9a-f]{64})"')
SEAL = sha256(b"further").hexdigest()


def promised(client, address: str) -> tuple[str, str]:
    """The promise of a page's first form, and the commitment that it shows."""
    page = client.get(address).content.decode()
    return PROMISE.search(page)[1], PROMISED.search(page)[1]


def start(client, promise: str, **more):
    data = {"lesson": "no", "nonce": "mine", "seal": SEAL, "promise": promise} | more
    return client.post(reverse("quick-match", args=["yum-extra"]), data)


def test_looking_at_forms_writes_nothing_and_each_form_has_its_own(ann):
    before = Match.objects.count()
    page = browser_of(ann).get("/").content.decode() + browser_of(None).get("/").content.decode()
    assert len(set(PROMISE.findall(page))) == len(PROMISE.findall(page)) > 1
    assert Match.objects.count() == before


def test_the_table_has_the_dice_that_its_form_promised(ann):
    client = browser_of(ann)
    promise, commitment = promised(client, reverse("lesson", args=["yum-extra"]))
    assert start(client, promise).status_code == 302
    match = Match.objects.get()
    assert match.commitment == commitment and match.record_format == "club-y/2"
    assert (seat(match, 0).nonce, seat(match, 0).seal) == ("mine", SEAL)
    assert bytes(match.server_seed) == link(bytes(match.chain_root), 0)
    assert match.entry(seats_of(match)) != ""


@pytest.mark.parametrize("door", ["new", "challenge", "rematch", "lesson"])
def test_every_door_to_a_new_table_keeps_the_promise(door, ann, bob, confirm):
    made = promises.promise()
    part = {"nonce": "mine", "seal": SEAL, "promise": made.token}
    if door == "new":
        data = {"game": "yum-extra", "size": "3", "access": "open", "pace": "3d", "option_scratch": "forced"}
        assert browser_of(ann).post(reverse("new-match"), data | part).status_code == 302
    elif door == "lesson":
        lessons.start_lesson(user=ann, game_slug="yum-extra", pace="14d", **part)
    elif door == "rematch":
        old = opening.create_match(creator=ann, game_slug="yum-extra", size=2, bots=["easy"])
        Match.objects.filter(pk=old.pk).update(status="ended", ended_at=old.created_at, ending="played")
        opening.rematch(match_id=old.pk, user=ann, **part)
    else:
        confirm(ann, bob)
        accept_of(ann, bob, part)
    match = Match.objects.latest("pk")
    assert match.commitment == made.commitment
    mine = seats_of(match)[1 if door == "challenge" else 0]
    assert (mine.nonce, mine.seal) == ("mine", SEAL)


@pytest.fixture
def confirm():
    def confirmed(*people):
        for person in people:
            person.emailaddress_set.update_or_create(
                email=f"{person.username}@example.org", defaults={"verified": True, "primary": True}
            )
            type(person).objects.filter(pk=person.pk).update(email=f"{person.username}@example.org")
            person.refresh_from_db()

    return confirmed


def accept_of(ann, bob, part) -> None:
    facts = {"game_slug": "yum-extra", "size": 2, "pace": "3d", "most": 1, "rated": False, "options": {}}
    made = challenges.offer(member=bob, **facts)
    challenges.accept(challenge_id=made.pk, user=ann, **part)


def test_a_promise_makes_one_table(ann):
    client = browser_of(ann)
    promise, commitment = promised(client, reverse("lesson", args=["yum-extra"]))
    for key in ("first-key", "second-key"):
        assert start(client, promise, key=key).status_code == 302
    one, other = Match.objects.order_by("pk")
    assert one.commitment == commitment != other.commitment
    assert other.promise is None and other.chain_root != one.chain_root


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_of_many_posts_at_once_one_gets_the_dice(ann, site, at_once):
    made = promises.promise()
    data = {"lesson": "no", "nonce": "mine", "promise": made.token}
    posts = [Tab(ann).post("/games/yum-extra/now/", **data, key=f"key-{number}") for number in range(6)]
    assert {answer.status_code for answer in at_once(posts)} == {302}
    commitments = [match.commitment for match in Match.objects.all()]
    assert len(commitments) == 6 == len(set(commitments))
    assert commitments.count(made.commitment) == 1


@pytest.mark.parametrize("token", ["", "x", "0" * 32, "0" * 32 + ":99999999999:forged", "\0", "é" * 300])
def test_what_nobody_promised_is_no_promise(ann, token):
    match = opened(ann, promise=token)
    assert match.promise is None and match.record_format == "club-y/2"


def test_a_promise_that_is_a_day_old_is_none(ann, clock):
    made = promises.promise()
    clock.forward(promises.LASTS + 1)
    assert opened(ann, promise=made.token).commitment != made.commitment


def test_a_promise_is_kept_over_a_restart_and_no_longer_under_another_key(ann, settings):
    made = promises.promise()
    settings.SECRET_KEY = "another"
    assert opened(ann, promise=made.token).commitment != made.commitment


@pytest.mark.parametrize("junk", ["x", "A" * 64, "0" * 63, "0" * 65, "é"])
def test_a_seal_that_is_none_is_not_taken(ann, junk):
    start(browser_of(ann), "", seal=junk)
    assert seat(Match.objects.get(), 0).seal == ""


def test_one_who_leaves_takes_their_part_along(ann, bob):
    match = opened(ann, size=3)
    opening.join(match_id=match.pk, user=bob, nonce="bobs", seal=SEAL)
    assert (seat(match, 1).nonce, seat(match, 1).seal) == ("bobs", SEAL)
    assert browser_of(bob).post(reverse("leave", args=[match.pk])).status_code == 302
    assert (seat(match, 1).nonce, seat(match, 1).seal) == ("", "")


def test_a_table_with_others_shows_its_commitment_before_one_joins(ann, bob):
    match = opened(ann, size=3)
    for address in (reverse("match", args=[match.pk]), "/play/"):
        assert match.commitment in PROMISED.findall(browser_of(bob).get(address).content.decode())


def test_members_who_are_seated_together_have_no_part_yet(ann, bob):
    match = seating.seat_together(
        members=[ann, bob], game_slug="yum-extra", options={}, pace="3d", rated=False, access="open"
    )
    assert [(one.nonce, one.seal) for one in seats_of(match)] == [("", "")] * 2
    assert match.record_format == "club-y/2"


def test_the_secrets_are_on_no_page(ann, bob, cem):
    match = opened(ann, size=2, nonce="anns-own-nonce", seal=SEAL)
    opening.join(match_id=match.pk, user=bob, nonce="bobs-own-nonce", seal=sha256(b"bobs").hexdigest())
    match = fresh(match)
    root = bytes(match.chain_root)
    secrets = [link(root, number).hex() for number in range(LINKS)] + [root.hex(), match.promise or "none at all"]
    for person in (ann, bob, cem, None):
        client = browser_of(person)
        pages = [f"/matches/{match.pk}/", f"/matches/{match.pk}/log/", f"/matches/{match.pk}/table/", "/", "/play/"]
        shown = b"".join(client.get(page).content for page in pages).decode()
        assert [secret for secret in secrets if secret in shown] == []
        assert ("anns-own-nonce" in shown, "bobs-own-nonce" in shown) == (person == ann, person == bob)
        assert commit(link(root, 0)) in shown
        if person:
            assert session_of(person)
