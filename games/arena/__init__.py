"""The arena: engines play thousands of matches against each other, without a site (spec: bots.md)."""
