"""What sockets may take of one web server: how many a person or an address has open, how many messages they send."""

import ipaddress
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

from allauth.core.internal.httpkit import clean_client_ip
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

SAVED = 5.0  # seconds' worth of messages that a person may send at once


class Crowd:
    """The open sockets, by whom they are counted for: `{"person:7": 30}` is a person who may have thirty."""

    def __init__(self) -> None:
        self._names: dict[object, list[str]] = {}  # by socket
        self._numbers: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._names)

    def enter(self, socket: object, most: Mapping[str, int]) -> bool:
        """Count a socket for each of these; return False, and count nothing, when one has as many as it may."""
        if any(self._numbers[name] >= number for name, number in most.items()):
            return False
        self._names[socket] = list(most)
        self._numbers.update(most.keys())
        return True

    def leave(self, socket: object) -> None:
        """Count the socket no more; twice is harmless."""
        for name in self._names.pop(socket, []):
            self._numbers[name] -= 1
            if not self._numbers[name]:
                del self._numbers[name]


class Allowance:
    """How many messages somebody may still send: some at once, then so many a second; of frames some `times` that."""

    def __init__(self, times: int = 1) -> None:
        self._times = times
        self._left: dict[object, tuple[float, float]] = {}

    def spend(self, who: object) -> bool:
        """Count a message; return whether it is within the allowance."""
        now, a_second = time.monotonic(), settings.FRAMES_A_SECOND * self._times
        most = a_second * SAVED
        left, at = self._left.get(who, (most, now))
        left = min(most, left + (now - at) * a_second)
        if len(self._left) > 10_000:
            self._left.clear()
        self._left[who] = max(0.0, left - 1), now
        return left >= 1


def address_of(scope: Mapping[str, Any]) -> str:
    """Return where a socket comes from, as trusted proxies tell; of IPv6 the network, which is one person's."""
    told = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    found = origin(b",".join(told).decode("latin-1") if told else None, str((scope.get("client") or [""])[0]))
    if ":" not in found:
        return found
    return str(ipaddress.ip_network(f"{found.partition('%')[0]}/64", strict=False))


def sent_from(request: HttpRequest) -> str:
    """Return where a request comes from, as trusted proxies tell. PermissionDenied where they name nobody."""
    found = origin(request.headers.get("X-Forwarded-For"), request.META.get("REMOTE_ADDR", ""))
    if not found:
        raise PermissionDenied
    return found


def origin(forwarded: str | None, peer: str) -> str:
    """Return the network address of whom `peer` speaks for, as trusted proxies tell in X-Forwarded-For.

    "" where they passed something on and name nobody: it comes from anywhere, and not from the proxy itself.
    """
    proxies = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    if forwarded is None or not proxies:
        return unmapped(clean_client_ip(peer) or "")
    hops = forwarded.split(",")
    return unmapped(clean_client_ip(hops[-proxies]) or "") if proxies <= len(hops) else ""


def unmapped(address: str) -> str:
    """Return the IPv4 address that a server or proxy of both kinds writes as one of IPv6; any other text as it is.

    All of IPv4 would be one network of IPv6.
    """
    try:
        return str(getattr(ipaddress.ip_address(address), "ipv4_mapped", None) or address)
    except ValueError:
        return address
