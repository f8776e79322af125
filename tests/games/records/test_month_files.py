"""The page of published records, and its files as they are served."""

import pytest

from games.models import RecordMonth
from games.services.records import making
from tests.factories import browser_of
from tests.games.records.arranged import ended, last_month, make, whole

# The page and the file


@pytest.fixture
def month(ann, bob, months):
    ended(ann, bob, at=last_month())
    make()
    return RecordMonth.objects.get()


def test_the_page_lists_the_month(month):
    text = browser_of().get("/records/").content.decode()
    assert month.digest in text and f"/records/{month}.jsonl.zst" in text
    assert "CC0" in text


def test_the_file_is_served_as_it_is(month):
    body = making.path_of(month).read_bytes()
    answer = browser_of().get(f"/records/{month}.jsonl.zst", headers={"accept-encoding": "gzip"})
    assert whole(answer) == body
    assert answer["Content-Type"] == "application/zstd" and "Content-Encoding" not in answer
    assert answer["Content-Length"] == str(len(body)) and answer["ETag"] == f'"{month.digest}"'
    assert not answer.cookies and "public" in answer["Cache-Control"]
    head = browser_of().head(f"/records/{month}.jsonl.zst")
    assert head["Content-Length"] == str(len(body)) and list(head.streaming_content) == []


@pytest.mark.parametrize(
    ("asked", "part"),
    [
        ("bytes=0-0", slice(0, 1)),
        ("bytes=5-9", slice(5, 10)),
        ("bytes=5-", slice(5, None)),
        ("bytes=-7", slice(-7, None)),
        ("bytes=0-99999999999999", slice(0, None)),
    ],
)
def test_a_range_is_served(month, asked, part):
    body = making.path_of(month).read_bytes()
    answer = browser_of().get(f"/records/{month}.jsonl.zst", headers={"range": asked})
    assert answer.status_code == 206
    assert whole(answer) == body[part]
    assert answer["Content-Length"] == str(len(body[part]))
    assert answer["Content-Range"].endswith(f"/{len(body)}")


@pytest.mark.parametrize("asked", ["bytes=0-1,3-4", "lines=1-2", "bytes=-", "bytes=a-b", "bytes=" + "9" * 40 + "-"])
def test_other_ranges_are_passed_over(month, asked):
    answer = browser_of().get(f"/records/{month}.jsonl.zst", headers={"range": asked})
    assert (answer.status_code, whole(answer)) == (200, making.path_of(month).read_bytes())


@pytest.mark.parametrize("asked", ["bytes=99999999-", "bytes=9-5", "bytes=-0"])
def test_a_range_beyond_the_end_is_refused(month, asked):
    answer = browser_of().get(f"/records/{month}.jsonl.zst", headers={"range": asked})
    assert answer.status_code == 416


def test_what_one_has_is_not_sent_again(month):
    address = f"/records/{month}.jsonl.zst"
    assert browser_of().get(address, headers={"if-none-match": f'"{month.digest}"'}).status_code == 304
    other = browser_of().get(address, headers={"range": "bytes=0-3", "if-range": '"other"'})
    assert other.status_code == 200  # all of the new one


@pytest.mark.parametrize(
    "name",
    [
        "../secret_key",
        "..%2fsecret_key",
        "%2e%2e/lock",
        "lock",
        "2026-13",
        "0000-00",
        "2026-1",
        "２０２６-１０",
        "a\0b",
    ],
)
def test_no_other_file_is_served(month, months, name):
    (months.parent / "secret_key.jsonl.zst").write_text("secret")
    answer = browser_of().get(f"/records/{name}.jsonl.zst")
    assert answer.status_code in (400, 404)


def test_a_file_without_its_row_is_not_served(month):
    RecordMonth.objects.update(digest="")
    assert browser_of().get(f"/records/{month}.jsonl.zst").status_code == 404


def test_a_row_without_its_file_is_not_found(month):
    making.path_of(month).unlink()
    assert browser_of().get(f"/records/{month}.jsonl.zst").status_code == 404
