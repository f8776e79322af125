"""How heavy the first match page is for a visitor: bytes as sent, all files included, and its time."""

import asyncio
import re
import sys
import time
from contextlib import AsyncExitStack
from urllib.parse import urljoin

import httpx

from tests.bench.figures import Row, percentile
from tests.bench.play import prepare_load
from tests.bench.server import Server

RUNS = 200
WARM_UPS = 20
LINKED = re.compile(r"""<(?:link|script|img)[^>]*?(?:href|src)="(/static/[^"]+)\"""")
IN_CSS = re.compile(r"""url\(["']?([^"')]+)""")
IN_SCRIPT = re.compile(r"""import[^"';(]*["'](\.[^"']+)""")  # not `import("…")`, which waits until it is needed
BROWSER = {"Accept-Encoding": "gzip, br", "Accept-Language": "en"}


async def sent(client: httpx.AsyncClient, url: str) -> tuple[int, str]:
    """Return how many bytes a file is on the way, and its text."""
    async with client.stream("GET", url, headers=BROWSER) as answer:
        answer.raise_for_status()
        raw = b"".join([chunk async for chunk in answer.aiter_raw()])
    return len(raw), (await client.get(url, headers=BROWSER)).text


async def first_page(client: httpx.AsyncClient) -> tuple[str, str]:
    """Return address and text of the page of a match that a visitor has just begun."""
    home = (await client.get("/", headers=BROWSER)).text
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', home)
    fields = {"csrfmiddlewaretoken": token[1] if token else "", "lesson": "no"}
    match = await client.post("/games/yum-extra/now/", data=fields, headers={"Referer": str(client.base_url)})
    match.raise_for_status()
    return str(match.url), match.text


async def weights_of(client: httpx.AsyncClient, page: str, text: str) -> dict[str, int]:
    """Return the bytes on the way of a page and of all that it needs, by address."""
    weights = {page: (await sent(client, page))[0]}
    waiting = LINKED.findall(text)
    while waiting:
        url = urljoin(page, waiting.pop())
        if url in weights:
            continue
        weights[url], text = await sent(client, url)
        if url.endswith((".css", ".js")):
            names = IN_CSS.findall(text) + IN_SCRIPT.findall(text)
            waiting += [urljoin(url, name) for name in names if not name.startswith("data:")]
    return weights


async def measure() -> tuple[Row, dict[str, int]]:
    """Return the figures of the page on a fresh site, and the weight of each file."""
    async with AsyncExitStack() as stack:
        server = Server("sqlite", stack)
        client = await stack.enter_async_context(httpx.AsyncClient(base_url=server.base, follow_redirects=True))
        page, text = await first_page(client)
        weights, times = await weights_of(client, page, text), []
        before = 0.0
        for number in range(WARM_UPS + RUNS):
            before = server.spent()["web"] if number == WARM_UPS else before
            start = time.perf_counter()
            await client.get(page, headers=BROWSER)
            times.append((time.perf_counter() - start) * 1000)
        ordered = sorted(times[WARM_UPS:])
        row = {
            "KiB": sum(weights.values()) / 1024,
            "ms of processor": 1000 * (server.spent()["web"] - before) / RUNS,
            "ms p50": percentile(ordered, 0.5),
            "ms p95": percentile(ordered, 0.95),
        }
        return {name: round(value, 2) for name, value in row.items()}, weights


def main() -> None:
    prepare_load()
    row, weights = asyncio.run(measure())
    for url, weight in sorted(weights.items(), key=lambda item: -item[1]):
        print(f"  {weight / 1024:6.1f} KiB  {url.partition('//')[2].partition('/')[2]}")
    print(f"first match page, compressed, {len(weights)} files: {row['KiB']:.1f} KiB")
    print(f"its answer: {row['ms of processor']:.1f} ms of the web server's processor,", end=" ")
    print(f"p50 {row['ms p50']:.1f} ms, p95 {row['ms p95']:.1f} ms ({RUNS} times)")


if __name__ == "__main__":
    sys.exit(main())
