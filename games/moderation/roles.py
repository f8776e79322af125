"""The group of moderators: they see reports and act, never see passwords, e-mails or what is hidden."""

from django.contrib.auth.models import Group, Permission

MODERATORS = "Moderators"
MAY = (
    "moderation.moderate",
    "moderation.view_report",
    "moderation.view_audit",
    "moderation.view_sanction",
    "accounts.view_user",
    "games.view_match",
    "games.view_chatline",
)


def moderators() -> Group:
    """Return the group of moderators with its permissions, made if it is missing."""
    group, _made = Group.objects.get_or_create(name=MODERATORS)
    wanted = Permission.objects.filter(
        content_type__app_label__in={name.split(".")[0] for name in MAY},
        codename__in={name.split(".")[1] for name in MAY},
    )
    group.permissions.set(wanted)
    return group
