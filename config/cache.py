"""The cache in Redis: whatever Redis refuses, reads find nothing and writes are dropped."""

import logging
from functools import wraps
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis import Redis

from config.lib import redis

log = logging.getLogger(__name__)


def _without_errors(name: str, when_away: Any) -> Any:
    plain = getattr(RedisCache, name)

    @wraps(plain)
    def call(self: RedisCache, key: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return plain(self, key, *args, **kwargs)
        except redis.AWAY as error:
            log.warning("cache away", extra={"operation": name, "error": type(error).__name__})
            return args[0] if name == "get" and args else when_away

    return call


class OneClient(RedisCacheClient):
    """Django's client, but with one connection pool for all calls."""

    def get_client(self, key: Any = None, *, write: bool = False) -> Redis:
        return redis.client(self._servers[0])  # type: ignore[attr-defined]


class PatientRedisCache(RedisCache):
    """Django's Redis cache, whose absence is never an error."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = OneClient

    get = _without_errors("get", None)
    set = _without_errors("set", None)
    add = _without_errors("add", True)
    delete = _without_errors("delete", False)
    touch = _without_errors("touch", False)
    incr = _without_errors("incr", 1)
    has_key = _without_errors("has_key", False)
    get_many = _without_errors("get_many", {})
    set_many = _without_errors("set_many", [])
    delete_many = _without_errors("delete_many", None)
