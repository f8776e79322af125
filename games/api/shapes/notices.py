"""How a member wants to be told."""

from typing import Annotated, Literal

from django.utils.translation import gettext_noop as _

from games.api.shapes.given import Whole, Yes
from games.api.shapes.parts import Given, Shape, said

Clock = Annotated[
    str | None,
    said(_("A time of day, in your time zone; null for none."), "22:00", pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$"),
]
_TOPICS = _("Of what you are mailed: turn, reminder, played, started, ended, invited, lapsed, mentioned and so on.")


class NoticesShape(Shape):
    """How you are told what happens while you are away."""

    topics: list[str] = said(_TOPICS, ["turn", "reminder"])
    rhythm: str = said(_("How often: each, visit (one mail until you come) or daily."), "each")
    digest_hour: int = said(_("The hour of the daily mail."), 8)
    replies: bool = said(_("Whether you play by answering mails with one line."), True)
    answers: bool = said(_("Whether mails have buttons that answer with one press, without log-in."), True)
    quiet_from: Clock = said(_("When your quiet hours begin; null without them."), "22:00")
    quiet_until: Clock = said(_("When they end."), "08:00")
    devices_place: int = said(_("At which place, 1 to 3, your devices are called."), 1)
    webhooks_place: int = said(_("At which place your webhooks are called; 0: always, beside the others."), 0)
    mail_place: int = said(_("At which place you are mailed."), 1)


class NoticesGiven(Given):
    """What is to change; what is left out stays."""

    topics: list[Annotated[str, said(_("A topic."), "turn", max_length=20)]] | None = said(
        _TOPICS, ["turn", "reminder"], default=None, max_length=40
    )
    rhythm: Literal["each", "visit", "daily"] | None = said(
        _("How often: each, visit (one mail until you come) or daily."), "daily", default=None
    )
    digest_hour: Whole | None = said(_("The hour of the daily mail."), 8, default=None, ge=0, le=23)
    replies: Yes | None = said(_("Whether you play by answering mails with one line."), True, default=None)
    answers: Yes | None = said(
        _("Whether mails have buttons that answer with one press, without log-in."), True, default=None
    )
    quiet_from: Clock = said(_("When your quiet hours begin; null without them."), "22:00", default=None)
    quiet_until: Clock = said(_("When they end."), "08:00", default=None)
    devices_place: Whole | None = said(
        _("At which place, 1 to 3, your devices are called."), 1, default=None, ge=1, le=3
    )
    webhooks_place: Whole | None = said(
        _("At which place your webhooks are called; 0: always, beside the others."), 0, default=None, ge=0, le=3
    )
    mail_place: Whole | None = said(_("At which place you are mailed."), 1, default=None, ge=1, le=3)
