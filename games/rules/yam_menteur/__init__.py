"""YAM menteur (spec: yam-menteur.md): dice under cups, and claims to be believed or doubted."""
