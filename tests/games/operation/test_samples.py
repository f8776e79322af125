"""Samples each ten minutes, kept eight days, and the curves of a week on the operation page."""

import re
from datetime import timedelta

import pytest
from django.utils import translation

from accounts.models import User
from config.lib import clock as site_clock
from config.lib import metrics as counts
from config.lib import redis
from games.models import Mail, Sample
from games.services.operation import metrics, samples
from tests.clocks import Clock
from tests.factories import browser_of, seated
from tests.games.operation.pages import PAGE
from tests.processes import Process


@pytest.fixture(autouse=True)
def from_nothing() -> None:
    counts._counts.clear()
    redis.client(redis.address(redis.CACHE)).delete(counts.KEY)


def keep() -> dict[str, float]:
    """Keep a sample of the present; return what it holds."""
    metrics._rows.looked_at = -metrics.FRESH_SECONDS
    samples.keep()
    return Sample.objects.latest("at").values


def curve(name: str) -> samples.Curve:
    [found] = [one for one in samples.curves() if one.label == samples.LINES[name].label]
    return found


@pytest.mark.outgrown
def test_a_sample_holds_the_figures(ann: User, bob: User) -> None:
    seated(ann, bob)
    Mail.objects.create(user=ann, kind="turn")
    counts.count("club_moves", "yay", "person", number=3)
    counts.count("club_moves", "yay", "bot")
    values = keep()
    assert set(values) >= set(samples.LINES) - {"beat"}
    assert (values["moves"], values["running"], values["waiting"], values["due"]) == (4, 1, 1, 0)
    assert not re.search("ann|bob", str(values))


@pytest.mark.outgrown
def test_they_are_kept_eight_days(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "BATCH", 3)
    now = site_clock.now()
    Sample.objects.bulk_create(Sample(at=now - timedelta(hours=hour), values={}) for hour in range(180, 200))
    samples.forget_old()
    assert Sample.objects.count() == 12
    assert Sample.objects.filter(at__lt=now - samples.KEPT).count() == 0


def test_a_count_is_shown_by_what_came_since(db: None, clock: Clock) -> None:
    for number in (5, 2, 0, 7):
        counts.count("club_moves", "yay", "person", number=number)
        keep()
        clock.forward(600)
    assert (curve("moves").last, curve("moves").least, curve("moves").most) == (7, 0, 7)
    redis.client(redis.address(redis.CACHE)).delete(counts.KEY)  # Redis began anew
    counts.count("club_moves", "yay", "person", number=4)
    keep()
    assert curve("moves").last == 4


def test_a_curve_is_broken_where_nothing_was_seen(db: None, clock: Clock) -> None:
    now = site_clock.now()
    for hour, running in ((169, 9), (100, 1), (99.9, 2), (50, 4)):
        Sample.objects.create(at=now - timedelta(hours=hour), values={"running": running})
    assert (curve("running").last, curve("running").least, curve("running").most) == (4, 1, 4)
    first, second = curve("running").pieces
    assert len(first.split()) == 2 and len(second.split()) == 1
    for point in " ".join((first, second)).split():
        x, y = map(float, point.split(","))
        assert 0 <= x <= samples.WIDTH and 0 <= y <= samples.HEIGHT


def test_without_redis_what_is_counted_is_left_out(db: None, redis: Process) -> None:
    redis.kill()
    values = keep()
    redis.start()
    assert "running" in values and not {"moves", "queue", "redis"} & set(values)


def test_the_page_draws_them_in_words_too(root: User, clock: Clock) -> None:
    assert "Nothing yet: the worker keeps the figures" in browser_of(root).get(PAGE).content.decode()
    for number in (3, 1500):
        counts.count("club_moves", "yay", "person", number=number)
        keep()
        clock.forward(600)
    page = browser_of(root).get(PAGE).content.decode()
    assert "last 1,500, least 1,500, most 1,500" in page
    assert page.count("<polyline") >= 8
    assert not re.search(r"<svg(?![^>]*aria-)", page[page.index('class="curves"') :].split("</section>")[0])
    with translation.override("fr"):
        User.objects.filter(pk=root.pk).update(language="fr")
        assert "Coups en dix minutes" in browser_of(root).get(PAGE).content.decode()


def test_the_page_asks_the_database_once_for_all_curves(
    root: User, clock: Clock, django_assert_num_queries: object
) -> None:
    now = site_clock.now()
    rows = (Sample(at=now - timedelta(minutes=10 * n), values=dict.fromkeys(samples.LINES, n)) for n in range(1000))
    Sample.objects.bulk_create(rows)
    with django_assert_num_queries(1):
        assert len(samples.curves()) == len(samples.LINES)
