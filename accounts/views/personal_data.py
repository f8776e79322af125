"""Pages about personal data: privacy, the data export, and closing the account."""

from allauth.account.decorators import reauthentication_required
from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import forget_pages, member_of, members_only, person_of
from accounts.models import User
from accounts.names import normalise
from accounts.services.closing import StaffStays, close_account
from accounts.services.data_export import file_of
from config.lib import rate_limits


class CloseForm(forms.Form):
    """The user name, typed to confirm."""

    name = forms.CharField(label=gettext_lazy("Your user name, to confirm"), max_length=100)

    def __init__(self, user: User, sent: QueryDict | None) -> None:
        super().__init__(sent)
        self.user = user

    def clean_name(self) -> str:
        name = normalise(self.cleaned_data["name"])
        if name != self.user.username:
            raise forms.ValidationError(_("That is not your user name."))
        return name


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What the site stores about people, and for how long."""
    return render(request, "accounts/privacy.html")


@members_only
@require_safe
def data(request: HttpRequest) -> HttpResponse:
    """Links to the data export and to closing the account."""
    return render(request, "accounts/data.html")


@never_cache
@members_only
@require_http_methods(["GET", "POST"])
@reauthentication_required
def download(request: HttpRequest) -> HttpResponse:
    """The member's data export, after reauthentication."""
    user = member_of(request)
    if not rate_limits.allows_of(request, "export", user):
        return render(request, "accounts/data.html", {"too_often": True}, status=429)
    answer = HttpResponse(list(file_of(user)), content_type="application/json")
    answer["Content-Disposition"] = 'attachment; filename="club-y.json"'
    return answer


@never_cache
@members_only
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required
def close(request: HttpRequest) -> HttpResponse:
    """Close the account, after reauthentication and the typed name."""
    user = member_of(request)
    form = CloseForm(user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            close_account(user_id=user.pk)
        except StaffStays:
            form.add_error(None, _("You have admin rights. Have them removed first."))
        else:
            request.session.flush()
            answer = forget_pages(redirect("goodbye"))
            answer.delete_cookie(settings.DEVICE_COOKIE_NAME, samesite="Lax")
            return answer
    return render(request, "accounts/close.html", {"form": form}, status=422 if form.errors else 200)


@require_safe
def goodbye(request: HttpRequest) -> HttpResponse:
    """The page after the account was closed."""
    if person_of(request) is not None:
        return redirect("home")
    return render(request, "accounts/goodbye.html")
