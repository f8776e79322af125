"""Clubs of members: what they are, who belongs to them, their talk, their matches against each other."""
