"""The page on which a member makes and ends tokens."""

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.access import member_of, members_only
from config.lib import rate_limits
from games.api.forms import TokenForm
from games.api.services import tokens
from games.forms.play import read_number
from games.services.refusals import Refused, TooOften


@never_cache
@members_only
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required
def page(request: HttpRequest) -> HttpResponse:
    """Show a member's tokens; make one, whose secret is on this answer alone; end one."""
    act = request.POST.get("act", "")
    if request.method == "POST" and not rate_limits.allows(request, "token"):
        form = TokenForm(request.POST if act == "make" else None)
        return _page(request, form, refusal=TooOften())
    if act == "make":
        return _made(request, TokenForm(request.POST))
    if act == "end":
        if tokens.end(user=member_of(request), token_id=read_number(request.POST.get("token")) or 0):
            messages.success(request, _("Ended: whoever has it can do nothing with it any more."))
        return redirect("api-tokens")
    return _page(request, TokenForm())


def _made(request: HttpRequest, form: TokenForm) -> HttpResponse:
    if not form.is_valid():
        return _page(request, form, status=422)
    user = member_of(request)
    try:
        token, secret = tokens.make(user=user, **form.wishes())
    except Refused as refusal:
        return _page(request, form, refusal=refusal)
    get_adapter().send_notification_mail("account/email/api_token", user, {"name": token.name})
    return _page(request, TokenForm(), secret=secret)


def _page(
    request: HttpRequest, form: TokenForm, *, status: int = 200, secret: str = "", refusal: Refused | None = None
) -> HttpResponse:
    context = {
        "form": form,
        "tokens": tokens.own(member_of(request)),
        "secret": secret,
        "refusal": refusal,
        "may_make": member_of(request).is_confirmed,
    }
    return render(request, "games/api/tokens.html", context, status=refusal.status if refusal else status)
