"""What a club match refuses; each has a sentence for the person."""

from django.utils.translation import gettext_lazy as _

from games.services.refusals import Refused


class TooLate(Refused):
    """It was answered, withdrawn or called off, or has begun."""

    sentence = _("This is not possible any more: look again how the club match stands.")


class NotForOrganisers(Refused):
    status = 403
    sentence = _("Only the owner and the organisers of the club may do that.")


class NotOfClubs(Refused):
    status = 403
    sentence = _("Only members of the two clubs play in their match.")


class CannotChallenge(Refused):
    """The clubs cannot meet now; `sentence` says why."""
