"""The page from which the file of one's data comes says all that is in it."""

from tests.factories import browser_of
from tests.games.people.test_export import data_of

TOLD = {  # what the page says, by the name in the file
    "Your account with its settings": {"account"},
    "e-mail addresses, second factors": {"email_addresses", "second_factors"},
    "log-ins and days off": {"sessions", "days_off"},
    "Whom you follow, have blocked and have muted": {"follows", "has_blocked", "muted"},
    "your seats with notes and standing orders": {"matches"},
    "when you ran out of time": {"left_to_substitutes"},
    "invitations, standing challenges, and": {"invitations", "last_invited", "standing_challenges", "tables_opened"},
    "What you wrote in chats": {"chat"},
    "What you answered to the puzzles": {"puzzles"},
    "those you entered": {"tournaments"},
    "those you organised": {"tournaments_organised"},
    "what you corrected in any": {"tournament_corrections"},
    "who asked whom to take a place": {"tournament_offers"},
    "Your ladders": {"ladders"},
    "Your clubs": {"clubs", "news_of_clubs"},
    "Your club matches": {"club_matches_announced", "club_matches", "news_of_club_matches"},
    "circles of friends": {"circles_of_friends", "news_of_circles"},
    "Your ratings, and how each match changed them": {"ratings", "rating_changes"},
    "the championships": {"championships", "medals"},
    "Which mails we sent you": {"mails"},
    "Where you are called on devices": {"devices", "called_on_devices", "places_of_channels"},
    "Your webhooks": {"webhooks"},
    "Since when a calendar program can read": {"calendar_since"},
    "what became of your replies": {"replies"},
    "what we still have to": {"still_to_be_told"},
    "The reports you made": {"reports_made"},
    "sanctions against you, your appeals": {"sanctions", "appeals"},
    "marks against second accounts": {"traces"},
    "Your tokens for programs": {"tokens"},
    "Your bots and their tokens": {"bots"},
}


def test_the_page_says_all_that_is_in_the_file(ann):
    text = browser_of(ann).get("/settings/data/").content.decode()
    for words in TOLD:
        assert words in text, words
    assert set().union(*TOLD.values()) == set(data_of(ann)) - {"format", "made_at"}
