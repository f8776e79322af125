"""The monthly files of public records: what is in them, whose name, and what a lost or doubled task leaves."""

import hashlib
import json
import os
from datetime import UTC, date, timedelta
from pathlib import Path
from random import Random

import pytest

from accounts.services.closing import close_account
from accounts.services.membership import change_times
from games.engine import verify
from games.models import Match, RecordMonth
from games.moderation import matches as moderated
from games.rules import get_game
from games.services.lobby import lessons
from games.services.records import making, staleness
from tests.factories import browser_of, fresh, guest, moderator, played_on, seated
from tests.games.records.arranged import DAY, ended, last_month, lines, make

pytestmark = pytest.mark.outgrown


def test_a_month_that_is_not_over_is_not_published(ann, bob, months):
    ended(ann, bob)
    make()
    assert not RecordMonth.objects.exists()
    assert b"No month is published yet" in browser_of().get("/records/").content


def test_what_is_not_public_is_never_in_it(ann, bob, months):
    at = last_month()
    public = ended(ann, bob, at=at)
    for access in ("invitation", "link"):
        ended(ann, bob, at=at, access=access, invited=[bob])
    Match.objects.filter(pk=ended(ann, bob, at=at).pk).update(access="club")
    Match.objects.filter(pk=lessons.start_lesson(user=ann, game_slug="yum-extra", pace="14d").pk).update(
        status="ended", ended_at=at, access="open"
    )
    Match.objects.filter(pk=seated(ann, bob).pk).update(started_at=at)  # still runs
    make()
    [line] = lines()
    assert line["record"]["match"].endswith(f"/matches/{public.pk}/")
    assert RecordMonth.objects.get().matches == 1


def test_a_match_made_private_meanwhile_is_not_in_it(ann, bob, months, monkeypatch):
    at = last_month()
    first, second = ended(ann, bob, at=at), ended(ann, bob, at=at + timedelta(hours=1), seed=2)
    line = making._line

    def meanwhile(month, match_id):
        Match.objects.filter(pk=second.pk).update(access="invitation")
        return line(month, match_id)

    monkeypatch.setattr(making, "_line", meanwhile)
    make()
    [line] = lines()
    assert f"/matches/{first.pk}/" in line["record"]["match"]


def test_a_line_tells_the_record_and_who_played(ann, bob, months):
    match = ended(ann, bob, at=last_month(), bots=["easy"])
    make()
    [line] = lines()
    assert [player.get("name") or player.get("bot") for player in line["players"]] == ["ann", "bob", "easy"]
    assert verify(line["record"], get_game).sound
    assert line["players"][0]["score"] == match.seats.get(number=0).score
    assert (line["voided"], line["rated"], line["ending"]) == (False, False, "played")


def test_a_voided_match_is_marked_and_its_month_made_again(ann, bob, months, clock):
    match = ended(ann, bob, at=last_month())
    make()
    moderated.void(moderator=moderator(), match=match, reason="both were one")
    assert RecordMonth.objects.get().stale_at is not None
    assert make() == 0  # not twice a day
    clock.forward(86_401)
    make()
    [line] = lines()
    assert line["voided"] is True and RecordMonth.objects.get().stale_at is None


def test_a_match_that_goes_on_after_all_leaves_the_month(ann, bob, months, clock):
    match = ended(ann, bob, at=last_month())
    make()
    Match.objects.filter(pk=match.pk).update(status="running", ended_at=None, ending="")
    staleness.match_reopened(fresh(match))
    clock.forward(86_401)
    make()
    month = RecordMonth.objects.get()
    assert (month.digest, month.matches) == ("", 0)
    assert not list(months.glob("*.zst"))


def test_a_pseudonym_holds_within_a_month_alone(ann, bob, months, clock):
    at = last_month()
    before = (at.replace(day=1) - timedelta(days=2)).replace(tzinfo=UTC)
    for moment, seed in ((at, 1), (at + timedelta(hours=1), 2), (before, 3)):
        ended(ann, bob, at=moment, seed=seed)
    change_times(user_id=ann.pk, named_in_records=False)
    make()
    told = {str(month): lines(month) for month in RecordMonth.objects.order_by("month")}
    first, second = told.values()
    names = [line["players"][0]["pseudonym"] for line in (*first, *second)]
    assert len(first) == 1 and len(second) == 2
    assert names[1] == names[2] != names[0]
    assert "ann" not in json.dumps(told)
    assert not any("match" in line["record"] for line in (*first, *second))


def test_a_published_name_goes_when_it_is_asked(ann, bob, months, clock):
    ended(ann, bob, at=last_month())
    make()
    answer = browser_of(ann).post(
        "/settings/", {"language": "en", "time_zone": "UTC", "colours": "system", "named_in_records": "false"}
    )
    assert answer.status_code == 302
    ann.refresh_from_db()
    assert ann.named_in_records is False
    clock.forward(86_401)
    make()
    [line] = lines()
    assert "pseudonym" in line["players"][0] and line["players"][1]["name"] == "bob"
    assert len(list(months.glob("*.zst"))) == 1


def test_settings_without_the_field_change_nothing(ann):
    change_times(user_id=ann.pk, named_in_records=False)
    browser_of(ann).post("/settings/", {"language": "en", "time_zone": "UTC", "colours": "system"})
    ann.refresh_from_db()
    assert ann.named_in_records is False


def test_a_closed_account_is_named_no_more(ann, bob, months, clock):
    ended(ann, bob, at=last_month())
    make()
    close_account(user_id=ann.pk)
    clock.forward(86_401)
    make()
    assert "ann" not in json.dumps(lines())


def test_guests_are_never_named(ann, months):
    gnu = guest()
    match = seated(ann, gnu, access="link")
    Match.objects.filter(pk=match.pk).update(access="open")
    match = played_on(fresh(match), Random(1))
    Match.objects.filter(pk=match.pk).update(ended_at=last_month())
    make()
    assert gnu.username not in json.dumps(lines())


def test_a_month_in_steps_with_a_crash_between_is_whole(ann, bob, months, monkeypatch):
    monkeypatch.setattr(making, "AT_ONCE", 1)
    at = last_month()
    for number in range(3):
        ended(ann, bob, at=at + timedelta(minutes=number), seed=number)
    months.mkdir()
    making._plan()
    making._step()
    making._step()
    month = RecordMonth.objects.get()
    with open(making._part(month), "ab") as file:
        file.write(b"half a frame")  # of a step that died before its row
    make()
    assert len(lines()) == 3
    month.refresh_from_db()
    assert month.matches == 3 and month.part == ""
    assert hashlib.sha256(making.path_of(month).read_bytes()).hexdigest() == month.digest
    assert [path.suffix for path in months.glob("2*")] == [".zst"]


def test_a_part_that_is_gone_is_begun_again(ann, bob, months):
    ended(ann, bob, at=last_month())
    months.mkdir()
    making._plan()
    making._step()
    making._step()
    making._part(RecordMonth.objects.get()).unlink()
    make()
    assert len(lines()) == 1


def test_two_at_once_do_it_once(ann, bob, months):
    ended(ann, bob, at=last_month())
    with making._locked() as mine:
        assert mine and make() == 0
    assert make() > 0


def test_a_late_step_of_another_changes_nothing(ann, bob, months):
    ended(ann, bob, at=last_month())
    months.mkdir()
    making._plan()
    making._step()
    late = RecordMonth.objects.get()
    assert making._add(late, making._following(late))
    assert not making._add(late, making._following(late))
    make()
    assert len(lines()) == 1


def test_a_file_that_is_gone_is_made_again(ann, bob, months):
    ended(ann, bob, at=last_month())
    make()
    making.path_of(RecordMonth.objects.get()).unlink()
    make()
    assert len(lines()) == 1


def test_the_files_are_their_owners_alone(ann, bob, months):
    ended(ann, bob, at=last_month())
    before = os.umask(0o077)
    try:
        make()
    finally:
        os.umask(before)
    assert all(path.stat().st_mode & 0o077 == 0 for path in (months, *months.iterdir()))


def test_a_month_without_public_matches_has_no_file(ann, bob, months):
    at = last_month()
    ended(ann, bob, at=(at.replace(day=1) - timedelta(days=40)))
    make()
    assert RecordMonth.objects.count() >= 2
    assert RecordMonth.objects.exclude(digest="").count() == 1


def test_an_unreadable_match_is_left_out(ann, bob, months):
    at = last_month()
    broken, whole_one = ended(ann, bob, at=at), ended(ann, bob, at=at, seed=2)
    Match.objects.filter(pk=broken.pk).update(rules_version=99)
    make()
    [line] = lines()
    assert f"/{whole_one.pk}/" in line["record"]["match"]


def test_only_the_months_of_ones_own_matches_are_made_again(ann, bob, cem, months):
    at = last_month()
    ended(ann, bob, at=at)
    ended(bob, cem, at=at.replace(day=1) - DAY)
    make()
    change_times(user_id=ann.pk, named_in_records=False)
    stale = RecordMonth.objects.filter(stale_at__isnull=False)
    assert [row.month for row in stale] == [date(at.year, at.month, 1)]
    assert Path(making.path_of(stale.get())).is_file()
