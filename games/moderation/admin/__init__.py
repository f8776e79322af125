"""The moderators' part of the admin."""

from games.moderation.admin import lists, people

__all__ = ["lists", "people"]
