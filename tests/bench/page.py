"""How heavy the first match page is for a visitor: bytes as sent, all files included, and its time."""

import asyncio
import os
import re
import sys
import time
from contextlib import AsyncExitStack
from urllib.parse import urljoin

import httpx

from tests.bench.server import OTHER_CORE, Server

RUNS = 100
LINKED = re.compile(r"""<(?:link|script|img)[^>]*?(?:href|src)="(/static/[^"]+)\"""")
IN_CSS = re.compile(r"""url\(["']?([^"')]+)""")
IN_SCRIPT = re.compile(r"""import[^"';]*["'](\.[^"']+)""")
BROWSER = {"Accept-Encoding": "gzip, br", "Accept-Language": "en"}


async def sent(client: httpx.AsyncClient, url: str) -> tuple[int, str]:
    """Return how many bytes a file is on the way, and its text."""
    async with client.stream("GET", url, headers=BROWSER) as answer:
        answer.raise_for_status()
        raw = b"".join([chunk async for chunk in answer.aiter_raw()])
    return len(raw), (await client.get(url, headers=BROWSER)).text


async def measure() -> None:
    async with AsyncExitStack() as stack:
        server = Server("sqlite", stack)
        client = await stack.enter_async_context(httpx.AsyncClient(base_url=server.base, follow_redirects=True))
        home = (await client.get("/", headers=BROWSER)).text
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', home)
        fields = {"csrfmiddlewaretoken": token[1] if token else ""}
        match = await client.post("/games/yum-extra/now/", data=fields, headers={"Referer": server.base})
        match.raise_for_status()
        page = str(match.url)
        weights = {page: (await sent(client, page))[0]}
        waiting = LINKED.findall(match.text)
        while waiting:
            url = urljoin(page, waiting.pop())
            if url in weights:
                continue
            weights[url], text = await sent(client, url)
            if url.endswith((".css", ".js")):
                waiting += [
                    urljoin(url, name)
                    for name in IN_CSS.findall(text) + IN_SCRIPT.findall(text)
                    if not name.startswith("data:")
                ]
        for url, weight in sorted(weights.items(), key=lambda item: -item[1]):
            print(f"  {weight / 1024:6.1f} KiB  {url.removeprefix(server.base)}")
        print(f"first match page, compressed, {len(weights)} files: {sum(weights.values()) / 1024:.1f} KiB")
        times = []
        for _ in range(RUNS):
            start = time.perf_counter()
            await client.get(page, headers=BROWSER)
            times.append((time.perf_counter() - start) * 1000)
        times.sort()
        print(f"its answer: p50 {times[RUNS // 2]:.1f} ms, p95 {times[int(RUNS * 0.95)]:.1f} ms ({RUNS} times)")


def main() -> None:
    os.sched_setaffinity(0, {OTHER_CORE})
    asyncio.run(measure())


if __name__ == "__main__":
    sys.exit(main())
