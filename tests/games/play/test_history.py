"""What a page knows of a match's history, by which it learns that the site was restored from an earlier copy."""

from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async

from games.models import Match
from tests.factories import asked, browser_of, fresh, seated, submit
from tests.games.play.test_consumer import hears, opened_page, page, people, running


@pytest.mark.django_db(transaction=True)
async def test_the_greeting_tells_another_history_of_the_same_version():
    """As after a restore from an earlier copy, and as many moves since."""
    ann, bob = await people("ann", "bob")
    match = await running(ann, bob)
    moved = sync_to_async(Match.objects.filter(pk=match.pk).update)
    await moved(moved_at=match.moved_at + timedelta(seconds=1))
    async with page(f"match={match.pk}") as socket:
        await opened_page(socket)
        said = await hears(socket)
        assert said["version"] == match.version
        assert said["history"].startswith(f"{match.version}:")
        assert said["history"] != match.history


def test_the_same_version_with_another_history_is_shown_anew(ann, bob):
    match = seated(ann, bob)
    submit(match, asked(match), {"type": "roll"})
    match, browser = fresh(match), browser_of(ann)
    same = f"/matches/{match.pk}/table/?have={match.version}&history={match.history}"
    assert browser.get(same).status_code == 204
    Match.objects.filter(pk=match.pk).update(moved_at=match.moved_at + timedelta(seconds=1))
    answer = browser.get(same)
    assert answer.status_code == 200
    assert f'data-history="{fresh(match).history}"' in answer.content.decode()


def test_a_watchers_table_is_not_that_of_another_history(ann, bob):
    match = seated(ann, bob)
    submit(match, asked(match), {"type": "roll"})
    before = browser_of(None).get(f"/matches/{match.pk}/table/").content
    match = fresh(match)
    Match.objects.filter(pk=match.pk).update(moved_at=match.moved_at + timedelta(seconds=1))
    assert browser_of(None).get(f"/matches/{match.pk}/table/").content != before


def test_the_mark_hangs_on_the_sites_key(ann, bob, settings):
    match = seated(ann, bob)
    before = match.history
    settings.SECRET_KEY = "another"
    assert fresh(match).history != before
