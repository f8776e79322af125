"""The rules of CONTRIBUTING.md that a program can check."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
APPS = ["config", "accounts", "games", "leaderboards"]
CODE = sorted(
    path
    for app in APPS
    for path in (ROOT / app).rglob("*.py")
    if "migrations" not in path.parts and path.stat().st_size
)
TESTS = sorted((ROOT / "tests").rglob("*.py"))
TEMPLATES = sorted(
    path
    for pattern in ("templates/**/*", "games/rules/*/templates/**/*")
    for path in ROOT.glob(pattern)
    if path.is_file()
)
STATIC = sorted(
    path for app in APPS for path in (ROOT / app).glob("**/static/**/*") if path.suffix in {".css", ".js", ".svg"}
)
VENDORED = re.compile(r"\d+\.\d+")  # a vendored file has its version in its name

PRESENT = re.compile(
    r"datetime\.(now|utcnow|today)\(|date\.today\(|timezone\.(now\(|localtime\(\)|localdate\(\))"
    r"|\btime\.(time|time_ns|localtime|gmtime)\(|\b(Now|TransactionNow|StatementNow|ClockTimestamp)\("
    r"|CURRENT_(TIMESTAMP|DATE|TIME)|auto_now"
)
OUTSIDE = re.compile(
    r"(?:src|href|action|url\(|@import|fetch\(|from)[\s=(]*[\"'(]?\s*(?:https?:)?//(?!www\.w3\.org)", re.I
)
INLINE = re.compile(r"<style|\sstyle\s*=|\son[a-z]+\s*=|\shx-on|javascript:|hx-vals\s*=\s*[\"']js:", re.I)
SCRIPT = re.compile(r"<script(?![^>]*\ssrc=)(?![^>]*type=[\"']application/(?:ld\+)?json)", re.I)
UNFINISHED = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" * 3, "HA" + "CK"]) + r")\b")
LONG = re.compile(r".{121}")
LEFT_OUT = re.compile(r"\.mark\.(skip|skipif|xfail)|pytest\.(skip|xfail|importorskip)\(")


def name(path: Path) -> str:
    """Return the path as one would say it."""
    return path.relative_to(ROOT).as_posix()


def lines_with(pattern: re.Pattern[str], paths: list[Path]) -> list[str]:
    """Return where the pattern occurs, a line each."""
    return [
        f"{name(path)}:{number}: {line.strip()}"
        for path in paths
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1)
        if pattern.search(line)
    ]


def test_only_the_clock_reads_the_present() -> None:
    assert not lines_with(PRESENT, [path for path in CODE if name(path) != "config/lib/clock.py"])


def test_one_function_brings_texts_into_a_form_of_unicode() -> None:
    """As Python's own sorts rows of marks, however long, one by one; words of rules are of 40 characters at most."""
    bounded = {"config/lib/texts.py", "games/rules/yesss/wording.py"}
    normalising = re.compile(r"\bnormalize\(")
    assert not lines_with(normalising, [path for path in CODE if name(path) not in bounded])


def test_templates_do_not_read_the_present() -> None:
    assert not lines_with(re.compile(r"{%\s*now\b"), TEMPLATES)


def test_lines_of_templates_can_be_read_without_scrolling() -> None:
    drawn = {"symbols.html", "tile_symbols.html"}  # paths
    assert not lines_with(LONG, [path for path in TEMPLATES if path.name not in drawn])


@pytest.mark.parametrize(
    "line",
    [
        "datetime.now(UTC)",
        "datetime.datetime.utcnow()",
        "timezone.now()",
        "time.time()",
        "created = DateTimeField(auto_now_add=True)",
        "filter(deadline__lt=Now())",
        'cursor.execute("SELECT CURRENT_TIMESTAMP")',
    ],
)
def test_a_planted_look_at_the_present_is_found(line: str) -> None:
    assert PRESENT.search(line)


def imports_inside(tree: ast.AST) -> Iterator[int]:
    """Yield the lines of imports inside functions."""
    for function in ast.walk(tree):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from (node.lineno for node in ast.walk(function) if isinstance(node, (ast.Import, ast.ImportFrom)))


def test_imports_stand_at_the_top() -> None:
    found = [f"{name(path)}:{line}" for path in CODE for line in imports_inside(ast.parse(path.read_text()))]
    assert not found


def test_modules_say_what_they_are_for() -> None:
    assert not [name(path) for path in CODE if not ast.get_docstring(ast.parse(path.read_text()))]


def test_files_are_short() -> None:
    files = [*CODE, *TESTS, *(ROOT / "tests").rglob("*.txt")]
    counted = {name(path): len(path.read_text().splitlines()) for path in files}
    assert not {path: lines for path, lines in counted.items() if lines > 350}


def test_names_say_something() -> None:
    empty = {"utils", "helpers", "common", "manager", "misc"}
    assert not [name(path) for path in CODE if path.stem in empty or path.parent.name in empty]


def test_templates_keep_the_content_security_policy() -> None:
    saved = "check_file.html"  # sent as a file to be saved, with a policy of its own
    pages = [path for path in TEMPLATES if "mail" not in path.relative_to(ROOT).parts and path.name != saved]
    assert not lines_with(INLINE, pages) + lines_with(SCRIPT, pages)


def test_nothing_is_loaded_from_elsewhere() -> None:
    assert not lines_with(OUTSIDE, [*TEMPLATES, *(path for path in STATIC if not VENDORED.search(path.name))])


def test_nothing_is_left_for_later() -> None:
    assert not lines_with(UNFINISHED, [*CODE, *TESTS, *TEMPLATES])


def test_no_test_is_left_out() -> None:
    assert not lines_with(LEFT_OUT, [path for path in TESTS if path != Path(__file__)])


def delays(tree: ast.AST) -> Iterator[tuple[int, ast.expr]]:
    """Yield line and value of every `eta` and `countdown` that a call passes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg in {"eta", "countdown"}:
            yield node.value.lineno, node.value


def short(value: ast.expr) -> bool:
    """Tell whether the delay is a number up to 300, or `min(…, such a number)`."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "min":
        return any(short(argument) for argument in value.args)
    return isinstance(value, ast.Constant) and isinstance(value.value, (int, float)) and value.value <= 300


def test_no_message_waits_longer_than_minutes() -> None:
    trees = [(name(path), ast.parse(path.read_text())) for path in CODE]
    assert not [f"{path}:{line}" for path, tree in trees for line, value in delays(tree) if not short(value)]


def test_no_package_index_is_named() -> None:
    hosts = re.compile("|".join(["py" + "pi\\.org", "python" + "hosted", "npm" + "js\\.org", "index-" + "url [^\\s-]"]))
    files = [
        ROOT / "Makefile",
        ROOT / "pyproject.toml",
        *ROOT.glob("*.lock"),
        *ROOT.glob("*.md"),
        *CODE,
        *TESTS,
    ]
    assert not lines_with(hosts, files)


def test_nobody_imports_from_a_conftest() -> None:
    importing = re.compile(r"^\s*(from|import) [\w. ]*conftest\b", re.M)
    assert not [name(path) for path in TESTS if importing.search(path.read_text())]
    assert importing.search("from tests.games.conf" + "test import ann")
