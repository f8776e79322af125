"""A site full of hostile texts, put into the database past all checks, so that pages stand by themselves."""

from random import Random

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model

from accounts.models import Block, Follow, User
from config.lib import clock as site_clock
from games.competitions.models import Correction, Entrant, Place, Round, Table, Tournament
from games.models import LONGEST_LINE, LONGEST_REASON, Audit, ChatLine, Club, Match, Membership, Muted, Seat, Sweep
from games.moderation.models import Appeal, Report, Sanction, moderators
from games.rules import games
from leaderboards.models import Standing
from tests.factories import PASSWORD, as_many, member, opened, played_on, seated
from tests.hostile import TEXTS, fitting
from tests.hostile_groups import groups_kept


def keep_contests(crowd: list[User]) -> int:
    """Tournaments with hostile names, one of which is that of everybody; return its number."""
    usual = {"game_slug": "yum-extra", "format": "swiss", "seats": 4, "least": 4, "most": 99, "pace_slug": "3d"}
    usual |= {"round_limit": 1440, "begins_at": site_clock.now(), "began_at": site_clock.now(), "state": "running"}
    made = Tournament.objects.bulk_create(
        Tournament(**usual, organiser=person, name=fitting(text, 60), words=fitting(text, 2000))
        for person, text in zip(crowd, TEXTS, strict=True)
    )
    entrants = Entrant.objects.bulk_create(
        Entrant(tournament=made[7], user=person, number=number) for number, person in enumerate(crowd, 1)
    )
    Correction.objects.bulk_create(
        Correction(tournament=made[7], kind="left", by=one.user, entrant=one, reason=fitting(text, 200))
        for one, text in zip(entrants, TEXTS, strict=True)
    )
    drawn = Round.objects.create(tournament=made[7], number=1, ends_at=site_clock.now())
    tables = Table.objects.bulk_create(Table(round=drawn, number=number) for number in range(1, 16))
    Place.objects.bulk_create(
        Place(table=tables[number // 4], round=drawn, seat=number % 4, entrant=one)
        for number, one in enumerate(entrants)
    )
    return made[7].pk


def keep_clubs(ann: User, crowd: list[User]) -> int:
    """Clubs with hostile names that invite Ann, and one of hers, in which everybody has spoken; return its number."""
    made = Club.objects.bulk_create(
        Club(name=fitting(text, 40), skeleton=str(number), words=fitting(text, 2000), size=len(TEXTS))
        for number, text in enumerate(TEXTS)
    )
    Membership.objects.bulk_create(Membership(club=one, user=ann, state="invited") for one in made[:-1:2])
    Membership.objects.bulk_create(Membership(club=one, user=ann) for one in made[1:-1:2])
    own = made[-1]
    Membership.objects.create(club=own, user=ann, role="owner")
    Membership.objects.bulk_create(
        Membership(club=own, user=person, state=("in", "asked", "invited", "out")[number % 4])
        for number, person in enumerate(crowd)
    )
    ChatLine.objects.bulk_create(
        ChatLine(club=own, channel="club", user=person, text=fitting(text, LONGEST_LINE))
        for person, text in zip(crowd, TEXTS, strict=True)
    )
    return own.pk


def keep_about(kim: User, crowd: list[User]) -> list[Authenticator]:
    """Kim's keys and further addresses, named by hostile texts, and her people; return the keys."""
    EmailAddress.objects.create(user=kim, email=kim.email, primary=True, verified=True)
    EmailAddress.objects.bulk_create(
        EmailAddress(user=kim, email=f"{number}{fitting(text, 250)}") for number, text in enumerate(TEXTS)
    )
    Muted.objects.bulk_create(Muted(user=kim, person=person) for person in crowd)
    Follow.objects.bulk_create(Follow(follower=kim, followed=person) for person in crowd[::2])
    Block.objects.bulk_create(Block(blocker=kim, blocked=person) for person in crowd[1::2])
    return Authenticator.objects.bulk_create(
        Authenticator(user=kim, type="webauthn", data={"name": fitting(text, 10_000), "credential": {}})
        for text in TEXTS
    )


def keep_history(root: User, subject: Model) -> None:
    """Reasons that an admin gave for what was done to this."""
    about = ContentType.objects.get_for_model(subject)
    LogEntry.objects.bulk_create(
        LogEntry(
            user=root, content_type=about, object_id=subject.pk, object_repr=fitting(text, 200),
            action_flag=CHANGE, action_time=site_clock.now(), change_message=fitting(text, 300),
        )
        for text in TEXTS
    )  # fmt: skip


def staged() -> dict[str, int]:
    """Make a match, a table, reports, sanctions and audit rows full of hostile texts; and their numbers."""
    ann, mo = member("ann"), member("mo", is_staff=True)
    mo.groups.add(moderators())
    crowd = [member(f"crowd{number}") for number in range(len(TEXTS))]
    match, table = seated(ann, *crowd[:3]), opened(crowd[5], invited=[ann])
    seated(ann, crowd[4], access=Match.Access.LINK)
    others = {slug: seated(*as_many(slug, ann, *crowd[:3]), game_slug=slug).pk for slug in games()[1:]}
    done = played_on(seated(ann, crowd[6], game_slug="yay"), Random(1))
    for number, (person, text) in enumerate(zip(crowd, TEXTS, strict=True)):
        User.objects.filter(pk=person.pk).update(username=f"{fitting(text, 21)}{number:03}")
    lines = ChatLine.objects.bulk_create(
        ChatLine(match=match, channel="players", user=person, text=fitting(text, LONGEST_LINE))
        for person, text in zip(crowd, TEXTS, strict=True)
    )
    made = Report.objects.bulk_create(
        Report(
            reporter=person,
            member=ann,
            match=match,
            line=lines[30],
            reason="other",
            words=fitting(text, 2000),
            said=fitting(text, 1000),
        )
        for person, text in zip(crowd, TEXTS, strict=True)
    )
    audits = Audit.objects.bulk_create(
        Audit(moderator=mo, member=ann, report=made[0], deed="warn", reason=fitting(text, LONGEST_REASON))
        for text in TEXTS
    )
    Audit.objects.create(moderator=mo, match=match, report=made[0], deed="read", reason="x")  # mo reads the chat
    closed = {"state": "settled", "reply": "acted", "closed_at": site_clock.now(), "reason": "other"}
    Report.objects.bulk_create(
        Report(reporter=ann, member=person, words=fitting(text, 2000), answer=fitting(text, LONGEST_REASON), **closed)
        for person, text in zip(crowd, TEXTS, strict=True)
    )
    sanctions = Sanction.objects.bulk_create(
        Sanction(member=ann, kind="warning", reason=fitting(text, LONGEST_REASON)) for text in TEXTS
    )
    appeals = Appeal.objects.bulk_create(
        Appeal(sanction=one, words=fitting(text, 2000), answer=fitting(text, LONGEST_REASON), state="refused")
        for one, text in zip(sanctions, TEXTS, strict=True)
    )
    Standing.objects.bulk_create(
        Standing(
            user=person,
            game_slug="yum-extra",
            season="",
            rating=1500_00 + n,
            matches=20,
            last_active=site_clock.now(),
        )
        for n, person in enumerate(crowd)
    )
    Seat.objects.filter(match=match, user=ann).update(notes="\n".join(fitting(text, 10_000) for text in TEXTS)[:10_000])
    contest, club = keep_contests(crowd), keep_clubs(ann, crowd)
    kim, root = member("kim"), User.objects.create_superuser("root", "root@example.org", PASSWORD)
    keys = keep_about(kim, crowd)
    more = groups_kept(ann, kim, crowd, {"club": club, "contest": contest, "table": table.pk, "done": done.pk})
    sweep = Sweep.objects.create(due=1)
    for subject in (match, sweep, kim):
        keep_history(root, subject)
    Audit.objects.bulk_create(
        Audit(moderator=root, sweep=sweep, deed="undo", reason=fitting(text, 300)) for text in TEXTS
    )
    return {
        "kim": kim.pk, "root": root.pk, "key": keys[0].pk, "sweep": sweep.pk,
        "ann": ann.pk, "mo": mo.pk, "match": match.pk, "table": table.pk, "last": lines[-1].pk,
        "middle": lines[30].pk, "report": made[0].pk, "audit": audits[0].pk,
        "sanction": sanctions[7].pk, "appeal": appeals[7].pk,
        "done": done.pk, "contest": contest, "club": club, "host": crowd[7].pk, **others, **more,
    }  # fmt: skip
