"""What goes wrong between a program and the site."""

from typing import Any


class SiteError(Exception):
    """Something that the site refused, or that kept a request from it."""


class Refused(SiteError):
    """The site's answer to a request that it refuses: `code` is what programs go by, `detail` a sentence to read.

    `more` has what else the answer says, such as `errors` of a request that does not fit.
    """

    def __init__(self, status: int, code: str, detail: str, more: dict[str, Any] | None = None) -> None:
        super().__init__(f"{detail} ({code})")
        self.status, self.code, self.detail, self.more = status, code, detail, more or {}

    @property
    def is_illegal(self) -> bool:
        """Whether the rules of the game refuse the move."""
        return self.code.startswith("illegal.")


class TooFast(Refused):
    """Too many requests: come back after `seconds`."""

    def __init__(self, seconds: float, *about: Any) -> None:
        super().__init__(*about)
        self.seconds = seconds


class Unreachable(SiteError):
    """The site did not answer, however often it was asked."""
