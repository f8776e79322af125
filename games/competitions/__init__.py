"""Competitions: tournaments of the site's games, from the announcement to the last table."""
