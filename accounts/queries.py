"""What is read of people: whom somebody follows."""

from django.db.models import QuerySet

from accounts.models import Follow, User


def followed_ids(user: User) -> QuerySet[Follow, int]:
    """Return the numbers of the members whom this one follows."""
    return Follow.objects.filter(follower=user).values_list("followed_id", flat=True)
