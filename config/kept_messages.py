"""What pages say once, as "Saved.", waits in the session for the next page: the newest few, however many are said."""

from typing import Any

from django.contrib.messages.storage.session import SessionStorage

MOST = 20  # a session is read at each request, and kept by each open page


class Storage(SessionStorage):
    """Django's messages in the session, of which the oldest go when there are too many."""

    def _store(self, messages: Any, response: Any, *args: Any, **kwargs: Any) -> list[Any]:
        return super()._store(messages[-MOST:], response, *args, **kwargs)  # type: ignore[misc,no-any-return]
