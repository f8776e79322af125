"""Competitions between members: tournaments, ladders, championships, clubs."""
