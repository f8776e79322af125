"""How a member wants to be told: mails, and the order of channels."""

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext_noop as _

from accounts.access import member_of
from accounts.models import User
from accounts.services import membership
from games.api.kit import Routes, checked
from games.api.shapes.notices import NoticesGiven, NoticesShape
from games.forms.channels import OrderForm
from games.forms.mail import MailForm
from games.services import channel_order

routes = Routes("notices")
QUIET = ("quiet_from", "quiet_until")
PLACES = ("devices", "webhooks", "mail")


@routes.reads("/settings/notices", NoticesShape, page="mail-settings", words=_("How you are told"))
def shown(request: HttpRequest) -> dict[str, Any]:
    """How one is told what happens while one is away."""
    return _told(User.objects.get(pk=member_of(request).pk))


def _told(user: User) -> dict[str, Any]:
    now, places = MailForm(user).initial, channel_order.places_of(user)
    times = {name: now[name].strftime("%H:%M") if now[name] is not None else None for name in QUIET}
    return (
        {name: now[name] for name in ("topics", "rhythm", "digest_hour", "replies", "answers")}
        | times
        | {f"{name}_place": places[name] for name in PLACES}
    )


@routes.posts(
    "/settings/notices",
    NoticesShape,
    page="mail-settings",
    method="PATCH",
    words=_("Change how you are told"),
    more=_("What is left out stays as it is."),
)
def change(request: HttpRequest, given: NoticesGiven) -> dict[str, Any]:
    """Change how one is told."""
    user, sent = User.objects.get(pk=member_of(request).pk), given.model_dump(exclude_unset=True)
    places = {name: sent.pop(f"{name}_place", None) for name in PLACES}
    wanted = {name: place for name, place in places.items() if place is not None}
    form = MailForm(user, _posted(user, sent)) if sent else None
    order = OrderForm(channel_order.places_of(user) | wanted) if wanted else None
    for one in (form, order):
        if one is not None:
            checked(one)
    if form is not None:
        membership.change_times(user_id=user.pk, **form.fields_to_save())
    if order is not None:
        channel_order.choose(user, **order.cleaned_data)
    return _told(User.objects.get(pk=user.pk))


def _posted(user: User, sent: dict[str, Any]) -> dict[str, Any]:
    """Return what the page's form would post: what is there, and what is to change; null stands for none of hours."""
    now = {name: value for name, value in MailForm(user).initial.items() if value not in (None, False)}
    changed = {name: value for name, value in sent.items() if value is not None or name in QUIET}
    return {name: value for name, value in (now | changed).items() if value not in (None, False)}
