"""The site's settings without the limits that keep one member from playing flat out."""

from config.settings import *  # noqa: F403

POSTS_A_MINUTE = 1_000_000
FRAMES_A_SECOND = 1_000_000.0
