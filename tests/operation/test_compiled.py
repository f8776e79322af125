"""Templates are compiled once for all languages and processes; what is kept of it never shows another template."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation import gettext_lazy
from jinja2 import DictLoader
from markupsafe import Markup, escape

from config.jinja import LanguageEnvironments, environment, escaped


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., LanguageEnvironments]:
    """Return a process's environments over these templates."""
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)
    return lambda **templates: environment(loader=DictLoader(templates), autoescape=True)


def kept(folder: Path) -> list[Path]:
    return list((folder / "templates").iterdir())


def test_the_next_process_and_the_other_language_do_not_compile(
    made: Callable[..., LanguageEnvironments], monkeypatch: pytest.MonkeyPatch
) -> None:
    made(a="{{ thing.word }}").of("en").get_template("a")
    for language in ("en", "fr"):
        later = made(a="{{ thing.word }}").of(language)
        monkeypatch.setattr(later, "compile", None)  # whoever called it would fail
        assert later.get_template("a").render(thing={"word": "<yam>"}) == "&lt;yam&gt;"


def test_a_changed_template_is_compiled_anew(made: Callable[..., LanguageEnvironments], tmp_path: Path) -> None:
    assert made(a="one").of("en").get_template("a").render() == "one"
    assert made(a="two").of("en").get_template("a").render() == "two"
    assert len(kept(tmp_path)) == 1


def test_what_a_crash_or_another_release_left_is_no_template(
    made: Callable[..., LanguageEnvironments], tmp_path: Path
) -> None:
    made(a="one").of("en").get_template("a")
    [file] = kept(tmp_path)
    whole = file.read_bytes()
    for torn in (b"", whole[:10], whole[: len(whole) // 2], b"x" + whole[1:]):
        file.write_bytes(torn)
        assert made(a="one").of("en").get_template("a").render() == "one"
        assert file.read_bytes() == whole


def test_a_disk_that_takes_nothing_only_costs_time(made: Callable[..., LanguageEnvironments], tmp_path: Path) -> None:
    (tmp_path / "templates").write_text("in the way")
    assert made(a="one").of("en").get_template("a").render() == "one"


class Drawn(str):
    """Safe by what it says of itself."""

    def __html__(self) -> str:
        return f"<b>{self}</b>"


@pytest.mark.parametrize(
    "thing",
    [
        *("", "<i>'\"&", Markup("<b>"), Markup("<b>%s") % "<", 0, -7, 10**30, True, None, 1.5, ["<", 1], {"<": ">"}),
        *(gettext_lazy("<"), Drawn("<"), Exception("<x>")),
    ],
)
def test_what_is_put_out_is_escaped_as_ever(thing: object, made: Callable[..., LanguageEnvironments]) -> None:
    assert str(escaped(thing)) == str(escape(thing))
    shown = made(a="{% macro one(x) %}<p>{{ x }}</p>{% endmacro %}{{ one(x) }}{{ x }}").of("en").get_template("a")
    assert shown.render(x=thing) == f"<p>{escape(thing)}</p>{escape(thing)}"
