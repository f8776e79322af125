"""Two releases side by side: whatever a new release adds to a table has a default in the database itself.

While processes are replaced one at a time, the former release goes on inserting rows of which it knows the old columns
alone. So a column that is new in a table may be null or has a `db_default`. Named here are, by table, the columns that
every release fills. Of a table that is not here nothing is asked: the former release does not know it either. When a
release is out, its new tables are added.
"""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db import connection

FILLED = {
    "accounts_block": "at blocked_id blocker_id",
    "accounts_follow": "at followed_id follower_id",
    "accounts_user": (
        "colours date_joined digest_hour email is_active is_guest is_staff is_superuser language "
        "mail_broken_why mail_off mail_rhythm password reduced_motion skeleton time_zone username vacation "
        "vacation_by_itself"
    ),
    "games_chatline": "at channel hidden match_id text",
    "games_facecount": "count face game_slug sides",
    "games_heartbeat": "at name since",
    "games_invitation": "declined match_id user_id",
    "games_lastinvitation": "accepted at guest_id host_id",
    "games_mail": "attempts created_at error kind message_id next_try_at state state_at",
    "games_mailstop": "addresses at error since",
    "games_match": (
        "access asks automatic_days_off created_at draws earlier_seeds ending game_slug joined_at options "
        "outage pace_slug rated rules_version server_seed setup_draws size status token trouble turns version"
    ),
    "games_muted": "person_id user_id",
    "games_notice": "ask created_at kind match_id unread user_id",
    "games_outage": "end part start",
    "games_posted": "answer at mark",
    "games_seat": (
        "absent bank bot chat_seen former match_id nonce notes number orders returned run_outs seen substituted"
    ),
    "games_sweep": "at due stopped",
    "games_tally": "faces match_id problem seats",
    "games_timeout": "ask at before kind match_id seat",
    "games_turn": "at by draws events match_id move number",
    "leaderboards_departed": "match_id rating seat",
    "leaderboards_ratingchange": "after before delta matches player rank seat settlement_id",
    "leaderboards_settlement": "at game_slug kind match_id round season",
    "leaderboards_standing": "game_slug last_active matches rating season user_id wins",
    "leaderboards_teamresult": "at game_slug match_id score",
    "moderation_appeal": "answer at sanction_id state words",
    "moderation_audit": "at deed details reason",
    "moderation_barred": "at pattern reason",
    "moderation_report": "at mark reason said state words",
    "moderation_sanction": "at kind mark reason",
    "moderation_trace": "kind mark member_id on",
}
OURS = {"accounts", "games", "leaderboards", "moderation"}


def without_default(table: str) -> set[str]:
    """Return the columns of a table that an INSERT must name: not null, and without a default."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            rows = cursor.execute(
                'SELECT name FROM pragma_table_info(%s) WHERE "notnull" AND dflt_value IS NULL', [table]
            )
            found = {name for (name,) in rows.fetchall()}
        else:
            cursor.execute(
                "SELECT column_name FROM information_schema.columns WHERE table_name = %s AND is_nullable = 'NO' "
                "AND column_default IS NULL AND is_identity = 'NO'",
                [table],
            )
            found = {name for (name,) in cursor.fetchall()}
    return found - {"id"}


def new_columns() -> Iterator[str]:
    """Yield the columns that the former release would not fill, as table.column."""
    for table, filled in FILLED.items():
        yield from (f"{table}.{column}" for column in sorted(without_default(table) - set(filled.split())))


@pytest.mark.both
@pytest.mark.django_db
def test_new_columns_have_a_default_in_the_database():
    assert list(new_columns()) == []


@pytest.mark.both
@pytest.mark.django_db
def test_a_column_without_one_is_found(monkeypatch):
    columns = "id integer PRIMARY KEY, old integer NOT NULL, may integer, has integer NOT NULL DEFAULT 0"
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE planted ({columns}, new integer NOT NULL)")
    monkeypatch.setitem(FILLED, "planted", "old")
    assert list(new_columns()) == ["planted.new"]


@pytest.mark.both
@pytest.mark.django_db
def test_what_is_named_here_is_there():
    tables = {model._meta.db_table: model for model in apps.get_models() if model._meta.app_label in OURS}
    for table, filled in FILLED.items():
        assert set(filled.split()) <= {field.column for field in tables[table]._meta.local_concrete_fields}
