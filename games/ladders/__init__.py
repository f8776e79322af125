"""Ladders: one a game, on which members challenge those above them (spec: ladders.md)."""
