"""A light HTTP client for the load generator: one kept connection, one request at a time, as a page sends them."""

import asyncio
import re
import zlib

STATUS = re.compile(rb"HTTP/1\.1 (\d+)")
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.I)
GZIP = re.compile(rb"\r\ncontent-encoding: *gzip", re.I)
NO_BODY = (204, 304)


class Connection(asyncio.Protocol):
    """A kept connection to a web server of this machine; opened, and opened again, when something is asked."""

    def __init__(self, port: int, headers: dict[str, str]) -> None:
        self.port = port
        fixed = {"Host": f"127.0.0.1:{port}", "Accept-Encoding": "gzip", **headers}
        self.head = "".join(f"{name}: {value}\r\n" for name, value in fixed.items())
        self.transport: asyncio.Transport | None = None
        self.turn = asyncio.Lock()
        self.answer: asyncio.Future[tuple[int, str, int]] | None = None

    async def ask(self, method: str, path: str, body: str | None = None) -> tuple[int, str, int]:
        """Return status and text of an answer, and how many bytes its body was on the way."""
        sent = (body or "").encode()
        about = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(sent)}\r\n" if sent else ""
        request = f"{method} {path} HTTP/1.1\r\n{self.head}{about}\r\n".encode() + sent
        async with self.turn:
            try:
                return await self._ask(request)
            except ConnectionError:  # a kept one that the server was closing: browsers ask once more
                if self.received:
                    raise
                return await self._ask(request)

    async def _ask(self, request: bytes) -> tuple[int, str, int]:
        if self.transport is None or self.transport.is_closing():
            await asyncio.get_running_loop().create_connection(lambda: self, "127.0.0.1", self.port)
        self.received, self.answer = bytearray(), asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return await self.answer

    def connection_made(self, transport: asyncio.Transport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.received += data
        end = self.received.find(b"\r\n\r\n")
        if end < 0:
            return
        head = bytes(self.received[:end])
        status, length = int(STATUS.match(head)[1]), LENGTH.search(head)
        size = 0 if status in NO_BODY else int(length[1]) if length else None
        if size is None:
            self.answer.set_exception(AssertionError(f"an answer without a length: {head!r}"))
        elif len(self.received) >= end + 4 + size:
            body = bytes(self.received[end + 4 : end + 4 + size])
            self.answer.set_result((status, (zlib.decompress(body, 31) if GZIP.search(head) else body).decode(), size))

    def connection_lost(self, error: Exception | None) -> None:
        self.transport = None
        if self.answer is not None and not self.answer.done():
            self.answer.set_exception(ConnectionError(f"the server closed the connection: {error}"))

    def close(self) -> None:
        if self.transport is not None:
            self.transport.close()
