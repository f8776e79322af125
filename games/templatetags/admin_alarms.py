"""What every page of the admin warns of."""

from django import template

from games.services.mail import fuse

register = template.Library()


@register.simple_tag
def mails_stopped() -> bool:
    """Return whether the fuse has stopped all mails."""
    return fuse.stopped() is not None
