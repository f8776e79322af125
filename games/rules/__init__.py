"""The games, one package each; `GAME` in each is the game. They are loaded by `games.engine.get_game`."""

from pathlib import Path


def folders() -> dict[str, Path]:
    """Return each game's folder by its slug, without loading the game."""
    packages = sorted(Path(__file__).parent.glob("*/__init__.py"))
    return {package.parent.name.replace("_", "-"): package.parent for package in packages}
