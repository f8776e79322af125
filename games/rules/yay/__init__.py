"""YAY! (spec: yay.md): three dice thrown on a board of cells."""

from games.rules.yay.rules import Yay

GAME = Yay()
