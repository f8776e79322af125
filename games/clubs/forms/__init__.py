"""The forms of clubs."""
