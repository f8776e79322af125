"""YAM menteur (spec: yam-menteur.md): dice under cups, and claims to be believed or doubted."""

from games.rules.yam_menteur.rules import YamMenteur

GAME = YamMenteur()
