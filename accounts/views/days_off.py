"""The page on which a member books days off."""

from datetime import date, timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from accounts.access import member_of
from accounts.models import User
from accounts.services import days_off as services
from config.lib import clock


class DaysForm(forms.Form):
    """The first and the last of the days to book."""

    first = forms.DateField(label=gettext_lazy("From"), widget=forms.DateInput({"type": "date"}))
    last = forms.DateField(label=gettext_lazy("To"), widget=forms.DateInput({"type": "date"}))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def days_off(request: HttpRequest) -> HttpResponse:
    """Show this year's days off, book and cancel days to come, and set whether the site takes them itself."""
    user = member_of(request)
    form = DaysForm(request.POST if "first" in request.POST else None)
    if request.method == "POST" and _done(request, user, form):
        return redirect("days-off")
    return render(request, "accounts/days_off.html", _shown(user, form), status=422 if form.errors else 200)


def _done(request: HttpRequest, user: User, form: DaysForm) -> bool:
    """Apply what was posted; return False when the form has errors."""
    if form.is_bound:
        if form.is_valid():
            try:
                services.book(user_id=user.pk, **form.cleaned_data)
            except services.NotBooked as refusal:
                form.add_error(None, str(refusal))
        if form.errors:
            return False
    elif request.POST.get("by_itself") in ("0", "1"):
        services.let(user_id=user.pk, by_itself=request.POST["by_itself"] == "1")
    elif not services.cancel(user_id=user.pk, days=request.POST.getlist("day")):
        messages.error(request, _("Nothing was changed: tick the days to give back."))
        return True
    messages.success(request, _("Saved."))
    return True


def _shown(user: User, form: DaysForm) -> dict[str, Any]:
    now, today = clock.now_ms(), services.today(user)
    days = [
        {
            "iso": day["day"],
            "date": date.fromisoformat(day["day"]),
            "by_itself": day["by_itself"],
            "is_ahead": day["from"] > now,
        }
        for day in user.vacation
        if day["day"] >= f"{today.year}-01-01"
    ]
    return {
        "form": form,
        "days": days,
        "some_ahead": any(day["is_ahead"] for day in days),
        "left": services.left(user, today.year),
        "left_next": services.left(user, today.year + 1),
        "year": today.year,
        "next_year": today.year + 1,
        "tomorrow": today + timedelta(days=1),
        "by_itself": user.vacation_by_itself,
        "a_year": services.DAYS_A_YEAR,
        "most_automatic": services.MOST_AUTOMATIC,
    }
