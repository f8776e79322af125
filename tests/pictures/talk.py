"""What people say at the match that is photographed, and what a moderator then finds in the admin."""

from datetime import timedelta

from accounts.models import User
from config.lib import clock
from games.models import ChatLine, Match
from games.moderation import members, queue, reports
from games.moderation.models import Trace
from games.queries.play import seats_of
from games.services.chat import lines as chat_lines
from tests.bench.prepare import log_in

WHY = {"fr": "Insultes répétées malgré un avertissement.", "en": "Insults again, after a warning."}
SAID = {
    "fr": (
        "Bonsoir à tous, bonne partie !",
        "Merci @Mireille. Quatre six d’entrée, j’aurais dû jouer au loto.",
        "Les cotes sont là, si ça vous dit : https://example.org/yam/cotes?des=5.",
        "espèce de nul, tu joues comme un sac de patates",
        "@Ana à toi, on t’attend :)",
    ),
    "en": (
        "Good evening, have a good match!",
        "Thank you @Mireille. Four sixes at once, I should have played the lottery.",
        "The odds are here, if you like: https://example.org/yam/odds?dice=5.",
        "you fool, you play like a sack of potatoes",
        "@Ana your turn, we are waiting :)",
    ),
}


def stage_talk(language: str, match: Match, ana: User, mireille: User, otto: User) -> dict[str, object]:
    """Talk at a match, report a line, do something about it; return numbers, and a moderator's session."""
    mo = User.objects.create_superuser("Moderna", "moderna@example.org", "x", language=language)
    User.objects.filter(pk=mo.pk).update(time_zone="Europe/Paris")
    words, why = SAID[language], WHY[language]
    lines = []
    for number, (person, text) in enumerate(zip((mireille, ana, mireille, otto, mireille), words, strict=True)):
        line = chat_lines.say(match=match, seats=seats_of(match), user=person, text=text)
        ChatLine.objects.filter(pk=line.pk).update(at=clock.now() - timedelta(minutes=53 - 9 * number))
        lines.append(line)
    report = reports.report(reporter=mireille, reason="insult", words=words[3], line=lines[3])
    reports.report(reporter=ana, reason="stalling", words="", match=match)
    reports.report(reporter=otto, reason="spam", words="", member=mireille)
    members.warn(moderator=mo, member=otto, reason=why, report=report)
    queue.set_state(moderator=mo, report=report, deed="take", reason=why)
    members.mute(moderator=mo, member=otto, reason=why, until=clock.now() + timedelta(days=3), report=report)
    today = clock.now().date()
    Trace.objects.bulk_create(Trace(member=person, kind="range", mark="same", on=today) for person in (otto, mireille))
    return {
        "moderator": log_in(mo),
        "muted": log_in(otto),
        "line": lines[3].pk,
        "report": report.pk,
        "otto": otto.pk,
    }
