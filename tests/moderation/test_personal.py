"""What chat and moderation hold about a person: in the file of their data, and gone with their account."""

import json

import pytest

from accounts.models import User
from accounts.names import may_name, unnamed
from accounts.services.closing import close_account
from games.models import Audit, ChatLine
from games.moderation import matches, members, reports
from games.moderation import personal_data as moderation_personal_data
from games.moderation.models import Report, Sanction
from games.queries.play import seats_of
from games.services.chat import lines
from games.services.people import personal_data
from tests.factories import WHY, member, seated, snapshot


@pytest.fixture
def talk(ann, bob, mo):
    """Ann, who is soon called Anemone, talks, is called, reported, renamed and hidden."""
    members.rename(moderator=mo, member=ann, reason=WHY, name="Anemone")
    match = seated(ann, bob)
    line = lines.say(match=match, seats=seats_of(match), user=ann, text="I am Anemone")
    lines.say(match=match, seats=seats_of(match), user=bob, text="@anemone @Anemonefish x@Anemone.org")
    lines.mute(user=ann, line=ChatLine.objects.get(user=bob), wish=True)
    reports.report(reporter=bob, reason="spam", words="look at Anemone", line=line)
    reports.report(reporter=ann, reason="other", words="it was not me", member=bob)
    matches.hide(moderator=mo, line=line, reason="anemone was rude")
    return ann


def whole(data: dict) -> dict:
    """Return the data as the file has them, iterators read."""
    return json.loads(json.dumps({name: list(rows) for name, rows in data.items()}))


def test_it_is_in_the_file(talk):
    said = whole(personal_data.chat_data(talk))
    assert [line["text"] for line in said["chat"]] == ["I am Anemone"]
    assert said["muted"] == ["bob"]
    held = whole(moderation_personal_data.moderation_data(talk))
    assert [row["words"] for row in held["reports_made"]] == ["it was not me"]
    assert [row["kind"] for row in held["sanctions"]] == ["renaming"]
    assert "look at" not in json.dumps(held)


def test_it_is_gone_with_the_account(talk, bob):
    personal_data.forget_lines(talk)
    moderation_personal_data.forget_member(talk)
    talk.delete()
    assert [line.text for line in ChatLine.objects.all()] == ["@… @Anemonefish x@Anemone.org"]
    assert {(row.state, row.words, row.said) for row in Report.objects.all()} == {
        ("open", "look at …", ""),
        ("open", "", ""),
    }
    assert {(row.deed, row.reason) for row in Audit.objects.all()} == {
        ("rename", WHY),
        ("hide", "… was rude"),
    }
    ChatLine.objects.all().delete()
    left = {name: rows for name, rows in snapshot().items() if "anemone" in str(rows).lower()}
    assert left == {}


@pytest.mark.thin(2)
@pytest.mark.parametrize("name", ["Élodie", "élan", "ŽOFIE", "Ωμέγα", "ÉÀÇ"])
def test_a_name_with_accents_goes_in_any_case(name, mo, bob):
    """SQLite folds the case of ASCII alone."""
    person = member(name)
    match = seated(person, bob)
    other = {name.upper(), name.lower(), name.title()}
    for form in other:
        lines.say(match=match, seats=seats_of(match), user=bob, text=f"@{form}, you there?")
        members.warn(moderator=mo, member=bob, reason=f"{form} was insulted")
        matches.give_time(moderator=mo, match=match, hours=1, reason=f"{form}'s clock")
    close_account(user_id=person.pk)
    assert {line.text for line in ChatLine.objects.all()} == {"@…, you there?"}
    assert {row.reason for row in Sanction.objects.all()} == {"… was insulted"}
    assert {row.reason for row in Audit.objects.filter(deed="time")} == {"…'s clock"}


def test_a_name_is_a_word_of_its_own():
    text = "Ann, ann; ANN's: @ann (ann) hannah anne ann2 _ann"
    assert unnamed(text, "ann") == "…, …; …'s: @… (…) hannah anne ann2 _ann"
    assert unnamed("STRASSE strasse Straße", "Straße") == "… … …"
    assert unnamed("a.b a+b axb", "a.b") == "… a+b axb"
    assert not may_name("text", "Ωμέγα")
    assert may_name("text", "Élodie").children == [("text__icontains", "lodie")]


def test_a_name_from_before_goes_too(mo, ann, bob):
    """What called them by it meanwhile, and nothing that means who has the name now."""
    match = seated(ann, bob)
    lines.say(match=match, seats=seats_of(match), user=bob, text="hello @ann")
    members.rename(moderator=mo, member=ann, reason="ann is no name", name="Violet")
    members.rename(moderator=mo, member=ann, reason=WHY, name="Iris")
    matches.give_time(moderator=mo, match=match, hours=1, reason="ann, Violet and iris are one")
    now = User.objects.create_user("ann", "another.ann@example.org")
    again = seated(now, bob)
    lines.say(match=again, seats=seats_of(again), user=bob, text="and you @ann")
    close_account(user_id=ann.pk)
    assert [line.text for line in ChatLine.objects.order_by("pk")] == ["hello @…", "and you @ann"]
    rows = Audit.objects.order_by("pk").values_list("deed", "reason", "details")
    assert list(rows) == [
        ("rename", "… is no name", ""),
        ("rename", WHY, ""),
        ("time", "…, … and … are one", "1 h"),
    ]


def test_rows_that_have_nothing_to_do_with_who_goes_stay_as_they_are(mo, ann, bob):
    """A name may be a word: whoever bears it does not rewrite what was done to others."""
    person = member("spam")
    members.warn(moderator=mo, member=ann, reason="Spam in three matches, spam again")
    about_ann = reports.report(reporter=bob, reason="spam", words="he posts spam", member=ann)
    other = seated(ann, bob)
    matches.give_time(moderator=mo, match=other, hours=1, reason="spam stood in the way")
    before = snapshot()
    close_account(user_id=person.pk)
    after = snapshot()
    assert [after[name] for name in ("moderation.Audit", "moderation.Report")] == [
        before[name] for name in ("moderation.Audit", "moderation.Report")
    ]
    about_ann.refresh_from_db()
    assert about_ann.words == "he posts spam"


def test_nothing_from_before_they_came_is_touched(mo, ann, bob):
    match = seated(ann, bob)
    lines.say(match=match, seats=seats_of(match), user=bob, text="no @spam here")
    members.warn(moderator=mo, member=ann, reason="spam, spam, spam")
    matches.give_time(moderator=mo, match=match, hours=1, reason="spam stood in the way")
    close_account(user_id=bob.pk)  # the match has a former member
    before = snapshot()
    close_account(user_id=member("spam").pk)
    assert {name: rows for name, rows in snapshot().items() if rows != before[name]} == {}


def test_what_others_are_told_of_their_sanctions_loses_the_name(mo, ann, bob, cem):
    """Whatever was written about it: the audit of the same loses it where it has to do with them."""
    about = reports.report(reporter=ann, reason="insult", words="he insulted me", member=bob)
    members.warn(moderator=mo, member=bob, reason="you insulted ann", report=about)
    members.warn(moderator=mo, member=cem, reason="you insulted Ann, too")
    close_account(user_id=ann.pk)
    told = Sanction.objects.order_by("pk").values_list("reason", flat=True)
    assert list(told) == ["you insulted …", "you insulted …, too"]
    kept = Audit.objects.order_by("pk").values_list("reason", flat=True)
    assert list(kept) == ["you insulted …", "you insulted Ann, too"]


def test_what_is_said_of_matches_with_them_loses_the_name(mo, ann, bob, cem):
    match = seated(ann, bob, cem)
    line = lines.say(match=match, seats=seats_of(match), user=bob, text="Ann, you are a fool")
    for about in ({"match": match}, {"line": line}):
        reports.report(reporter=cem, reason="insult", words="bob insults ann", **about)
    matches.hide(moderator=mo, line=line, reason="insult of ann")
    close_account(user_id=ann.pk)
    assert {(row.words, row.said) for row in Report.objects.all()} == {
        ("bob insults …", ""),
        ("bob insults …", "…, you are a fool"),
    }
    assert Audit.objects.get().reason == "insult of …"
    assert not User.objects.filter(username="ann").exists()
