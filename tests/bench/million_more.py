"""Inside the site under the bench of a million: ratings, mails, chats, log-ins, moderation and what else grows."""

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session

from accounts.models import Block, Follow, User
from config.lib import clock
from games.models import (
    Audit,
    ChatLine,
    FaceCount,
    Invitation,
    Mail,
    Match,
    Notice,
    PlayedKey,
    Seat,
    Sweep,
    Tally,
    TimeOut,
)
from games.moderation.models import Report, Sanction, Trace
from games.rules import games, get_game
from games.services.lobby import opening
from leaderboards.models import RatingChange, Settlement, Standing, TeamResult
from leaderboards.ranks import ALL_TIME
from leaderboards.seasons import season_of
from tests.bench.million_rows import FIRST, made, run

_KEY = "md5(({0})::text || 'a')"


def the_rest(members: int, first_running: int) -> None:
    """Insert all that belongs to the members and matches there are."""
    season = season_of(clock.now())
    _ratings(members, season)
    _mails()
    _people(members)
    _matches(members, first_running)
    _moderation(members)


def _series(count: int) -> str:
    return f"generate_series(0, {count - 1}) n"


def _member(number: str, members: int) -> str:
    return f"{FIRST} + ({number}) % {members}"


def _ratings(members: int, season: str) -> None:
    for place, slug in enumerate(games()):
        share = members if place == 0 else members // 5
        for name in (ALL_TIME, season):
            made(
                Standing,
                _series(share),
                user_id=_member(f"n::bigint * 7 + {place}", members),
                game_slug=f"'{slug}'",
                season=f"'{name}'",
                rating="150000 + (n * 7919::bigint % 80000) - 40000",
                matches="1 + n % 60",
                wins="n % 30",
                last_active="now() - (n % 95) * interval '1 day'",
            )
    rated = f"{Match._meta.db_table} m WHERE m.status = 'ended' AND m.rated AND m.archived"
    made(
        Settlement,
        f"(SELECT * FROM {rated} ORDER BY ended_at) m",
        match_id="m.id",
        round="1",
        kind="'match'",
        game_slug="m.game_slug",
        season=f"CASE WHEN m.ended_at > now() - interval '40 days' THEN '{season}' ELSE '2026-3' END",
        at="m.ended_at",
    )
    made(
        RatingChange,
        f"{Settlement._meta.db_table} x JOIN {Seat._meta.db_table} s ON s.match_id = x.match_id",
        settlement_id="x.id",
        seat="s.number",
        user_id="s.user_id",
        player="s.user_id",
        rank="COALESCE(s.rank, 1)",
        matches="20",
        before="150000",
        delta="(x.id % 40 - 20) * 100",
        after="150000 + (x.id % 40 - 20) * 100",
    )
    made(
        TeamResult,
        f"{Match._meta.db_table} m WHERE m.status = 'ended' AND m.archived AND m.id % 10 = 3",
        match_id="m.id",
        game_slug=f"'{_together()}'",
        score="m.id % 5000",
        at="m.ended_at",
    )


def _together() -> str:
    return next(slug for slug in games() if get_game(slug).together)


def _mail(source: str, kind: str, at: str) -> None:
    """Insert a mail that was sent for each row, and the notice of which it was made."""
    run(
        "CREATE TEMP TABLE told AS "
        f"SELECT nextval(pg_get_serial_sequence('games_mail', 'id')) AS mail, q.* FROM ({source}) q"
    )
    made(
        Mail,
        "told",
        id="mail",
        user_id="user_id",
        match_id="match_id",
        kind=f"'{kind}'",
        state="CASE WHEN mail % 2000 = 7 THEN 'failed' ELSE 'sent' END",
        state_at=at,
        attempts="1",
        next_try_at=at,
        created_at=at,
        sent_at=at,
        message_id="md5(mail::text)",
        error="''",
    )
    made(
        Notice,
        "told",
        user_id="user_id",
        match_id="match_id",
        kind=f"'{kind}'",
        ask="ask",
        unread="FALSE",
        mail_id="mail",
        created_at=at,
    )
    run("DROP TABLE told")


def _mails() -> None:
    seats, people, matches = (model._meta.db_table for model in (Seat, Seat.user.field.related_model, Match))
    _mail(
        f"SELECT s.user_id, s.match_id, s.ask, s.asked_at AS at FROM {seats} s JOIN {people} u ON u.id = s.user_id "
        "WHERE s.ask IS NOT NULL AND u.email <> '' AND NOT u.is_guest AND u.mail_rhythm <> 'visit'",
        "turn",
        "at + interval '30 seconds'",
    )
    late = "m.ended_at > now() - interval '120 days'"
    of_ended = (
        f"FROM {matches} m JOIN {seats} s ON s.match_id = m.id JOIN {people} u ON u.id = s.user_id "
        f"WHERE m.status = 'ended' AND {late} AND u.email <> ''"
    )
    _mail(f"SELECT s.user_id, s.match_id, 0 AS ask, m.ended_at AS at {of_ended}", "ended", "at")
    for ask in (11, 22, 33):
        _mail(f"SELECT s.user_id, s.match_id, {ask} AS ask, m.ended_at AS at {of_ended}", "turn", "at")


def _people(members: int) -> None:
    made(
        Follow,
        _series(2 * members),
        follower_id=_member("n", members),
        followed_id=_member(f"n + 1 + n / {members} * 5 + n % 97 * 31", members),
        at="now()",
    )
    made(
        Block,
        _series(members // 5),
        blocker_id=_member("n", members),
        blocked_id=_member("n + 3 + n % 89 * 7", members),
        at="now()",
    )
    for many, until, which in ((members // 2, "now() + interval '60 days'", "n"), (members // 50, "now()", "-n - 1")):
        made(
            Session,
            _series(many),
            session_key=_KEY.format(which),
            session_data="repeat('x', 260) || n",
            expire_date=until,
        )
        made(
            UserSession,
            _series(many),
            user_id=_member("n", members),
            created_at="now()",
            last_seen_at="now()",
            ip="'192.0.2.1'",
            session_key=_KEY.format(which),
            user_agent="'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'",
            data="'{}'",
        )
    for kind in ("range", "device"):
        made(
            Trace,
            _series(members),
            member_id=_member("n / 3", members),
            kind=f"'{kind}'",
            mark=f"md5((n % {max(10, members // 4)})::text)",
            on="(now() - (n % 9) * interval '1 day')::date",
        )


def _matches(members: int, first_running: int) -> None:
    made(
        Tally,
        f"{Match._meta.db_table} m WHERE m.status = 'ended' AND m.archived",
        match_id="m.id",
        counted_at="m.ended_at",
        faces="""'{"6": [31, 28, 33, 30, 29, 35]}'""",
        seats="""'{"0": [15, 14, 16, 15, 14, 18], "1": [16, 14, 17, 15, 15, 17]}'""",
        problem="''",
    )
    for slug in games():
        made(
            FaceCount,
            "generate_series(1, 6) n",
            game_slug=f"'{slug}'",
            sides="6",
            face="n",
            count=f"{members} * 30::bigint + n * 1000",
        )
    made(
        ChatLine,
        _series(2 * members),
        match_id=f"{first_running} - {members} + n % (2 * {members} - 100)",
        channel="CASE n % 5 WHEN 0 THEN 'watchers' ELSE 'players' END",
        user_id=_member("n", members),
        text="'well rolled, and now the long straight'",
        at="now() - (n % 100000) * interval '1 minute'",
        hidden="n % 1000 = 5",
    )
    made(
        Invitation,
        _series(members),
        match_id=f"{first_running} - {members} + n % (2 * {members} - 100)",
        user_id=_member("n::bigint * 31 + 5", members),
        declined="n % 3 = 1",
    )
    made(
        PlayedKey,
        _series(members),
        match_id=f"{first_running} + n % ({members} - 100)",
        seat="0",
        key="substr(md5(n::text), 1, 16)",
        number="40",
        at="now() - (n % 1500) * interval '1 minute'",
    )
    made(Sweep, _series(members // 10), at="now() - n * interval '1 minute'", due="3", stopped="FALSE")
    made(
        TimeOut,
        _series(members // 4),
        sweep_id=f"(SELECT MIN(id) FROM games_sweep) + n % {members // 10}",
        match_id=f"{first_running} - {members} + (n * 7) % (2 * {members} - 100)",
        seat="n % 2",
        ask="n",
        kind="CASE n % 9 WHEN 1 THEN 'absent' ELSE 'played' END",
        at="now() - (n % 150) * interval '1 day'",
        before="""'{"turns": 12, "seats": [{"bot": "", "bank": 259200000}, {"bot": "", "bank": 259200000}]}'""",
    )
    run(
        f"UPDATE games_seat SET absent = TRUE, bot = 'strong', left_at = 3 WHERE match_id >= {first_running} "
        "AND number = 1 AND match_id % 1000 = 11"
    )  # one match in a thousand has a seat that a bot holds
    people = _hosts(members)
    for number in range(max(20, members // 400)):
        opening.create_match(
            creator=people[number % len(people)],
            game_slug=games()[number % len(games())],
            size=3,
        )


def _hosts(members: int) -> list:
    return list(
        User.objects.filter(pk__gte=FIRST + members // 2, is_guest=False).exclude(email="").order_by("pk")[:3000]
    )


def _moderation(members: int) -> None:
    made(
        Report,
        _series(members // 20),
        reporter_id=_member("n", members),
        member_id=_member("n * 7 + 1", members),
        reason="'insult'",
        words="'look at this'",
        said="'well'",
        mark="''",
        state="CASE WHEN n % 100 = 1 THEN 'open' ELSE 'settled' END",
        closed_at="CASE WHEN n % 100 = 1 THEN NULL ELSE now() - n * interval '1 minute' END",
        at="now() - n * interval '2 minutes'",
    )
    made(
        Sanction,
        _series(members // 50),
        member_id=_member("n * 13", members),
        mark="''",
        kind="(ARRAY['warning', 'mute', 'suspension', 'ban'])[1 + n % 4]",
        reason="'because'",
        at="now() - n * interval '1 hour'",
        until="now() - n * interval '1 hour' + interval '7 days'",
        ended_at="CASE WHEN n % 10 = 1 THEN NULL ELSE now() END",
        told_at="now()",
    )
    made(
        Audit,
        _series(members // 10),
        moderator_id=str(FIRST),
        at="now() - n * interval '1 minute'",
        deed="CASE n % 3 WHEN 0 THEN 'warn' ELSE 'settle' END",
        reason="'because'",
        member_id=_member("n * 13", members),
        details="''",
    )
