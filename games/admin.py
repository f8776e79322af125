"""Matches, mails, time-outs, sweeps and outages in the admin, without what is hidden of running matches."""

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.db.models import BooleanField, Count, ExpressionWrapper, OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import admin_channels, admin_records  # noqa: F401  # their lists are registered
from games.admin_lists import ReadOnly, ShownFiltersOnly, among, labelled, of_game
from games.models import POSTED, Kind, Mail, Match, Outage, Puzzle, Seat, Sweep, TimeOut
from games.queries import play
from games.queries.readable import why_unreadable
from games.queries.secrecy import is_secret
from games.services.mail import delivery
from games.services.operation.admin_actions import MOST_MATCHES
from games.services.operation.admin_secrecy import secret_mails, secret_time_outs
from games.table import name_and_badge, table_for
from games.time_controls import TIME_CONTROLS, pace_name

admin.site.empty_value_display = "–"

RUN_OUT = (
    labelled("absent", _("absent")),
    labelled("run_outs", _("run-outs")),
    labelled("deadline", _("runs out at")),
)
PAUSED, ASIDE = labelled("paused_at", _("paused since")), labelled("troubled_at", _("set aside at"))
STATUS, ENDING = labelled("status", _("state")), labelled("ending", _("ending"))
TURNS, VERSION = labelled("turns", _("turns")), labelled("version", _("version"))
RULES = labelled("rules_version", _("version of the rules"))
CREATOR, REMATCH_OF = labelled("creator", _("opened by")), labelled("rematch_of", _("rematch of"))
CREATED, JOINED = labelled("created_at", _("opened at")), labelled("joined_at", _("last joined at"))
STARTED, MOVED = labelled("started_at", _("started at")), labelled("moved_at", _("last move at"))
ENDED, VOIDED = labelled("ended_at", _("ended at")), labelled("voided_at", _("voided at"))
OPTIONS, COMMITMENT = labelled("options", _("options")), labelled("commitment", _("commitment to the dice"))


@admin.display(description=_("seat"))
def seat_number(seat: Seat) -> int:
    """Return the seat's number as pages count, from 1."""
    return seat.number + 1


SEAT = (
    seat_number,
    labelled("user", _("member")),
    labelled("bot", _("bot")),
    labelled("left", _("left as number")),
    labelled("substituted", _("substitute")),
)
RESULT = (labelled("asked_at", _("asked since")), labelled("rank", _("rank")), labelled("score", _("points")))


class SeatInline(ReadOnly, admin.TabularInline):
    model = Seat
    template = "admin/games/match/rows.html"
    fields: ClassVar[Any] = (*SEAT, *RUN_OUT, *RESULT)
    readonly_fields: ClassVar[Any] = fields
    extra = 0

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return request.user.has_perm("games.view_match")


@admin.register(Match)
class MatchAdmin(ReadOnly, ShownFiltersOnly, admin.ModelAdmin):
    list_display: Any = (
        "id",
        "game_slug",
        "players",
        "rated",
        *(STATUS, ENDING),
        "size",
        "access",
        "pace_words",
        *(TURNS, CREATED, MOVED, VOIDED),
    )
    list_filter = (
        of_game("game_slug"),
        "status",
        "ending",
        "access",
        among("pace_slug", _("time to think"), lambda: [(pace.slug, pace.label) for pace in TIME_CONTROLS.values()]),
    )
    list_per_page = 50
    search_fields = ("=id", "seats__user__username")
    search_help_text = _("A match number, or how a member's name begins")
    date_hierarchy = "created_at"
    fields: ClassVar[Any] = (
        ("game_slug", RULES, "size", "access", "club", "rated"),
        "players",
        (STATUS, ENDING, TURNS, VERSION),
        ("pace_words", PAUSED, ASIDE),
        (CREATOR, REMATCH_OF),
        (CREATED, JOINED, STARTED, MOVED, ENDED, VOIDED),
        (OPTIONS, COMMITMENT),
    )
    readonly_fields: ClassVar[Any] = (
        *(RULES, STATUS, ENDING, TURNS, VERSION, PAUSED, ASIDE, CREATOR, REMATCH_OF),
        *(CREATED, JOINED, STARTED, MOVED, ENDED, VOIDED, OPTIONS, COMMITMENT, "pace_words", "as_watched", "players"),
    )
    inlines = (SeatInline,)
    actions = ("give_time",)

    def get_fields(self, request: HttpRequest, obj: Match | None = None) -> Any:
        return (*self.fields, "as_watched") if obj is not None and is_secret(obj) else self.fields

    def get_inlines(self, request: HttpRequest, obj: Match | None) -> Any:
        """Return the seats as rows, unless who has still to answer may be secret."""
        return () if obj is not None and is_secret(obj) else self.inlines

    @admin.display(description=_("seats, as spectators see them"))
    def as_watched(self, match: Match) -> SafeString:
        """Return the seats of a running match with secrets, as watchers see them."""
        if why := why_unreadable(match):
            return format_html("{} ({})", _("This match cannot be read now."), why)
        table = table_for(*play.match_and_seats(match.pk), None)
        return render_to_string("admin/games/match/seats.html", {"seats": table["seats"]})

    @admin.display(description=_("players"))
    def players(self, match: Match) -> str:
        """Return who sits or sat there, each with the way to their page; bots and empty seats by their names."""
        return format_html_join(", ", "{}", ((self._player(seat),) for seat in match.seats.all()))

    def _player(self, seat: Seat) -> str:
        if seat.user_id is None:
            return name_and_badge(seat)
        address = reverse("admin:accounts_user_change", args=[seat.user_id])
        return format_html('<a href="{}">{}</a>', address, name_and_badge(seat))

    @admin.display(description=_("time to think"), ordering="pace_slug")
    def pace_words(self, match: Match) -> str:
        return pace_name(match.pace_slug)

    def has_give_time_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_match")

    @admin.action(description=_("Give time"), permissions=["give_time"])
    def give_time(self, request: HttpRequest, queryset: QuerySet[Match]) -> HttpResponse:
        """Redirect to the form that asks how much, and why."""
        chosen = list(queryset.order_by("pk").values_list("pk", flat=True)[: MOST_MATCHES + 1])
        return redirect(f"{reverse('operation-give-time')}?{urlencode({'match': chosen}, doseq=True)}")


class ToldKind(admin.SimpleListFilter):
    """Mails by kind, as far as it is not secret."""

    title = _("kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [*Kind.choices, ("digest", _("digest")), *POSTED.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Mail]) -> QuerySet[Mail]:
        if self.value() not in dict(self.lookup_choices):
            return queryset
        return queryset.filter(kind=self.value()).exclude(secret_mails())


@admin.register(Mail)
class MailAdmin(ReadOnly, ShownFiltersOnly, admin.ModelAdmin):
    """Mails as rows: their state, without contents or secrets of running matches."""

    list_display = ("id", "told_kind", "state", "user_id", "attempts", "created_at", "sent_at", "error")
    list_filter = ("state", ToldKind, "created_at")
    search_fields = ("=user__id", "user__username", "=message_id")
    by_index = frozenset({"state__exact=failed", "state__exact=unknown", "state__exact=waiting"})
    search_help_text = _("A member's number, how their name begins, or a Message-ID")
    ordering = ("-pk",)
    fields = (
        ("told_kind", "state", "state_at"),
        ("user_id", "message_id"),
        ("attempts", "next_try_at", "error"),
        ("created_at", "sent_at", "told_answers"),
    )
    readonly_fields: ClassVar[Any] = ("told_kind", "told_answers")
    actions = ("resend",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Mail]:
        is_telling = ExpressionWrapper(secret_mails(), output_field=BooleanField())
        return super().get_queryset(request).annotate(is_telling=is_telling)

    @admin.display(description=_("kind"))
    def told_kind(self, mail: Any) -> str:
        return gettext("about a running match") if mail.is_telling else mail.kind

    @admin.display(description=_("answered by its links"))
    def told_answers(self, mail: Any) -> str:
        """Return what was answered by the mail's links, and when; not while that may tell a running match's secret."""
        return "" if mail.is_telling else ", ".join(f"{answer['of']} {answer['at']}" for answer in mail.answers)

    def has_resend_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_mail")

    @admin.action(permissions=["resend"], description=_("Send again, if it failed or may not have gone out"))
    def resend(self, request: HttpRequest, queryset: QuerySet[Mail]) -> None:
        """Queue the chosen mails again, and log who asked for it."""
        again = delivery.resend(queryset)
        if again:
            LogEntry.objects.log_actions(request.user.pk or 0, again, CHANGE, gettext("Sent again"))
        words = gettext("%(n)d mails are on their way again.")
        self.message_user(request, words % {"n": len(again)}, messages.SUCCESS)


@admin.register(TimeOut)
class TimeOutAdmin(ReadOnly, ShownFiltersOnly, admin.ModelAdmin):
    """Clocks that ran out, without secret ones, nor the moves that an undo took back."""

    fields: ClassVar[Any] = (
        labelled("at", _("when")),
        "match",
        labelled("seat", _("seat")),
        "came_of_it",
        "sweep",
        "is_undone",
    )
    list_display = readonly_fields = fields
    list_filter = ("kind",)
    list_select_related = ("match", "sweep")
    search_fields = ("=match__id", "=sweep__id")
    search_help_text = _("The number of a match or of a sweep")
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[TimeOut]:
        told = super().get_queryset(request).exclude(secret_time_outs())
        return told.defer("before", "match__state", "match__server_seed")

    @admin.display(description=_("outcome"), ordering="kind")
    def came_of_it(self, row: TimeOut) -> str:
        return row.get_kind_display()

    @admin.display(description=_("undone"), boolean=True)
    def is_undone(self, row: TimeOut) -> bool:
        return row.undone is not None


@admin.register(Sweep)
class SweepAdmin(ReadOnly, ShownFiltersOnly, admin.ModelAdmin):
    fields: ClassVar[Any] = (
        labelled("at", _("when")),
        labelled("due", _("due matches")),
        "timed_out",
        labelled("stopped", _("stopped by the fuse"), boolean=True),
        labelled("told_at", _("admins told at")),
        labelled("released_at", _("resumed at")),
        labelled("undone_at", _("undone at")),
    )
    list_display = readonly_fields = fields
    list_filter = ("stopped",)
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Sweep]:
        theirs = TimeOut.objects.filter(sweep=OuterRef("pk")).order_by().values("sweep")
        return super().get_queryset(request).annotate(number=Subquery(theirs.annotate(n=Count("pk")).values("n")))

    @admin.display(description=_("time-outs"))
    def timed_out(self, sweep: Any) -> int:
        return sweep.number or 0


@admin.register(Outage)
class OutageAdmin(ReadOnly, ShownFiltersOnly, admin.ModelAdmin):
    fields: ClassVar[Any] = (
        labelled("part", _("part")),
        labelled("start", _("from")),
        labelled("end", _("until")),
    )
    list_display = readonly_fields = fields
    list_filter = ("part",)
    ordering = ("-pk",)


@admin.register(Puzzle)
class PuzzleAdmin(ReadOnly, ShownFiltersOnly, admin.ModelAdmin):
    """The puzzles of all days, each with the way to withdraw it."""

    fields: ClassVar[Any] = (
        labelled("day", _("day")),
        labelled("game_name", _("game"), ordering="game_slug"),
        labelled("match", _("match")),
        labelled("by_bots", _("among bots"), boolean=True),
        labelled("withdrawn_at", _("withdrawn at")),
        "withdraw",
    )
    list_display = readonly_fields = fields
    list_filter = (of_game("game_slug"),)
    list_select_related = ("match",)
    ordering = ("-day", "-pk")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Puzzle]:
        return super().get_queryset(request).defer("view", "match__state", "match__server_seed")

    @admin.display(description=_("look, withdraw"))
    def withdraw(self, puzzle: Puzzle) -> str:
        """Return the ways to the puzzle's page and to the form that withdraws it; of a withdrawn one, none."""
        if puzzle.withdrawn_at is not None:
            return ""
        page, form = reverse("puzzle-of", args=[puzzle.day]), reverse("operation-puzzle", args=[puzzle.pk])
        words = gettext("The page"), gettext("Withdraw this puzzle")
        return format_html('<a href="{}">{}</a> · <a href="{}">{}</a>', page, words[0], form, words[1])
