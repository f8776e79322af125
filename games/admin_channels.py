"""Replies by mail and calls of webhooks in the admin: what became of them, never their words, addresses or secrets."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.admin_lists import MOST_FOUND, ReadOnly, ShownFiltersOnly, labelled
from games.models import TEST, Kind, Reply, WebhookCall
from games.services.operation.admin_secrecy import secret_calls, secret_replies


@admin.register(Reply)
class ReplyAdmin(ReadOnly, ShownFiltersOnly, admin.ModelAdmin):
    """Replies to mails, but those to running matches with secrets: they tell who has answered."""

    fields: ClassVar[Any] = (
        labelled("at", _("when")),
        labelled("user", _("member")),
        labelled("match", _("match")),
        labelled("outcome", _("outcome")),
    )
    list_display = readonly_fields = fields
    list_filter = ("outcome", "at")
    list_select_related = ("user", "match")
    search_fields = ("=user__id", "user__username", "=match__id")
    search_help_text = _("The number of a member or of a match, or how a member's name begins")
    ordering = ("-at",)

    def _numbers(self, wanted: Q) -> list[Any]:
        """Return the newest rows that fulfil this by when they came, as their key is no number."""
        newest = Reply.objects.filter(wanted).order_by("-at")
        return list(newest.values_list("pk", flat=True)[:MOST_FOUND]) if wanted else []

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Reply | None:
        """Return a reply by its key, which is a text; PostgreSQL has none with this letter."""
        return None if "\0" in object_id else super().get_object(request, object_id, from_field)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Reply]:
        return super().get_queryset(request).exclude(secret_replies()).defer("match__state", "match__server_seed")


@admin.register(WebhookCall)
class WebhookCallAdmin(ReadOnly, ShownFiltersOnly, admin.ModelAdmin):
    """Calls of webhooks, but those about who is asked in running matches with secrets."""

    fields: ClassVar[Any] = (
        labelled("created_at", _("when")),
        "member",
        "format_words",
        labelled("match", _("match")),
        "kind_words",
        labelled("state", _("state")),
        labelled("state_at", _("since")),
        labelled("attempts", _("attempts")),
        "became",
    )
    list_display = ("id", *fields)
    readonly_fields = fields
    list_filter = ("state", "hook__format", "created_at")
    list_select_related = ("hook__user", "match")
    search_fields = ("=hook__user__id", "hook__user__username", "=match__id")
    search_help_text = _("The number of a member or of a match, or how a member's name begins")
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[WebhookCall]:
        told = super().get_queryset(request).exclude(secret_calls())
        return told.defer("match__state", "match__server_seed", "hook__address", "hook__secret")

    @admin.display(description=_("member"))
    def member(self, call: WebhookCall) -> Any:
        return (
            labelled("user", "")(call.hook) if call.hook.user_id else f"{call.hook.get_of_display()} {call.hook.of_id}"
        )

    @admin.display(description=_("Format"))
    def format_words(self, call: WebhookCall) -> str:
        return call.hook.get_format_display()

    @admin.display(description=_("kind"))
    def kind_words(self, call: WebhookCall) -> str:
        if call.kind == TEST:
            return gettext("test")
        return call.kind if call.hook.of else str(Kind(call.kind).label)

    @admin.display(description=_("the webhook’s last outcome"))
    def became(self, call: WebhookCall) -> str:
        """Return what became of the last call of this call's webhook."""
        status = f" ({call.hook.last_status})" if call.hook.last_status else ""
        return f"{call.hook.get_last_outcome_display()}{status}"
