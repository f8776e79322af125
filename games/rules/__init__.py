"""The games, one package each; `GAME` in each is the game. They are loaded by `games.engine.get_game`."""
