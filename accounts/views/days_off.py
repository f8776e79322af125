"""The page on which a member books days off."""

from datetime import date, timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.services import days_off as services_days_off
from config.lib import clock


class DaysForm(forms.Form):
    """The first and the last of the days to book."""

    first = forms.DateField(label=gettext_lazy("From"), widget=forms.DateInput({"type": "date"}))
    last = forms.DateField(label=gettext_lazy("To"), widget=forms.DateInput({"type": "date"}))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def days_off(request: HttpRequest) -> HttpResponse:
    """Show the days off of this year; book and give back days to come; let the site take one, or not."""
    user = request.user
    if not isinstance(user, User):
        raise PermissionDenied
    form = DaysForm(request.POST if "first" in request.POST else None)
    if request.method == "POST" and _done(request, user, form):
        return redirect("days-off")
    return render(request, "accounts/days_off.html", _shown(user, form), status=422 if form.errors else 200)


def _done(request: HttpRequest, user: User, form: DaysForm) -> bool:
    """Do what was posted; return whether all was well. What is wrong stands in the form."""
    if form.is_bound:
        if form.is_valid():
            try:
                services_days_off.book(
                    user_id=user.pk, first=form.cleaned_data["first"], last=form.cleaned_data["last"]
                )
            except services_days_off.NotBooked as refusal:
                form.add_error(None, str(refusal))
        if form.errors:
            return False
    elif request.POST.get("by_itself") in ("0", "1"):
        services_days_off.let(user_id=user.pk, by_itself=request.POST["by_itself"] == "1")
    elif not services_days_off.cancel(user_id=user.pk, days=request.POST.getlist("day")):
        messages.error(request, _("Nothing was changed: tick the days to give back."))
        return True
    messages.success(request, _("Saved."))
    return True


def _shown(user: User, form: DaysForm) -> dict[str, Any]:
    now, today = clock.now_ms(), services_days_off.today(user)
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
        "left": services_days_off.left(user, today.year),
        "left_next": services_days_off.left(user, today.year + 1),
        "year": today.year,
        "next_year": today.year + 1,
        "tomorrow": today + timedelta(days=1),
        "by_itself": user.vacation_by_itself,
    }
