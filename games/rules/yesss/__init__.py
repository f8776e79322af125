"""YESSS! (spec: yesss.md): one word for two pictures, against each other or together against the clock."""

from games.rules.yesss.rules import Yesss

GAME = Yesss()
