"""What a ladder refuses; each has a sentence for the person."""

from django.utils.translation import gettext_lazy as _

from games.services.refusals import Refused


class NotOnLadder(Refused):
    status = 403
    sentence = _("You are not on this ladder. Join it first.")


class NotChallengeable(Refused):
    """Somebody cannot be challenged now; `sentence` says why, in neutral words where it concerns others."""


class Answered(Refused):
    sentence = _("This challenge does not stand any more: it was answered or withdrawn, or has ended.")


class NotYourChallenge(Refused):
    status = 403
    sentence = _("This challenge is for others to answer.")


class NotFree(Refused):
    """The page said that declining costs no place, which is no longer so."""

    sentence = _("You have declined freely within the last 14 days: this time it would cost your place. Look again.")


class NoPause(Refused):
    """A pause cannot begin now; `sentence` says when it can."""
