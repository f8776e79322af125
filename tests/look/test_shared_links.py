"""What other sites show of a link (Open Graph): whole, in the page's language, nothing that only its reader may see."""

from html.parser import HTMLParser
from random import Random

import pytest
from django.template import Context, Template

from games.models import Match
from games.rules import games
from tests.factories import browser_of, opened, played_on, seated

NAMES = {*(f"og:{name}" for name in ("title", "description", "type", "url", "site_name", "image")), "twitter:card"}
USUAL = {"en": "Five table games, a move at a time", "fr": "Cinq jeux de table, un coup à la fois"}
SLUG = games()[0]

pytestmark = pytest.mark.django_db


class Tags(HTMLParser):
    """The tags of a page by their names."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.feed(text.partition("</head>")[0])

    def handle_starttag(self, tag: str, attrs) -> None:
        known = dict(attrs)
        name = known.get("property") or known.get("name", "")
        if tag == "meta" and name.startswith(("og:", "twitter:")):
            assert name not in self.found, name
            self.found[name] = known["content"]


def tags(path: str, person=None, language: str = "en") -> dict[str, str]:
    answer = browser_of(person).get(path, headers={"accept-language": language}, follow=True)
    return Tags(answer.content.decode()).found


@pytest.fixture
def public(ann, bob, settings) -> dict[str, tuple[str, str]]:
    """Shared pages: what their links are called in both languages, by their paths."""
    table, by_link = opened(ann), opened(ann, access=Match.Access.LINK)
    running = seated(ann, bob)
    calls = ("ann invites you to Yum EXTRA", "ann vous invite à Yum EXTRA")
    return {
        "/": (USUAL["en"], USUAL["fr"]),
        "/play/": ("Open tables", "Tables ouvertes"),
        f"/games/{SLUG}/": ("Yum EXTRA: the rules", "Yum EXTRA : les règles"),
        f"/leaderboards/{SLUG}/": ("Leaderboard · Yum EXTRA", "Classement · Yum EXTRA"),
        "/leaderboards/yesss/teams/": ("Best teams · YESSS!", "Meilleures équipes · YESSS!"),
        "/people/ann/": ("ann", "ann"),
        f"/matches/{table.pk}/": calls,
        f"/join/{by_link.token}/": calls,
        f"/matches/{running.pk}/": ("ann and bob · Yum EXTRA", "ann et bob · Yum EXTRA"),
    }


@pytest.mark.thin(1)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_shared_pages_say_what_they_are(public, settings, language):
    for path, titles in public.items():
        found = tags(path, language=language)
        assert found.keys() >= NAMES and all(found.values()), path
        assert found["og:title"] == titles[language == "fr"]
        assert found["og:url"] == settings.SITE_URL + path
        assert found["og:type"] == ("profile" if "people" in path else "website")
        assert (found["og:site_name"], found["twitter:card"]) == ("Club Y", "summary_large_image")
        assert found["og:image"].startswith(settings.SITE_URL)
    descriptions = {
        language: [tags(path, language=language)["og:description"] for path in public] for language in USUAL
    }
    assert all(one != other for one, other in zip(*descriptions.values(), strict=True))


def test_whoever_copies_the_link_of_a_public_match_passes_on_what_all_may_see(ann, bob, public):
    for path in public:
        for person in (ann, bob):
            assert tags(path, person) in (tags(path), tags("/")), path  # who sits at a table by link is led to it


def test_a_player_s_own_question_is_in_no_tag(ann, bob, cem):
    match = played_on(seated(ann, bob, cem, game_slug="yam-menteur"), Random(3), turns=3)
    for path in (f"/matches/{match.pk}/", f"/matches/{match.pk}/log/", f"/matches/{match.pk}/replay/2/"):
        for person in (ann, bob):
            assert tags(path, person) == tags(path), path


def test_a_private_table_is_in_no_tag(ann, bob, cem):
    by_link, asked = opened(ann, access="link"), opened(ann, access="invitation", invited=[bob])
    running = played_on(seated(ann, bob, access="link"), Random(2), turns=2)
    paths = [f"/matches/{match.pk}/{rest}" for match in (by_link, asked) for rest in ("", "chat/")]
    paths += [f"/matches/{running.pk}/{rest}" for rest in ("", "log/", "replay/1/", "chat/")]
    usual = tags("/")
    for path in paths:
        for person in (ann, bob, cem, None):
            assert tags(path, person) == usual, path


def test_a_page_of_one_s_own_is_not_passed_on(ann):
    found = tags("/matches/", ann)
    assert found and found == tags("/")


def test_the_address_is_told_without_what_was_asked(settings, ann):
    assert tags("/people/ann/?game=%22%3E%3Cscript%3E")["og:url"] == f"{settings.SITE_URL}/people/ann/"


def test_no_text_ends_a_tag():
    text = '{% load pieces %}{% phrase said %}\n  {{ name }}\n  says "no"{% endphrase %}<meta content="{{ said }}">'
    shown = Template(text).render(Context({"name": '"><script>'}))
    assert shown == '<meta content="&quot;&gt;&lt;script&gt; says &quot;no&quot;">'
