"""The pages of games: read, or call one service, and answer."""
