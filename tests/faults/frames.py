"""Generated frames of every kind on the lines of open pages; `odd` is the generator of `test_odd_requests.py`."""

import json
import re
import zlib
from urllib.parse import parse_qs, urlencode

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

from config.server import LARGEST_FRAME

ODD_FIELDS = ["match", "table", "have", "key", "ask", "page", "__proto__", ""]
KINDS = ["", "", "", "private", "club"]  # of matches, as the stage of the permissions has them
FRAMES = 6  # on one line, at most
END = '{"beat": true}'
VALUES_OF_FRAMES = [
    *(True, False, None, 0, 1, -1, 2**70, 1.5, 1e308, float("nan"), float("inf"), "", "x", "1", [], {}, [[[]]]),
    *({"move": {"form": []}}, "9" * 400, "\ud800", "\0", ["form"] * 50),
]
WORDS_OF_FRAMES = ["move", "form", "beat", "here", "talk", "version", "type", "answer", ""]
LINES = {"match": "", "table": "1", "have": "1", "history": "1:x", "lang": "fr", "since": "1", "zip": "1", "lobby": "1"}


def line(odd) -> str:
    """Return the query of a line, mostly of a match."""
    rng = odd.rng
    match = re.search(r"\d+", odd.where("matches/<int:match_id>/", rng.choice(KINDS))[0])[0]
    known = [(name, value or match) for name, value in LINES.items() if name == "match" or rng.random() < 0.7]
    fields = [(name, odd.text()[:500] if rng.random() < 0.1 else value) for name, value in known]
    fields += [(rng.choice(ODD_FIELDS), odd.text()[:500]) for _more in range(rng.choice([0, 0, 0, 1, 3]))]
    return urlencode(fields, errors="replace")


def said(odd) -> list[str | bytes]:
    """Return what is said on one line."""
    return [frame(odd) for _more in range(odd.rng.randint(1, FRAMES))]


def frame(odd) -> str | bytes:
    """Return what a page might say, and what it would not."""
    rng, known = odd.rng, odd.where("matches/<int:match_id>/move/")[1]
    if rng.random() < 0.1:
        return rng.choice([b"", b"\0\xff", b"{}", "", "[" * 3000, "{" * 50, '{"move": 1, "form": ', "x" * 5000])
    forms = [urlencode(known | {"key": str(rng.random())}), urlencode(odd.fields(known), errors="replace"), odd.text()]
    form = rng.choice([*forms, "&" * 1200, "a=%ff%fe&b=%00&=&="])
    said = {"move": rng.randrange(9), "form": form[:3600]}
    said |= {rng.choice(WORDS_OF_FRAMES): rng.choice(VALUES_OF_FRAMES) for _more in range(rng.choice([0, 0, 1, 2]))}
    return json.dumps(said if rng.random() < 0.9 else rng.choice([[said], *VALUES_OF_FRAMES]))


def say(port: int, query: str, frames: list[str | bytes], cookie: str) -> list[int]:
    """Open a line and say these, then a beat; return the statuses of the answers to moves and the code if the line was
    closed, 1 if it was not opened; 0 for a beat that is not answered within 20 seconds.
    """
    found: list[int] = []
    place = {"origin": f"http://localhost:{port}", "additional_headers": {"Cookie": cookie}, "close_timeout": 1}
    try:
        with connect(f"ws://localhost:{port}/ws/?{query}", ping_interval=None, **place) as line:
            for frame in (*frames, END):
                line.send(frame)
            times = 1 + sum(tells_time(frame, parse_qs(query).get("match")) for frame in (*frames, END))
            while times:
                raw = line.recv(timeout=20)
                said = json.loads(raw if isinstance(raw, str) else zlib.decompress(raw, -zlib.MAX_WBITS))
                found += [said["status"]] if "answer" in said else []
                times -= "now" in said
    except ConnectionClosed as closed:
        if isinstance(closed.__cause__, EOFError):  # what came was read after the end, by this client itself
            return say(port, query, frames, cookie)
        is_long = any(len(frame) > LARGEST_FRAME for frame in frames)  # one is let go without a word
        found.append(closed.rcvd.code if closed.rcvd else 1009 if is_long else 1006)
    except InvalidHandshake:
        found.append(1)
    except TimeoutError:
        found.append(0)
    return found


def tells_time(frame: str | bytes, in_match: object) -> bool:
    """Return whether the server's time is the answer to a frame."""
    try:
        said = json.loads(frame)
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict) and (said.get("beat") is True or (not in_match and "here" in said))
