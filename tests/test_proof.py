"""What `make test` leaves out or thins is in `make proof`."""

from importlib import import_module

from tests.faults import entry
from tests.processes import ROOT
from tests.proof import PROOFS

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


def test_whatever_is_planted_into_processes_is_there() -> None:
    """Else it is found by `make check` alone, after a quarter of an hour of waiting for processes that cannot start."""
    for path in sorted((ROOT / "tests" / "faults").glob("[!_]*.py")):
        import_module(f"tests.faults.{path.stem}")
    for module, acts in entry.STEPS.items():
        assert all(getattr(module, act.__name__) is act for act in acts)
