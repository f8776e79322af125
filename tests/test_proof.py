"""What `make test` leaves out or thins is in `make proof`."""

from importlib import import_module
from types import SimpleNamespace

import pytest

from tests.faults import entry
from tests.processes import ROOT
from tests.proof import PROOFS
from tests.thinning import thinned

HERE = "tests/test_proof.py"


def test_whatever_is_thinned_is_proved() -> None:
    named = [word for proof in PROOFS for word in proof.split() if word.startswith("tests/")]
    thinned = [
        name
        for path in ROOT.glob("tests/**/test_*.py")
        if (name := str(path.relative_to(ROOT))) != HERE
        and any(word in path.read_text() for word in ("mark.proof", "import FULL", "SHARES"))
    ]
    assert len(thinned) > 10
    assert [name for name in thinned if not any(name.startswith(one) for one in named)] == []


@pytest.mark.parametrize("mark", ["thin", "outgrown"])
def test_whatever_a_mark_leaves_to_it_is_proved(mark: str) -> None:
    assert f"pytest -q -m={mark} tests/" in PROOFS


@pytest.mark.parametrize(("most", "kept"), [(0, ""), (1, "a"), (2, "ag"), (3, "adg"), (9, "abcdefg")])
def test_a_thinned_test_keeps_cases_from_first_to_last(most: int, kept: str) -> None:
    marked = SimpleNamespace(args=(most,))
    cases = [SimpleNamespace(nodeid=f"a test[{one}]", get_closest_marker=lambda _name: marked) for one in "abcdefg"]
    left_out = thinned(cases)
    assert "".join(case.nodeid[-2] for case in cases if case not in left_out) == kept


def test_whatever_is_planted_into_processes_is_there() -> None:
    """Else it is found by `make check` alone, after a quarter of an hour of waiting for processes that cannot start."""
    for path in sorted((ROOT / "tests" / "faults").glob("[!_]*.py")):
        import_module(f"tests.faults.{path.stem}")
    for module, acts in entry.STEPS.items():
        assert all(getattr(module, act.__name__) is act for act in acts)
