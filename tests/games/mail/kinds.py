"""For each kind of mail, a match about which Ann is to get one of it."""

from datetime import timedelta

from accounts.models import User
from config.lib import clock as site_clock
from games.models import Kind, Match, Notice
from games.queries.play import seats_of
from games.services.chat import lines
from games.services.lobby import closing
from games.services.mail.notices import note
from games.services.play import moves
from tests.factories import opened, seated
from tests.mailing import prefer, wind


def of_kind(kind: str, ann: User, bob: User) -> Match:
    """Return a match about which Ann is to get a mail of this kind and of no other."""
    if kind == Kind.DECLINED:
        match = opened(ann, invited=[bob])
        closing.decline(match_id=match.pk, user=bob)
        return match
    match = opened(bob, invited=[ann]) if kind == Kind.INVITED else seated(ann, bob)
    if kind != Kind.INVITED:
        Notice.objects.all().delete()
        match.seats.update(ask=None, asked_at=None, deadline=None, runs_from=None)
    if kind in (Kind.TURN, Kind.REMINDER, Kind.REMINDER2):
        match.seats.filter(number=0).update(ask=70, asked_at=site_clock.now())
        hours = {Kind.TURN: 60, Kind.REMINDER: 11, Kind.REMINDER2: 2.5}[Kind(kind)]
        wind(match.seats.get(number=0), left=timedelta(hours=hours), bank=timedelta(hours=72))
    elif kind == Kind.REFUSED:
        moves.wish_pause(match_id=match.pk, user=ann, wish=True)
        moves.wish_pause(match_id=match.pk, user=bob, wish=False)
        Notice.objects.exclude(kind=kind).delete()
        return match
    elif kind == Kind.SAID:
        prefer(ann, chat_mails=True)
        lines.say(match=match, seats=seats_of(match), user=bob, text="hello")
        return match
    elif kind == Kind.LAPSED:
        Match.objects.update(status="ended", ending="lapsed", ended_at=site_clock.now())
    elif kind == Kind.ENDED:
        Match.objects.update(status="ended", ending="called_off", ended_at=site_clock.now())
    elif kind == Kind.VOIDED:
        at = site_clock.now()
        Match.objects.update(status="ended", ending="called_off", ended_at=at, voided_at=at)
    if kind == Kind.ABSENT:
        match.seats.filter(user=ann).update(absent=True, bot="strong", left=1)
    if kind == Kind.MENTIONED:
        lines.say(match=match, seats=seats_of(match), user=bob, text="@ann are you there?")
    elif kind == Kind.PROPOSED:
        moves.wish_pause(match_id=match.pk, user=bob, wish=True)
    elif kind not in (Kind.INVITED, Kind.TURN, Kind.REMINDER, Kind.REMINDER2):
        note(match, kind, [ann.pk], ask=3)
    return match
