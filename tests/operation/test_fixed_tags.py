"""Tags that are worked out once say in each language, and at each address of the site, what Django's own would."""

import pytest
from django.http import HttpRequest
from django.template import Context, Engine
from django.test import override_settings
from django.urls import NoReverseMatch, set_script_prefix
from django.utils import translation
from django.utils.safestring import SafeString

OURS = Engine(builtins=["config.lib.fixed_tags"])
DJANGO = Engine(builtins=["django.templatetags.i18n"])

TEXTS = [
    '{% translate "Chat" %}',
    "{% translate 'Chat' %} {% trans \"Chat\" %}",
    '{% translate "Undo" context "a move" %}{% translate "Undo" context which %}',
    '{% translate "Chat" as said %}[{{ said }}]',
    '{% translate "Chat" noop %}',
    '{% translate words %}{% translate words|upper %}{% translate "chat"|title %}',
    '{% translate "<b>100%</b>" %}{% translate _("Chat") %}',
    '{% autoescape off %}{% translate "<b>" %}{% url "home" %}{% endautoescape %}',
    '{% url "home" %}{% url "lobby" %}',
    '{% url "match" 7 %}{% url "match" match_id=number %}',
    '{% url "home" as there %}[{{ there }}]{% url "nowhere" as none %}[{{ none }}]',
    '{% url where %}{% url "admin:index" %}',
    '{% url "profile" words %}{% url "profile" safe %}{% url "profile" name=words|lower %}',
    '{% url "match" text %}{% url "replay" number 1 %}{% url "replay" step=number match_id=7 %}',
]


def shown(engine: Engine, text: str) -> list[str]:
    made = engine.from_string(text)
    found = []
    for language in ("en", "fr", "en", "fr"):
        for words in ("Chat", "<Undo>"):
            with translation.override(language):
                about = {"words": words, "number": 8, "where": "lobby", "which": "a move", "request": HttpRequest()}
                about |= {"text": "8", "safe": SafeString("<b>")}
                found.append(made.render(Context(about)))
    return found


@pytest.mark.parametrize("text", TEXTS)
def test_they_say_what_those_of_django_say(text: str) -> None:
    assert shown(OURS, text) == shown(DJANGO, text)


def test_the_languages_differ() -> None:
    english, _other, french, *_again = shown(OURS, '{% translate "Chat" %}')
    assert english != french


def test_an_address_is_that_of_the_site_as_it_is_asked() -> None:
    link = OURS.from_string('{% url "home" %}')
    assert link.render(Context()) == "/"
    try:
        set_script_prefix("/below/")
        assert link.render(Context()) == "/below/"
    finally:
        set_script_prefix("/")
    with override_settings(ROOT_URLCONF="tests.bench.bare_site"), pytest.raises(NoReverseMatch):
        link.render(Context())


def test_a_wrong_address_is_an_error_at_each_page() -> None:
    link = OURS.from_string('{% url "nowhere" %}')
    for _time in range(2):
        with pytest.raises(NoReverseMatch):
            link.render(Context())


@pytest.mark.parametrize("wrong", [True, "x", -1, 1.0, None, ["7"]])
def test_an_argument_that_fits_no_address_is_an_error_beside_one_that_does(wrong: object) -> None:
    ours, django = (engine.from_string('{% url "match" number %}') for engine in (OURS, DJANGO))
    assert ours.render(Context({"number": 1})) == django.render(Context({"number": 1}))
    for template in (ours, django):
        with pytest.raises(NoReverseMatch):
            template.render(Context({"number": wrong}))
