"""¥€$ (spec: yes.md): a race to a million across five continents."""

from games.rules.yes.rules import Yes

GAME = Yes()
