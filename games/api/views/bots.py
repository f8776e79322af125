"""The page on which a member keeps bots."""

from collections.abc import Callable
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.access import member_of, members_only
from accounts.names import BOT_SUFFIX, LONGEST
from accounts.services.bots import MOST
from config.lib import rate_limits
from games.api.forms import NameForm
from games.api.models import LONGEST_NAME
from games.api.services import bots
from games.forms.play import read_number
from games.services.lobby.member_bots import MOST_AT_ONCE, MOST_OF_OWNER
from games.services.refusals import Invalid, TooOften


class BotForm(forms.Form):
    """The name of a new bot."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=LONGEST - len(BOT_SUFFIX),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )


class TokenForm(NameForm):
    """A further token of a bot."""

    name = forms.CharField(label=gettext_lazy("Name of the token"), max_length=LONGEST_NAME)
    writes = forms.BooleanField(label=gettext_lazy("It may write in chats"), required=False)


@never_cache
@members_only
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required
def bots_page(request: HttpRequest) -> HttpResponse:
    """Show a member's bots; make one, give it a token, end one, close it. A new secret is on this answer alone."""
    if request.method != "POST":
        return _page(request)
    if not rate_limits.allows(request, "bot"):
        return _page(request, refusal=str(TooOften()), status=429)
    act = ACTS.get(request.POST.get("act", ""))
    try:
        return act(request) if act is not None else _page(request)
    except Invalid as refusal:
        return _page(request, refusal=str(refusal), status=422)


def _make(request: HttpRequest) -> HttpResponse:
    form = BotForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        bot = bots.make(owner=member_of(request), name=form.cleaned_data["name"])
    except Invalid as refusal:
        form.add_error("name", str(refusal))
        return _page(request, form, status=422)
    get_adapter().send_notification_mail("account/email/bot", member_of(request), {"name": bot.username})
    messages.success(request, _("%(name)s is made. Give it a token, by which your program plays.") % {"name": bot})
    return redirect("bots")


def _token(request: HttpRequest) -> HttpResponse:
    form = TokenForm(request.POST)
    if not form.is_valid():
        raise Invalid(_("Give the token a name."))
    made, secret = bots.new_token(owner=member_of(request), bot_id=_number(request, "bot"), **form.cleaned_data)
    told = {"name": f"{made.user.username}: {made.name}"}
    get_adapter().send_notification_mail("account/email/api_token", member_of(request), told)
    return _page(request, secret=secret)


def _end(request: HttpRequest) -> HttpResponse:
    about = {"bot_id": _number(request, "bot"), "token_id": _number(request, "token")}
    if bots.end_token(owner=member_of(request), **about):
        messages.success(request, _("The token has ended."))
    return redirect("bots")


def _close(request: HttpRequest) -> HttpResponse:
    bots.close(owner=member_of(request), bot_id=_number(request, "bot"))
    messages.success(request, _("The bot is closed. House bots play on in its seats."))
    return redirect("bots")


ACTS: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "make": _make,
    "token": _token,
    "end": _end,
    "close": _close,
}


def _number(request: HttpRequest, name: str) -> int:
    return read_number(request.POST.get(name)) or 0


def _page(
    request: HttpRequest, form: BotForm | None = None, *, secret: str = "", refusal: str = "", status: int = 200
) -> HttpResponse:
    member = member_of(request)
    lines = bots.lines(member)
    context: dict[str, Any] = {
        "form": form or BotForm(),
        "token_form": TokenForm(auto_id=False),
        "lines": lines,
        "may_make": member.is_confirmed and len(lines) < MOST,
        "secret": secret,
        "refusal": refusal,
        "suffix": BOT_SUFFIX,
        "most": MOST,
        "most_at_once": MOST_AT_ONCE,
        "most_of_owner": MOST_OF_OWNER,
    }
    return render(request, "games/api/bots.html", context, status=status)
