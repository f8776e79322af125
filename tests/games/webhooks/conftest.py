"""What the tests of webhooks share: a server that is called, and a hook of Ann's that leads there."""

from random import Random

import pytest

from games.models import Webhook
from games.services.webhooks import keeping
from tests.factories import asked, play_on, seated
from tests.mailing import HOUR


@pytest.fixture
def add(receiver):
    """Adds a hook; its name is the format, its secret is on it."""

    def add(user, format="json", path="/hook", name="") -> Webhook:
        name = name or format
        secret = keeping.add(user_id=user.pk, name=name, format=format, address=receiver.base + path)
        hook = Webhook.objects.get(user=user, name=name)
        hook.shown = secret
        return hook

    return add


@pytest.fixture
def hers(ann, bob, add, clock):
    """A hook of Ann's, and a match in which she is asked since then."""
    hook = add(ann)
    match = seated(ann, bob)
    match = play_on(match, Random(1), until=lambda m: asked(m).user_id == ann.pk)
    clock.forward(HOUR)
    return hook, match
