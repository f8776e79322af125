"""What the site tells of itself: version, source, imprint, security.txt, robots, the site map, the card for links."""

from datetime import datetime, timedelta
from xml.etree import ElementTree

from django.contrib.staticfiles import finders
from django.test import Client

from config.lib import clock
from config.lib.version import VERSION
from games.models import Match
from games.rules import games
from tests.factories import opened
from tests.processes import ROOT


def page(address: str, **headers: str) -> str:
    answer = Client(headers=headers).get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_version_stands_in_the_foot_and_in_the_changes(db):
    assert f"Version {VERSION}" in page("/")
    assert f"## {VERSION}" in (ROOT / "CHANGELOG.md").read_text()
    assert f"### {VERSION}" in (ROOT / "docs" / "upgrading.md").read_text()


def test_where_the_source_is_told_if_set(db, settings):
    assert "Source code" not in page("/")
    settings.SOURCE_URL = "https://code.example/club-y"
    assert 'href="https://code.example/club-y"' in page("/")


def test_the_imprint_is_the_operators(db, settings, tmp_path):
    assert Client().get("/imprint/").status_code == 404
    assert "/imprint/" not in page("/")
    settings.IMPRINT_FILE = str(tmp_path / "imprint.txt")
    assert Client().get("/imprint/").status_code == 404  # a wrong path breaks no page
    (tmp_path / "imprint.txt").write_text("Association <Y>\n1 rue des Dés\n\nclub@example.org")
    found = page("/imprint/")
    assert "Association &lt;Y&gt;<br>1 rue des Dés" in found
    assert 'href="mailto:club@example.org"' in found
    assert "Mentions légales" in page("/imprint/", accept_language="fr")
    assert 'href="/imprint/"' in page("/")


def test_whom_to_tell_of_a_weakness(db, settings):
    assert Client().get("/.well-known/security.txt").status_code == 404
    settings.SECURITY_CONTACT = ["mailto:safety@club.example", "https://club.example/safety"]
    answer = Client().get("/.well-known/security.txt")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    lines = [line.split(": ", 1) for line in answer.content.decode().splitlines()]
    assert [value for name, value in lines if name == "Contact"] == settings.SECURITY_CONTACT
    until = datetime.fromisoformat(dict(lines)["Expires"])
    assert timedelta(days=30) < until - clock.now() < timedelta(days=365)


def test_robots_are_told_where_the_map_is(db, settings):
    assert f"Sitemap: {settings.SITE_URL}/sitemap.xml" in page("/robots.txt")


def test_the_map_holds_pages_that_open_for_everybody_and_none_of_a_person_or_match(db, ann):
    match: Match = opened(ann)
    found = ElementTree.fromstring(page("/sitemap.xml"))
    places = [place.text or "" for place in found.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]
    assert len(places) == len(set(places)) == 10 + 3 * len(games())
    for place in places:
        path = "/" + place.split("/", 3)[3]
        assert 'name="robots" content="noindex"' not in page(path)
    assert not [place for place in places if f"/{match.pk}/" in place or "people" in place]


def test_an_imprint_in_another_encoding_is_read_as_far_as_it_can_be(db, settings, tmp_path):
    (tmp_path / "imprint").write_bytes("Jane Müller\nParis".encode("latin-1"))
    settings.IMPRINT_FILE = str(tmp_path / "imprint")
    assert "Jane M\ufffdller" in page("/imprint/")


def test_the_map_names_the_site_whatever_host_asks(db, settings):
    """A cache before the site, or one host of several, hands it on to all."""
    found = Client().get("/sitemap.xml", headers={"host": "localhost:99"}).content.decode()
    assert f"<loc>{settings.SITE_URL}/play/</loc>" in found and "localhost" not in found


def test_a_link_elsewhere_has_a_card_and_words(db, settings, ann):
    found = page("/")
    assert f'property="og:image" content="{settings.SITE_URL}/static/site/card.png"' in found
    assert finders.find("site/card.png")
    assert 'name="description" content="Play five table games' in found
    assert 'name="description" content="Jouez à cinq jeux' in page("/", accept_language="fr")
    slug = games()[0]
    assert 'name="description" content="Play five' not in page(f"/games/{slug}/")
    private = opened(ann, access=Match.Access.LINK)  # whoever has the link may see who invites, and to what
    told = page(f"/join/{private.token}/").partition("</head>")[0]
    assert f'content="{settings.SITE_URL}/join/{private.token}/card.png"' in told and "ann invites you" in told
