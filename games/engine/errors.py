"""The refusal of a move as an exception, with a sentence that the site can translate; rules that are not here."""


def gettext_noop(message: str) -> str:
    """Mark a sentence for translation. Import it as `_`, so that makemessages finds it."""
    return message


def brief(value: object) -> str:
    """Any value, as text of at most 80 characters."""
    try:
        return f"{value!r:.80}"
    except (ValueError, RecursionError):  # a number of thousands of digits; lists in lists without end
        return f"an endless {type(value).__name__}"


class UnknownRules(LookupError):
    """Nothing here plays this game, or this version of its rules; the text says which in a sentence."""

    def __init__(self, slug: object, version: object = None) -> None:
        whose = "" if version is None else f"version {brief(version)} of the rules of "
        super().__init__(f"unknown {whose or 'game '}{brief(slug)}")


class IllegalMove(Exception):
    """A refused move; the state is unchanged.

    `code` is a stable identifier (spec: engine.md, The Python API), `message` an English sentence with
    %(name)s placeholders, `params` their values. The site translates `message`; `str()` is English.
    """

    def __init__(self, code: str, message: str, **params: object) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.params = params

    def __str__(self) -> str:
        return self.message % self.params
