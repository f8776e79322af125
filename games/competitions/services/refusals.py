"""What a tournament refuses; each has a sentence for the person."""

from django.utils.translation import gettext_lazy as _

from games.services.refusals import Refused


class Closed(Refused):
    """It is past that: sign-up has ended, or the tournament has."""

    sentence = _("This is not possible any more: look again how the tournament stands.")


class NotWelcome(Refused):
    """A condition of the tournament is not met; `sentence` says which, and what is missing."""

    status = 403


class UnconfirmedEntrant(Refused):
    """Somebody signs up, or comes in somebody's place, whose address is not confirmed."""

    status = 403
    sentence = _(
        "Your e-mail address is not confirmed yet. We have sent you a mail: once you have pressed its link, you may "
        "sign up here."
    )


class NotOver(Refused):
    """Somebody asks for the record of a tournament whose secret is not opened yet."""

    sentence = _("The record, with the secret of the draws, is opened when the tournament is over.")


class NoEntrant(Refused):
    status = 403
    sentence = _("You do not take part in this tournament.")


class NoOffer(Refused):
    """Somebody answers that they take a place, or do not, and is not asked, or not any more."""

    sentence = _("You are not asked to take a place in this tournament, or not any more.")


class NotOrganiser(Refused):
    status = 403
    sentence = _(
        "Tournaments are organised by members with a confirmed address, 20 ended matches and a reliability of 80 %."
    )


class BotsFinish(Refused):
    """An organiser would have a bot finish for somebody before the limit that was announced."""

    status = 403
    sentence = _(
        "Where bots finish at the limit, only moderators decide a table before it: whoever is to move loses the match."
    )


class OrganisersOnly(Refused):
    """Somebody else than the organiser or a moderator would manage a tournament."""

    status = 403
    sentence = _("Only its organiser and moderators may do that.")


class OwnTable(Refused):
    """Somebody who organises corrects a table at which they sit themselves."""

    status = 403
    sentence = _("You sit at this table yourself: a moderator decides about it.")
