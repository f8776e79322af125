"""Making a club, changing what it says of itself, and dissolving it."""

import re

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from accounts import names
from accounts.models import User
from config.lib.texts import clean_text, one_line, unicode_form
from games.clubs.models import News
from games.clubs.services import notices
from games.clubs.services.locking import (
    Role,
    State,
    check_belongs_to_fewer,
    check_owns_fewer,
    check_person,
    lock,
    organiser,
    owner,
)
from games.models import LONGEST_CLUB_NAME, LONGEST_CLUB_WORDS, Club, Membership
from games.models.match import new_token
from games.services import hooks
from games.services.refusals import Invalid, refuse_closed_accounts

SHORTEST_NAME = 3
MARKS = " '’&!?.,:()"  # besides letters, digits, `_` and `-`
STAFF = ("mod", "mods", "modo", "modos", "staff", "support", "moderation", "abuse", "security", "ClubY")
SITE = " club y "  # as words of skeletons
_STAFF = frozenset(names.skeleton(word) for word in STAFF)
_PARTS = tuple(names.skeleton(part) for part in names.RESERVED_PARTS if part != "club-y")  # "Club Yvetot" is none
_INNOCENT = re.compile("|".join(names.skeleton(word) for word in names.INNOCENT))
_WORDS = re.compile(r"[^\W_]+")


def checked_name(typed: str) -> str:
    """Return a club's name as it is stored: on one line, of letters of one alphabet, digits and a few marks.

    ValidationError for others, and for reserved ones.
    """
    name = one_line(unicode_form("NFKC", typed))
    if not SHORTEST_NAME <= len(name) <= LONGEST_CLUB_NAME:
        raise ValidationError(_("A club’s name has 3 to 40 characters."), code="length")
    letters = [one for one in unicode_form("NFC", name) if one not in MARKS]
    alphabets = {_alphabet(one) for one in letters} - {"neutral"}
    if "" in alphabets:
        words = _("Use letters (Latin, Greek or Cyrillic), digits, spaces and simple punctuation only.")
        raise ValidationError(words, code="letters")
    if len(alphabets) > 1:
        raise ValidationError(_("Use letters of one alphabet only."), code="mixed")
    if not skeleton(name):
        raise ValidationError(_("A name needs a letter or a digit."), code="blank")
    if is_reserved(name):
        raise ValidationError(_("This name is reserved. Please choose another."), code="reserved")
    return name


def _alphabet(character: str) -> str:
    if names.NEUTRAL.fullmatch(character):
        return "neutral"
    return next((name for name, letters in names.ALPHABETS.items() if letters.fullmatch(character)), "")


def skeleton(name: str) -> str:
    """Return the skeleton of a club's name, equal for names that look alike; marks and spaces make no difference."""
    return names.skeleton("".join(one for one in name if one not in MARKS))


def is_reserved(name: str) -> bool:
    """Return whether by its name a club would seem to speak for the site, or for those who run it."""
    words = _WORDS.findall(name)
    if f" {' '.join(names.skeleton(word) for word in words)} ".count(SITE):
        return True
    if any(look in _STAFF for word in words for look in names.looks_of(word)):
        return True
    looks = names.looks_of("".join(words))
    return any(part in _INNOCENT.sub("", look) for look in looks for part in _PARTS)


def checked_words(typed: str) -> str:
    """Return a club's description as it is stored. Invalid when it is too long."""
    words = clean_text(typed)
    if len(words) > LONGEST_CLUB_WORDS:
        raise Invalid(_("That is too long: 2,000 characters at most."))
    return words


def make(*, user: User, name: str, words: str, access: str) -> Club:
    """Make a club, which the member then owns.

    ValidationError about the name; GuestsCannot, UnconfirmedMember, CannotWrite, TooManyClubs, Invalid.
    """
    name, words = checked_name(name), checked_words(words)
    check_person(user)
    hooks.check_writing(None, user)
    with transaction.atomic():
        refuse_closed_accounts([user])
        check_owns_fewer(user)
        check_belongs_to_fewer(user)
        club = _named(Club(words=words, access=Club.Access(access), size=1), name)
        Membership.objects.create(club=club, user=user, state=State.IN, role=Role.OWNER)
    return club


def _named(club: Club, name: str) -> Club:
    """Save the club under this name. ValidationError when another has it, or one that looks like it."""
    club.name, club.skeleton = name, skeleton(name)
    try:
        with transaction.atomic():
            club.save()
    except IntegrityError as error:
        words = _("There is a club of this name already, or of one that looks like it.")
        raise ValidationError(words, code="taken") from error
    return club


def rename(club: Club, name: str) -> None:
    """Give a locked club another name. ValidationError when it is not allowed, or taken."""
    _named(club, checked_name(name))


def change(*, club_id: int, user: User, words: str, access: str, name: str | None = None) -> Club:
    """Change what a club says of itself and who may join it; the name its owner alone. Returns it.

    Who asked to join a club that is by invitation from now on is told that they were not let in. ValidationError
    about the name; NoClub, NotOfClub, OrganisersOnly, OwnerOnly, CannotWrite, Invalid.
    """
    words = checked_words(words)
    with transaction.atomic():
        club = lock(club_id, [user])
        organiser(club, user)
        if words != club.words or (name is not None and name != club.name):
            hooks.check_writing(None, user)
        if name is not None and name != club.name:
            owner(club, user)
            rename(club, name)
        club.words, club.access = words, Club.Access(access)
        club.save(update_fields=["words", "access"])
        if not club.is_listed:
            asked = Membership.objects.filter(club=club, state=State.ASKED)
            notices.note(club, News.Kind.REFUSED, asked.values_list("user", flat=True))
            asked.delete()
    return club


def renew_link(*, club_id: int, user: User) -> Club:
    """Make the link that invites anew: the old one opens nothing any more. NoClub, NotOfClub, OrganisersOnly."""
    with transaction.atomic():
        club = lock(club_id)
        organiser(club, user)
        club.token = new_token()
        club.save(update_fields=["token"])
    return club


def dissolve(*, club_id: int, user: User) -> str:
    """Dissolve a club: its chat goes, its matches and tournaments stay; return its name.

    NoClub, NotOfClub, OwnerOnly.
    """
    with transaction.atomic():
        club = lock(club_id)
        owner(club, user)
        take_down(club, but=user.pk)
    return club.name


def take_down(club: Club, *, but: int | None = None) -> None:
    """Delete a locked club, and tell all who belong to it but one."""
    told = Membership.objects.filter(club=club, state=State.IN).exclude(user=but)
    notices.note(club, News.Kind.DISSOLVED, told.values_list("user", flat=True))
    News.objects.filter(club=club).exclude(kind=News.Kind.DISSOLVED).delete()
    for path in settings.ON_DISSOLVING_CLUB:
        import_string(path)(club.pk)
    club.delete()
