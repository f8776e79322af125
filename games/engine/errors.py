"""The refusal of a move, with a sentence that the site can translate."""


def gettext_noop(message: str) -> str:
    """Mark a sentence for translation. Import it as `_`, so that makemessages finds it."""
    return message


def brief(value: object) -> str:
    """What `value` looks like, in at most 80 characters, whatever it is."""
    try:
        return f"{value!r:.80}"
    except (ValueError, RecursionError):  # a number of thousands of digits; lists in lists without end
        return f"an endless {type(value).__name__}"


class IllegalMove(Exception):
    """A move that was refused; nothing has changed.

    `code` is a stable identifier (spec: engine.md, The Python API), `message` an English sentence with
    %(name)s places, `params` their values. The site translates `message` and fills it in; `str()` is English.
    """

    def __init__(self, code: str, message: str, **params: object) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.params = params

    def __str__(self) -> str:
        return self.message % self.params
