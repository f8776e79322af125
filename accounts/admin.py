"""People in the admin, which uses the site's own log-in with its rate limits and second factor."""

from typing import Any, ClassVar

from allauth.account.decorators import secure_admin_login
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts import addresses, names
from accounts.models import User
from accounts.services import membership
from accounts.services.closing import close_account

admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.unregister(Authenticator)  # its page shows secrets


# Fields of an existing person that only a moderator's or admin's action changes, with a reason in the audit.
BY_ACTION = ("username", "email", "is_active", "is_staff", "is_superuser", "groups", "user_permissions")
NEW_FIELDS = ("username", "email", "usable_password", "password1", "password2")


class NewMemberForm(AdminUserCreationForm):
    class Meta:
        model = User
        fields = ("username", "email")

    def clean_username(self) -> str:
        """Return the name as it is stored; raise ValidationError when it is reserved or a look-alike."""
        name = names.normalise(self.cleaned_data["username"])
        names.refuse_reserved(name)
        if membership.name_is_taken(name):
            raise ValidationError(_("This name is taken, or too similar to one that is."), code="taken")
        return name

    def clean_email(self) -> str:
        """Return the address as it is stored, as sign-up does."""
        email = self.cleaned_data["email"]
        return addresses.clean(email) if email else email


class MemberForm(UserChangeForm):
    class Meta:
        model = User
        fields = "__all__"
        help_texts: ClassVar = {
            "username": _("Only “Rename”, under Act, changes it: with a reason, kept in the audit."),
            "email": _("Only an action of an admin, under Act, changes it: the member gets a mail."),
            "is_staff": _("Only an action of an admin, under Act, changes rights: the member gets a mail."),
            "is_active": _(
                "Only “Ban” and “Lift”, under Act, change it: with a reason, kept in the audit. They also handle "
                "sessions, seats and open tables."
            ),
        }


@admin.register(User)
class MemberAdmin(UserAdmin):
    """Members and guests, without password hashes; moderators' actions are elsewhere."""

    form: Any = MemberForm
    add_form: Any = NewMemberForm
    list_display = (
        *("username", "owner", "email", "is_guest", "language", "is_active", "is_staff"),
        *("date_joined", "last_login"),
    )
    list_filter: ClassVar[Any] = (
        *("is_guest", ("owner", admin.EmptyFieldListFilter), "is_active", "is_staff", "is_superuser"),
        *("language", "date_joined"),
    )
    list_select_related = ("owner",)
    search_fields = ("skeleton", "email")
    search_help_text = _("How a member's name begins; admins: or a whole e-mail address")
    ordering = ("-date_joined",)
    readonly_fields = ("skeleton", "is_guest", "owner", "date_joined", "last_login")
    fieldsets = (
        (None, {"fields": ("username", "skeleton", "email", "is_guest", "owner")}),
        (
            _("Preferences"),
            {"fields": ("language", "time_zone", "colours", "reduced_motion", "single_keys", "asks_before_final")},
        ),
        (_("Rights"), {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        (_("Dates"), {"fields": ("date_joined", "last_login")}),
    )
    add_fieldsets = ((None, {"classes": ("wide",), "fields": NEW_FIELDS}),)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Return the read-only fields, with those of an existing person that only moderators change."""
        fields = super().get_readonly_fields(request, obj)
        return fields if obj is None else (*fields, *BY_ACTION)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """Refuse: who sets a password for a member has the account. Members set their own, by mail."""
        raise PermissionDenied

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Forbid deleting members with rights in the admin: its log names them."""
        return super().has_delete_permission(request, obj) and not (obj and obj.is_staff)

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """Return whose accounts would be closed, without what `close_account` does to related rows."""
        people = list(objs)
        protected = [f"{person} ({_('has rights in the admin')})" for person in people if person.is_staff]
        return [str(person) for person in people], {str(_("members")): len(people)}, set(), protected

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        close_account(user_id=obj.pk)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        for user_id in list(queryset.values_list("pk", flat=True)):
            close_account(user_id=user_id)
