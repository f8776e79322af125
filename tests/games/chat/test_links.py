"""Links in what people write: which lead out by the page that asks, and which are the site's own."""

import pytest

from config.lib.texts import clean_text
from games.queries.play import seats_of
from games.services.chat import lines
from games.views.chat_rendering import line_html
from tests.factories import browser_of, seated

LIVE = {"X-Live": "1"}


@pytest.fixture
def match(ann, bob):
    return seated(ann, bob)


def say(match, user, text="hello"):
    return lines.say(match=match, seats=seats_of(match), user=user, text=text)


def address(match, what="") -> str:
    return f"/matches/{match.pk}/chat/{what}"


def read(match, person=None) -> str:
    return browser_of(person).get(address(match), headers=LIVE).content.decode()


def test_links_lead_to_the_page_that_asks():
    html = line_html("see (https://evil.example/a?b=1&c=2). <b>x</b>", set())
    assert 'href="/leaving/?to=https%3A%2F%2Fevil.example%2Fa%3Fb%3D1%26c%3D2"' in html
    assert ">https://evil.example/a?b=1&amp;c=2</a>). &lt;b&gt;" in html
    assert "<a" not in line_html("javascript:alert(1) data:text/html,x www.example.org", set())


OURS = {"club.example", "localhost:8105"}


@pytest.mark.parametrize(
    "address",
    [
        "http://club.example@evil.example/",
        "http://club.example:pass@evil.example/",
        "http://club.example:80@evil.example/",
        "http://evil.example#club.example",
        "http://evil.example/club.example",
        "http://evil.example\\@club.example/",
        "http://club.example\\@evil.example/",
        "http://club.example\\.evil.example/",
        "http://ann@club.example/",
        "http://club.example.evil.example/",
        "http://xclub.example/",
        "http://club.example./",
        "http://club.example:8000/",
        "http://localhost/",
        "http://localhost:81050/",
        "http://localhost:8105@evil.example/",
        "http:///club.example/",
        "http://club\u3002example/",
        "http://club.example\uff0f.evil.example/",
        "http://\u2100club.example/",
        "http://[club.example]/",
        "http://%63lub.example/",
    ],
)
def test_what_only_looks_like_this_site_is_asked_about(address):
    html = line_html(address, set(), hosts=OURS)
    assert 'href="/leaving/?to=http%3A%2F%2F' in html
    assert html.count("href=") == 1


@pytest.mark.parametrize(
    "address",
    [
        "http://club.example/matches/12/",
        "HTTPS://Club.Example/matches/12/?a=1&b=2#chat",
        "http://localhost:8105",
        "http://club.example//evil.example/",
        "http://club.example/@evil.example",
    ],
)
def test_links_to_this_site_lead_there(address):
    html = line_html(f"see {address}, soon", set(), hosts=OURS)
    shown = address.replace("&", "&amp;")
    assert html == f'see <a href="{shown}">{shown}</a>, soon'
    assert "leaving" in line_html(address, set())


def test_this_site_is_the_one_that_is_asked_or_the_one_of_its_mails(match, ann, settings):
    settings.SITE_URL = "https://club.example:8443"
    settings.ALLOWED_HOSTS = ["testserver", "[::1]"]
    say(
        match,
        ann,
        "http://testserver/a http://testserver:81/b https://club.example:8443/c https://club.example/d",
    )
    text = read(match, ann)
    assert 'href="http://testserver/a"' in text
    assert 'href="https://club.example:8443/c"' in text
    assert text.count('href="/leaving/') == 2
    say(match, ann, "http://[::1]:8105/e")
    answer = browser_of(ann).get(address(match), headers=LIVE | {"Host": "[::1]:8105"})
    assert 'href="http://[::1]:8105/e"' in answer.content.decode()


def test_the_page_that_asks(client, db):
    answer = client.get("/leaving/", {"to": "https://пример.example/\u202egpj.exe"})
    text = answer.content.decode()
    assert "xn--" in text and "\u202e" not in text
    assert 'rel="nofollow noopener noreferrer external"' in text
    for bad in (
        "",
        "javascript:alert(1)",
        "//evil.example",
        "https://",
        "ftp://a.example",
        "http://[",
        "https://a\0b",
    ):
        assert client.get("/leaving/", {"to": bad}).status_code == 404, bad


def test_names_are_marked_when_they_are_somebodys():
    html = line_html("@Ann and @bob, not @eve or a@bob.example", {"ann", "bob"}, own="bob")
    assert '<mark class="name" translate="no">@Ann</mark>' in html
    assert '<mark class="me" translate="no">@bob</mark>,' in html
    assert html.count("<mark") == 2


def test_texts_are_cleaned():
    assert clean_text(" a\r\n\r\n\r\n\r\nb\0\x1b[31m ") == "a\n\nb[31m"
    assert clean_text("z" + "\u0301" * 40) == "ź" + "\u0301" * 3
    assert clean_text("\u202eabc\u2066\ufeff") == "abc"
    tags = "".join(chr(0xE0000 + ord(letter)) for letter in "gbsct") + "\U000e007f"
    for kept in ("🏴" + tags, "👩🏽\u200d🚀", "❤\ufe0f", "1\ufe0f\u20e3", "🇫🇷", "🫨", "\U0001fae9", "\U0001fac6"):
        assert clean_text(kept) == kept  # pictures newer than this Python, too
    assert clean_text("🏴a" + tags + "b" + tags[:-1]) == "🏴ab"  # hidden text is none
    assert clean_text("\ufdd0\U000e0001a\U000e01ef") == "a\U000e01ef"
    assert clean_text("👩\u200d🚀 नमस्ते") == "👩\u200d🚀 नमस्ते"
