"""Which release this is, as pyproject.toml has it. Standard library only."""

import tomllib
from pathlib import Path

_PROJECT = Path(__file__).resolve().parent.parent.parent / "pyproject.toml"

VERSION: str = tomllib.loads(_PROJECT.read_text())["project"]["version"]
