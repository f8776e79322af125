"""Yum EXTRA (spec: yum-extra.md): everybody plays on everybody's dice."""

from games.rules.yum_extra.rules import YumExtra

GAME = YumExtra()
