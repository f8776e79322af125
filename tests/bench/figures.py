"""Figures of the site's bench: rows as printed, kept for a release in docs/bench/, and shown beside the last kept."""

import json
import subprocess
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "docs" / "bench"
LATENCIES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
COLUMNS = {
    "moves_a_second": "moves/s",
    "p50": "p50 ms",
    "p95": "p95 ms",
    "p99": "p99 ms",
    "web": "web s",
    "redis": "redis s",
    "database": "database s",
    "load": "load s",
}
"""What a row of moves has: its name there, its heading. Seconds are of the processor, for 1 000 moves."""

Row = dict[str, float]


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return the value below which that share of the ordered values lies; 0 when there are none."""
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def row_of(times: Iterable[float], spent: dict[str, float], seconds: float) -> Row:
    """Return the figures of moves that took these seconds each, made within so many seconds in all."""
    ordered = sorted(times)
    row = {"moves_a_second": len(ordered) / seconds}
    row |= {name: 1000 * percentile(ordered, share) for name, share in LATENCIES.items()}
    row |= {part: 1000 * took / max(len(ordered), 1) for part, took in spent.items()}
    return {name: round(value, 2) for name, value in row.items()}


def line_of(name: str, row: Row) -> str:
    """Return a row of moves as one line."""
    costs = "  ".join(f"{part} {row[part]:.2f}" for part in ("web", "redis", "database", "load") if part in row)
    times = "  ".join(f"{each} {row[each]:6.1f}" for each in LATENCIES)
    return f"{name:<46} {row['moves_a_second']:6.1f} moves/s  {times} ms  s per 1 000 moves: {costs}"


def version() -> str:
    """Return the version that pyproject.toml names."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"])


def commit() -> str:
    """Return the present commit, marked when the tree has changes that are not in it."""
    words = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


def _order(file: Path) -> tuple[int, ...]:
    return tuple(int(part) for part in file.stem.split(".") if part.isdigit())


def last_kept(folder: Path = KEPT) -> dict | None:
    """Return the figures of the last release that has any; None if none has."""
    files = sorted(folder.glob("*.json"), key=_order)
    return json.loads(files[-1].read_text()) if files else None


def keep(about: dict[str, str], rows: dict[str, Row], folder: Path = KEPT) -> Path:
    """Write the figures of the present release, beside what was measured of the same commit. Return the file."""
    file = folder / f"{about['version']}.json"
    kept = json.loads(file.read_text()) if file.exists() else {"about": {}, "rows": {}}
    before = kept["rows"] if kept["about"].get("commit") == about["commit"] else {}
    folder.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in {**before, **rows}.items())
    file.write_text(f'{{"about": {json.dumps(about, indent=1)},\n"rows": {{\n{lines}\n}}}}\n')
    return file


def beside(rows: dict[str, Row], before: dict[str, Row]) -> list[str]:
    """Return the lines of a table in Markdown: each figure now, in brackets what it was."""
    named = [column for column in COLUMNS if any(column in row for row in rows.values())]
    lines = [f"| | {' | '.join(COLUMNS[column] for column in named)} |", "|---|" + "---|" * len(named)]
    moves = {name: row for name, row in rows.items() if "moves_a_second" in row}
    for name, row in moves.items():
        lines.append(f"| {name} | {' | '.join(_cell(row, before.get(name, {}), column) for column in named)} |")
    if others := {name: row for name, row in rows.items() if name not in moves}:
        lines += ["", "| | now [before] |", "|---|---|"]
        for name, row in others.items():
            told = ", ".join(f"{_cell(row, before.get(name, {}), unit)} {unit}" for unit in row)
            lines.append(f"| {name} | {told} |")
    return lines


def _cell(row: Row, before: Row, column: str) -> str:
    if column not in row:
        return "–"
    return f"{row[column]:.4g}" + (f" [{before[column]:.4g}]" if column in before else "")
