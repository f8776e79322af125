"""Clubs and who belongs to them; what clubs do is the app `games.clubs` (spec: clubs.md)."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from config.lib import clock
from games.models.match import Person, new_token

LONGEST_CLUB_NAME, LONGEST_CLUB_WORDS = 40, 2000


class Club(models.Model):
    """A club of members; its row is locked for every change of who belongs to it."""

    class Access(models.TextChoices):
        OPEN = "open", _("Open: any member may join")
        REQUEST = "request", _("By request: an organiser of the club lets people in")
        INVITATION = "invitation", _("By invitation: nobody else sees the club")

    name = models.CharField(_("name"), max_length=LONGEST_CLUB_NAME)
    skeleton = models.CharField(max_length=3 * LONGEST_CLUB_NAME, unique=True)  # two clubs never look alike by name
    words = models.TextField(_("description"), max_length=LONGEST_CLUB_WORDS, blank=True)
    access = models.CharField(_("who may join"), max_length=10, choices=Access, default=Access.OPEN)
    token = models.CharField(max_length=32, default=new_token)  # of the link that invites; made anew on wish
    created_at = models.DateTimeField(default=clock.now)
    size = models.PositiveIntegerField(default=0, db_default=0)  # how many belong to it

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        indexes: ClassVar = [
            models.Index(fields=["-size", "id"], name="club_listed", condition=~Q(access="invitation")),
        ]
        constraints: ClassVar = [models.UniqueConstraint(fields=["token"], name="club_token")]

    def __str__(self) -> str:
        return self.name

    @property
    def is_listed(self) -> bool:
        """Whether everybody may find the club and see who belongs to it."""
        return self.access != self.Access.INVITATION


class Membership(models.Model):
    """What somebody is to a club: of it, in a role; or they asked, were invited, or are kept out."""

    class State(models.TextChoices):
        IN = "in", _("member")
        ASKED = "asked", _("asks to join")
        INVITED = "invited", _("invited")
        OUT = "out", _("kept out")

    class Role(models.TextChoices):
        OWNER = "owner", _("owner")
        ORGANISER = "organiser", _("organiser")
        MEMBER = "member", _("member")

    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships", db_index=False)
    user = models.ForeignKey(Person, models.CASCADE, related_name="memberships", db_index=False)
    state = models.CharField(_("state"), max_length=7, choices=State, default=State.IN)
    role = models.CharField(_("role"), max_length=9, choices=Role, default=Role.MEMBER)
    since = models.DateTimeField(default=clock.now)  # in this state
    seen = models.PositiveBigIntegerField(default=0)  # the last line of the club's talk that was before their eyes

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        indexes: ClassVar = [models.Index(fields=["user", "state"], name="membership_of_user")]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "user"], name="membership_once"),
            models.UniqueConstraint(fields=["club"], name="membership_one_owner", condition=Q(role="owner")),
            models.CheckConstraint(condition=Q(state="in") | Q(role="member"), name="membership_role_of_members"),
        ]

    def __str__(self) -> str:
        return f"{self.club_id}: {self.user_id}"

    @property
    def is_in(self) -> bool:
        """Whether they belong to the club."""
        return self.state == self.State.IN

    @property
    def organises(self) -> bool:
        """Whether they may do what organisers of the club do; its owner may as well."""
        return self.is_in and self.role != self.Role.MEMBER
