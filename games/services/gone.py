"""Names members in what is written only as long as their accounts are there."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from django.db import IntegrityError
from django.utils.translation import gettext as _

from accounts.models import User
from games.services.refusals import BadTable


@contextmanager
def while_there(people: Iterable[User]) -> Iterator[None]:
    """Refuse (BadTable, with their names) what asks members whose account is closed in the same instant.

    It goes around the transaction: the database finds them gone when that is committed.
    """
    asked = {user.pk: user.username for user in people}
    try:
        yield
    except IntegrityError as error:
        there = User.objects.filter(pk__in=asked).values_list("pk", flat=True)
        gone = [name for pk, name in asked.items() if pk not in set(there)]
        if not gone:
            raise
        raise BadTable(_("There is no member named %(names)s.") % {"names": ", ".join(gone)}) from error
