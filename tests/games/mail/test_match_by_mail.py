"""A match of a game with secrets, played from the mails alone to its end, by what they say one may answer."""

from random import Random

import pytest

from games.models import Match, Turn
from games.services.mail import delivery
from tests import FULL
from tests.factories import fresh, played_on, seated
from tests.mailing import prefer, send
from tests.replying import letter, take


def phrases_of(sent) -> list[str]:
    """Return what a mail says that one may answer."""
    return [line.strip() for line in sent.body.splitlines() if line.startswith("  ") and line.strip()]


@pytest.mark.thin(0)
@pytest.mark.django_db
@pytest.mark.usefixtures("replies_on")
def test_a_whole_match_of_yam_menteur_by_mail_alone(ann, bob, cem, clock, mailoutbox):
    prefer(bob, language="fr")
    match, rng = seated(ann, bob, cem, game_slug="yam-menteur", pace="7d"), Random(5)
    begun = fresh(played_on(match, Random(5), turns=0 if FULL else 90)).turns
    answered = 0
    while fresh(match).status == Match.Status.RUNNING:
        clock.forward(1900)
        news = send()
        assert news, "somebody is asked and is not told"
        while news:
            for sent in news:
                to = sent.extra_headers.get("Reply-To", "")
                if to:
                    [address] = sent.to
                    assert str(take(letter(address, to, rng.choice(phrases_of(sent))), to)).startswith("250")
                    answered += 1
            before = len(mailoutbox)
            delivery.send_due()
            news = mailoutbox[before:]
    assert fresh(match).ending == Match.Ending.PLAYED
    assert set(match.log.values_list("by", flat=True)) <= {Turn.By.PERSON, ""}
    assert match.turns or fresh(match).turns > 100
    assert answered >= fresh(match).turns - begun > 20
