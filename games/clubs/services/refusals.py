"""What a club refuses; each has a sentence for the person."""

from django.utils.translation import gettext_lazy as _

from games.services.refusals import BlockedByOther, HasBlocked, Refused


class NoClub(Refused):
    status = 404
    sentence = _("There is no such club, or it is not for everybody to see.")


class NotWelcome(BlockedByOther):
    """Somebody is kept out, or a block stands between them and the owner; the sentence does not say which."""

    sentence = _("You cannot join this club. You are welcome in others.")


class OwnerBlocked(HasBlocked):
    """The member has blocked the owner."""

    sentence = _("You have blocked the owner of this club. Unblock them to join it.")


class UnconfirmedMember(Refused):
    status = 403
    sentence = _("Clubs are for members with a confirmed e-mail address: the mail we sent you has the link.")


class NotOfClub(Refused):
    status = 403
    sentence = _("You do not belong to this club.")


class OrganisersOnly(Refused):
    status = 403
    sentence = _("Only the owner and the organisers of the club may do that.")


class OwnerOnly(Refused):
    status = 403
    sentence = _("Only the owner of the club may do that.")


class ByInvitation(Refused):
    status = 403
    sentence = _("Nobody joins this club without an invitation.")


class OwnsIt(Refused):
    sentence = _("You own this club: hand it over first, or dissolve it.")


class TooManyClubs(Refused):
    """Somebody owns, or belongs to, as many clubs as they may; `sentence` says whose, and how many."""


class FullClub(Refused):
    sentence = _("This club has as many members as a club may have.")


class NotThere(Refused):
    """Whom it concerns is not, or no longer, what the page said."""

    sentence = _("This has changed meanwhile. Nothing was done; look again how it stands.")
