"""docs/safety.md leaves out no requirement, counts rightly, and names files, tests and settings that exist."""

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "safety.md").read_text()
ROW = re.compile(r"^\| (\d+\.\d+\.\d+) [^|]+\| (met|not met|does not apply)\b[^|]*\|([^|]*)\|$", re.M)
NAMED = re.compile(r"`([^`]+)`")
FILE = re.compile(r"[\w./-]+\.(?:py|md|txt|lock)")
SETTING = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
# How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has; they are the first ones of their section.
SECTIONS = {
    1: {1: 2, 2: 9, 3: 11, 4: 3, 5: 2},
    2: {1: 3, 2: 3, 3: 4, 4: 1},
    3: {2: 2, 3: 4, 4: 6, 5: 5, 7: 2},
    4: {1: 3, 2: 1, 3: 2, 4: 4},
    5: {1: 1, 2: 3, 3: 2, 4: 3},
    6: {1: 3, 2: 12, 3: 4, 4: 4, 5: 5, 6: 3, 8: 4},
    7: {1: 3, 2: 4, 3: 2, 4: 5, 5: 2, 6: 2},
    8: {1: 2, 2: 3, 3: 1, 4: 1},
    9: {1: 3, 2: 4},
    10: {1: 2, 2: 2, 3: 4, 4: 11, 5: 5, 6: 2, 7: 3},
    11: {1: 2, 2: 3, 3: 3, 4: 4, 5: 1, 6: 1},
    12: {1: 3, 2: 2, 3: 4},
    13: {1: 1, 2: 5, 3: 2, 4: 5},
    14: {1: 2, 2: 4, 3: 3},
    15: {1: 3, 2: 3, 3: 7},
    16: {1: 1, 2: 5, 3: 4, 4: 3, 5: 3},
    17: {1: 1, 2: 4, 3: 2},
}


def test_no_requirement_is_left_out() -> None:
    wanted = [
        f"{chapter}.{section}.{number}"
        for chapter, sections in SECTIONS.items()
        for section, most in sections.items()
        for number in range(1, most + 1)
    ]
    assert len(wanted) == 253
    assert [row[0] for row in ROW.findall(PAGE)] == wanted


def test_the_counts_are_right() -> None:
    found = Counter(row[1] for row in ROW.findall(PAGE))
    applies = found["met"] + found["not met"]
    assert f"\n| {applies} | {found['met']} | {found['not met']} | {found['does not apply']} |\n" in PAGE


def test_files_and_settings_exist() -> None:
    names = set(NAMED.findall(PAGE))
    files = {name for name in names if "/" in name and FILE.fullmatch(name)} | {"requirements.lock", "CREDITS.md"}
    assert len(files) > 60
    assert not sorted(name for name in files if not (ROOT / name).is_file())
    told = (ROOT / "config" / "settings.py").read_text() + (ROOT / "docs" / "operation.md").read_text()
    assert not sorted(name for name in names if SETTING.fullmatch(name) and not re.search(rf"\b{name}\b", told))


def test_tests_exist_in_the_files_beside_them() -> None:
    """A row names a file, then in brackets functions of it."""
    cells = [row[2] for row in ROW.findall(PAGE)]
    groups = [group for cell in cells for group in re.findall(r"`(tests/[\w/]+\.py)`(?: \(([^)]*)\))?", cell)]
    assert len(groups) > 150
    missing = {
        f"{path}: {name}"
        for path, functions in groups
        for name in NAMED.findall(functions)
        if not re.search(rf"^(?:async )?def {name}\(", (ROOT / path).read_text(), re.M)
    }
    assert not missing


def test_other_pages_lead_there() -> None:
    assert "(docs/safety.md)" in (ROOT / "README.md").read_text()
