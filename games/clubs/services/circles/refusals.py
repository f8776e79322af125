"""What a circle of friends refuses; each has a sentence for the person."""

from django.utils.translation import gettext_lazy as _

from games.services.refusals import Refused


class NotOfCircle(Refused):
    status = 403
    sentence = _("You do not belong to this circle.")


class CircleGone(Refused):
    sentence = _("This circle does not exist any more, or you are no longer asked.")


class TooManyCircles(Refused):
    sentence = _("You belong to twenty circles. Leave one first.")


class NobodyToAsk(Refused):
    """Nobody else can be asked; `sentence` says why."""

    sentence = _("A circle needs at least one other member of that match who can be asked.")


class TableOpen(Refused):
    """The last table of a circle still waits for players."""

    sentence = _("The last table of this circle is still open. Sit down there.")
