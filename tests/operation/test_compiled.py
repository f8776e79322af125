"""Templates are compiled once for all languages and processes; what is kept of it never shows another template."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation import gettext_lazy
from jinja2 import DictLoader, UndefinedError
from jinja2.runtime import markup_join
from markupsafe import Markup, escape

from config.compiled import escaped, joined
from config.jinja import LanguageEnvironments, environment


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


THINGS = [
    *("", "<i>'\"&", Markup("<b>"), Markup("<b>%s") % "<", 0, -7, 10**30, True, None, 1.5, ["<", 1], {"<": ">"}),
    *(gettext_lazy("<"), Drawn("<"), Exception("<x>")),
]


@pytest.mark.parametrize("thing", THINGS)
def test_what_is_put_out_is_escaped_as_ever(thing: object, made: Callable[..., LanguageEnvironments]) -> None:
    assert str(escaped(thing)) == str(escape(thing))
    shown = made(a="{% macro one(x) %}<p>{{ x }}</p>{% endmacro %}{{ one(x) }}{{ x }}").of("en").get_template("a")
    assert shown.render(x=thing) == f"<p>{escape(thing)}</p>{escape(thing)}"


@pytest.mark.thin(57)
@pytest.mark.parametrize("other", THINGS)
@pytest.mark.parametrize("thing", THINGS)
def test_what_is_strung_together_is_escaped_as_ever(thing: object, other: object) -> None:
    for parts in ((thing,), (thing, other), ("a", thing, "<", other), (1, "<", thing)):
        mine, theirs = joined(parts), markup_join(parts)
        assert mine == theirs
        assert hasattr(mine, "__html__") == hasattr(theirs, "__html__")


MACROS = """{% macro plain(a, b) %}<i>{{ a }}{{ b }}</i>{% endmacro %}{% macro spare(a, b="<") %}<i>{{ a }}{{ b }}</i>
{%- endmacro %}{% macro round(a) %}<i>{{ a }}{{ caller() }}</i>{% endmacro %}{% macro many() %}{{ varargs | length }}
{{- kwargs | length }}{% endmacro %}"""


@pytest.mark.parametrize(
    ("called", "shown"),
    [
        ("plain('<', 1)", "<i>&lt;1</i>"),
        ("plain(b=plain(1, 2), a=3)", "<i>3<i>12</i></i>"),
        ("plain(1, b=2)", "<i>12</i>"),
        ("spare(1)", "<i>1&lt;</i>"),
        ("spare(1, 2)", "<i>12</i>"),
        ("many(1, 2, c=3)", "21"),
        ("plain('', '') | length", "7"),
        ("plain('<', '') ~ '<'", "<i>&lt;</i>&lt;"),
    ],
)
def test_macros_are_called_as_ever(called: str, shown: str, made: Callable[..., LanguageEnvironments]) -> None:
    environments = made(
        macros=MACROS,
        here=MACROS + f"{{{{ {called} }}}}",
        there=f"""{{% from "macros" import plain,
    spare, many with context %}}{{{{ {called} }}}}""",
    )
    for name in ("here", "there"):
        assert environments.of("en").get_template(name).render() == shown


def test_macros_are_called_around_what_their_caller_says(made: Callable[..., LanguageEnvironments]) -> None:
    text = MACROS + "{% call round('<') %}<b>{{ plain(1, 2) }}</b>{% endcall %}"
    assert made(a=text).of("en").get_template("a").render() == "<i>&lt;<b><i>12</i></b></i>"


@pytest.mark.parametrize("called", ["plain(1, 2, 3)", "plain(1, c=2)", "plain(1)", "round(1)"])
def test_a_macro_that_is_called_wrongly_is_an_error(called: str, made: Callable[..., LanguageEnvironments]) -> None:
    with pytest.raises((TypeError, UndefinedError)):
        made(a=MACROS + f"{{{{ {called} }}}}").of("en").get_template("a").render()


def test_a_file_that_changes_is_seen_where_files_are_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)
    found = {}
    for is_watched in (True, False):
        templates = {"a": "one"}
        environments = environment(loader=DictLoader(templates), autoescape=True, auto_reload=is_watched)
        assert environments.of("en").get_template("a").render() == "one"
        templates["a"] = "two"
        found[is_watched] = environments.of("en").get_template("a").render()
    assert found == {True: "two", False: "one"}
