"""What many shapes have: numbers, names, times, lists, problems."""

from typing import Annotated, Any

from django.utils.translation import gettext_noop as _
from ninja import Path, Query, Schema
from pydantic import ConfigDict, Field

LARGEST = 2**63 - 1


def said(words: str, example: Any, **more: Any) -> Any:
    """Return a field with its description, which is translated when the schema is shown, and an example."""
    return Field(description=words, examples=[example], **more)


MatchId = Annotated[
    int, Path(description=_("The number of the match, as in its address."), examples=[4711], ge=1, le=LARGEST)
]
Number = Annotated[int, Path(description=_("The number of it, as in its address."), examples=[12], ge=1, le=LARGEST)]
GameSlug = Annotated[
    str, Path(description=_("The short name of the game, as in its address."), examples=["yay"], max_length=60)
]
MemberName = Annotated[str, Path(description=_("The name of a member."), examples=["Ann"], max_length=150)]
At = Annotated[
    str,
    Query(
        description=_("Where the list goes on: the `next` of the answer before. Without it the list begins."),
        examples=[""],
        max_length=500,
    ),
]
OfGame = Annotated[str, Query(description=_("Those of one game alone."), examples=["yay"], max_length=60)]
OfPace = Annotated[str, Query(description=_("Those of one time control alone."), examples=["3d"], max_length=10)]
Name = Annotated[str, said(_("The name of a member."), "Ann", max_length=150)]
Slug = Annotated[str, said(_("The short name of the game, as in its address."), "yay", max_length=60)]
Moment = Annotated[str, said(_("When, in UTC, as ISO 8601 has it."), "2026-11-30T18:00:00+00:00")]
Millis = Annotated[int, said(_("When: milliseconds since 1970, UTC."), 1796061600000)]


class Shape(Schema):
    """A form of what is answered."""


class Given(Schema):
    """A form of what is sent: fields that are not known are refused, so that no misspelt one is overlooked."""

    model_config = ConfigDict(extra="forbid")


class Listed(Shape):
    """What all lists have."""

    next: str | None = said(_("The cursor of what follows; null at the end."), "WzQ3MTFd")


class Misfit(Shape):
    """One thing in a request that does not fit."""

    at: str = said(_("Where: the part of the request and the path within it."), "body.size")
    code: str = said(_("What is wrong, as a code."), "less_than_equal")
    limits: dict[str, int | float | str] = said(_("The limits that it misses, by name."), {"le": 6})


class ProblemShape(Shape):
    """Why something was refused (RFC 9457). Nothing was changed."""

    type: str = said(_("An address where the code is explained."), "https://club-y.example/api/#stale_question")
    title: str = said(_("The kind of refusal, in a few words."), "Not possible now")
    status: int = said(_("The status of the answer."), 409)
    detail: str = said(_("The site’s own sentence, in your language."), "The match has gone on since.")
    code: str = said(_("What a program goes by; it lasts."), "stale_question")
    errors: list[Misfit] | None = said(
        _("Of a request that does not fit the schema: what, and where."),
        [{"at": "body.size", "code": "less_than_equal", "limits": {"le": 6}}],
        default=None,
    )
    again: dict[str, bool] | None = said(
        _("Of a question about a move: what to add to the same request to have it played."),
        {"confirmed": True},
        default=None,
    )
    scope: str | None = said(_("Of a token that is not for this: the scope that it lacks."), "play", default=None)
