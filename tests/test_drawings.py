"""The drawings of docs/architecture.md are true: modules exist, and arrows are imports in that direction."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "architecture.md"
MODULE = re.compile(r"\b(?:config|accounts|games|leaderboards)(?:\.[a-z_]+)+\b")
ARROW = re.compile(rf"^({MODULE.pattern}) (─▶|┄▶) ({MODULE.pattern})", re.M)


def path_of(module: str) -> Path | None:
    """Return the file of a module or package; None when there is none."""
    base = ROOT / module.replace(".", "/")
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


def imports_of(module: str) -> set[str]:
    """Return what a module imports, each name also as a module of its own: `from a import b` gives a, a.b."""
    path = path_of(module)
    assert path is not None, module
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    return found


def faults_of(text: str) -> list[str]:
    """Return what the drawings say that is not so."""
    missing = sorted(name for name in set(MODULE.findall(text)) if path_of(name) is None)
    known = [arrow for arrow in ARROW.findall(text) if not {arrow[0], arrow[2]} & set(missing)]
    faults = [f"no module {name}" for name in missing]
    for one, arrow, other in known:
        if arrow == "─▶" and other not in imports_of(one):
            faults.append(f"{one} does not import {other}")
        if arrow == "┄▶" and other in imports_of(one):
            faults.append(f"{one} imports {other}: no ring")
    return faults


def test_the_drawings_are_true() -> None:
    text = PAGE.read_text()
    assert len(ARROW.findall(text)) > 25
    assert not faults_of(text)


@pytest.mark.parametrize(
    "planted",
    [
        "games.services.play.nowhere ─▶ games.models",
        "games.models ─▶ games.views.play",
        "games.views.play ┄▶ games.services.play.moves",
    ],
)
def test_a_planted_fault_is_found(planted: str) -> None:
    assert faults_of(planted)
