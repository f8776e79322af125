"""A client of Club Y: plays and checks matches from a program of one's own."""

from club_y_client.client import Client, Line, Move, Table
from club_y_client.errors import Refused, SiteError, TooFast, Unreachable
from club_y_client.moves import random_move
from club_y_client.runner import Runner, of_view

__all__ = [
    "Client",
    "Line",
    "Move",
    "Refused",
    "Runner",
    "SiteError",
    "Table",
    "TooFast",
    "Unreachable",
    "of_view",
    "random_move",
]
