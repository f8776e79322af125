"""The cache in Redis, made patient: while Redis is away a look finds nothing and a store is dropped."""

import logging
from functools import wraps
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis import Redis
from redis.exceptions import ConnectionError as RedisAway
from redis.exceptions import TimeoutError as RedisSlow

from config.lib import redis

log = logging.getLogger(__name__)


def _patient(name: str, when_away: Any) -> Any:
    plain = getattr(RedisCache, name)

    @wraps(plain)
    def call(self: RedisCache, key: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return plain(self, key, *args, **kwargs)
        except (RedisAway, RedisSlow):
            log.warning("cache away", extra={"operation": name})
            return args[0] if name == "get" and args else when_away

    return call


class OneClient(RedisCacheClient):
    """Django's client, which makes a new one for each look; here one serves for all."""

    def get_client(self, key: Any = None, *, write: bool = False) -> Redis:
        return redis.client(self._servers[0])  # type: ignore[attr-defined]


class PatientRedisCache(RedisCache):
    """Django's Redis cache; what it holds can be found again elsewhere, so its absence is never an error."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = OneClient

    get = _patient("get", None)
    set = _patient("set", None)
    add = _patient("add", True)
    delete = _patient("delete", False)
    touch = _patient("touch", False)
    incr = _patient("incr", 1)
    has_key = _patient("has_key", False)
    get_many = _patient("get_many", {})
    set_many = _patient("set_many", [])
    delete_many = _patient("delete_many", None)
