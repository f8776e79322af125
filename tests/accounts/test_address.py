"""A change of address: both addresses hear of it, and the old one lets nobody in any more."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from accounts.models import User
from accounts.services.mail_links import seal_of
from tests.factories import PASSWORD, member, prove
from tests.mailing import deliver

OLD, NEW = "ann@example.org", "new@example.org"


def change(client: Client) -> None:
    """Change the address to the new one, by the link in the mail."""
    prove(client)
    client.post("/accounts/email/", {"action_add": "yes", "email": NEW})
    (link,) = [mail.body for mail in deliver() if mail.to == [NEW] and "confirm-email" in mail.body]
    client.post("/" + link.partition("testserver/")[2].split()[0])


def test_both_addresses_hear_of_it(anns, ann) -> None:
    change(anns)
    told = [mail for mail in deliver() if "was changed" in mail.subject]
    assert sorted(mail.to[0] for mail in told) == [OLD, NEW]
    for mail in told:
        assert OLD in mail.body and NEW in mail.body and "If it was not you" in mail.body


@pytest.mark.django_db
@pytest.mark.parametrize("known", [None, False])  # no row of allauth's, or one that it made and takes for unconfirmed
def test_of_a_member_whom_an_admin_made_too(known) -> None:
    ann = member("ann")
    if known is not None:
        EmailAddress.objects.create(user=ann, email=OLD, verified=known)
    client = Client()
    client.post("/accounts/login/", {"login": "ann", "password": PASSWORD})
    prove(client)
    client.post("/accounts/email/", {"action_add": "yes", "email": "mistyped@example.org"})
    assert User.objects.get().email == OLD  # until another is confirmed
    change(client)
    assert User.objects.get().email == NEW
    assert sorted(mail.to[0] for mail in deliver() if "was changed" in mail.subject) == [OLD, NEW]


def test_what_an_admin_entered_is_the_address(ann, bob) -> None:
    """Bob's goes to Ann, who had another: neither the one left over with her nor that with him counts any more."""
    User.objects.filter(pk=bob.pk).update(email="")
    User.objects.filter(pk=ann.pk).update(email="bob@example.org")
    assert Client().post("/accounts/login/", {"login": "Ann", "password": PASSWORD}).status_code == 302
    rows = EmailAddress.objects.values_list("user__username", "email", "verified", "primary")
    assert list(rows) == [("Ann", "bob@example.org", True, True)]


def test_a_code_to_the_old_address_is_good_no_more(anns, ann) -> None:
    reader = Client()
    reader.post("/accounts/login/code/", {"email": OLD})
    code = deliver()[-1].body.split("\n\n")[2].strip()
    change(anns)
    answer = reader.get(reader.post("/accounts/login/code/confirm/", {"code": code}).url)
    assert "This code is wrong" in answer.content.decode()
    assert reader.get("/settings/").status_code == 302
    assert reader.post("/accounts/login/", {"login": OLD, "password": PASSWORD}).status_code == 200
    assert reader.post("/accounts/login/", {"login": NEW, "password": PASSWORD}).status_code == 302


def test_links_in_mails_to_the_old_address_end(anns, ann) -> None:
    before = seal_of(ann)
    change(anns)
    assert seal_of(User.objects.get(pk=ann.pk)) != before
