"""One mailbox, many spellings of its address: limits count the mailbox, and log-in knows what sign-up stored."""

from itertools import count

import pytest
from django.test import Client

from accounts.addresses import canonical, normalise
from accounts.models import User
from games.models import Mail
from tests.factories import PASSWORD, browser_of, confirmed_member, prove, sign_up

pytestmark = pytest.mark.django_db
SPELLINGS = [
    "mark.ann@gmail.com",
    "MARK.ANN@Gmail.com",
    "markann@googlemail.com",
    "m.a.r.k.ann+1@gmail.com",
    "mark.ann+2@gmail.com",
    "mar\u212a.ann@gmail.com",  # the Kelvin sign
    "ma.rkann@gmail.com",
    "markann+3@gmail.com",
    "m.arkann@gmail.com",
]
QUOTED = ['"mark"@example.org', '"m\\ark"@example.org', '"m\\a\\r\\k"@example.org', '"mark+1"@example.org']
_addresses = count(1)


def stranger() -> Client:
    return Client(REMOTE_ADDR=f"203.0.113.{next(_addresses)}")


def test_signing_up_with_every_spelling_sends_few_mails() -> None:
    for number, address in enumerate(SPELLINGS):
        assert sign_up(stranger(), f"Cleo{number}", address).status_code == 302
    assert User.objects.count() == len(SPELLINGS)
    assert Mail.objects.count() == 5


def test_sign_up_over_the_limit_says_so(settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"confirm_mailbox": "1/h/key"}
    sign_up(stranger(), "Cleo1", SPELLINGS[0])
    late = stranger()
    page = late.get(sign_up(late, "Cleo2", SPELLINGS[3]).url).content.decode()
    assert "Several mails have gone to this address" in page and "try again in an hour" in page


@pytest.mark.parametrize("path", ["login/code/", "password/reset/"])
def test_codes_are_few_however_the_address_is_spelt(path) -> None:
    answers = [stranger().post(f"/accounts/{path}", {"email": address}).status_code for address in SPELLINGS]
    assert answers == [302] * 5 + [429] * 4


@pytest.mark.parametrize("path", ["login/code/", "password/reset/"])
def test_quotes_are_another_spelling(path) -> None:
    """RFC 5321: the quoted and the plain form name one mailbox, and each letter may bear a backslash."""
    assert {canonical(address) for address in QUOTED} == {"mark@example.org"}
    spellings = ["mark@example.org", *QUOTED, *QUOTED[::-1]]
    answers = [stranger().post(f"/accounts/{path}", {"email": address}).status_code for address in spellings]
    assert answers == [302] * 5 + [429] * 4


@pytest.mark.parametrize("address", [*QUOTED, "mark@[127.0.0.1]", "mark@[IPv6:::1]"])
def test_nobody_signs_up_with_quotes_or_the_number_of_a_machine(address) -> None:
    """Such an address would get round the ban of its plain form and of its domain."""
    assert "email" in sign_up(stranger(), "Cleo", address).context["form"].errors
    assert not Mail.objects.exists()


@pytest.mark.parametrize("action", ["send", "page"])
def test_send_again_over_the_limit_says_when(action, settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"confirm_mailbox": "2/h/key", "confirm_email": ""}
    cleo = stranger()
    sign_up(cleo, "Cleo", SPELLINGS[0])
    ways = {
        "send": ("/accounts/confirm-email/send/", {}),
        "page": ("/accounts/email/", {"action_send": "", "email": SPELLINGS[0]}),
    }
    said = [cleo.post(*ways[action], follow=True).content.decode() for _ in range(2)]
    assert "The mail is on its way." in said[0] or action == "page"
    assert "The mail is on its way." not in said[1]
    assert "Several mails have gone to this address" in said[1] and "try again in an hour" in said[1]
    assert Mail.objects.count() == 2


def test_a_change_to_a_mailbox_that_has_had_enough_says_so(settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"confirm_mailbox": "1/h/key"}
    sign_up(stranger(), "Cleo", SPELLINGS[0])
    ann = browser_of(confirmed_member("Ann", "ann@example.org"))
    prove(ann)
    Mail.objects.all().delete()
    page = ann.post("/accounts/email/", {"action_add": "yes", "email": SPELLINGS[4]}, follow=True).content.decode()
    assert "Several mails have gone to this address" in page
    assert not Mail.objects.filter(message__to__icontains="mark").exists()


def test_one_member_has_mails_sent_to_few_addresses(settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"manage_email": ""}
    ann = browser_of(confirmed_member("Ann", "ann@example.org"))
    prove(ann)
    Mail.objects.all().delete()
    for number in range(30):
        post = {"action_add": "yes", "email": f"stranger{number}@domain{number}.example"}
        page = ann.post("/accounts/email/", post, follow=True).content.decode()
    assert Mail.objects.filter(message__to__startswith="stranger").count() == 20
    assert "Mails to many addresses have been asked for, by you" in page


@pytest.mark.thin(1)
@pytest.mark.parametrize("path", ["login/code/", "password/reset/"])
def test_one_network_address_has_mails_sent_to_few_mailboxes(path, settings) -> None:
    """Whoever is no member gets a note that says so: a stranger could have hundreds of such sent in an hour."""
    name = {"login/code/": "request_login_code", "password/reset/": "reset_password"}[path]
    wanted = settings.ACCOUNT_RATE_LIMITS[name].replace("20/m/ip", "1000/m/ip")
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {name: wanted}
    there = next(_addresses)
    for number in range(65):
        browser = Client(REMOTE_ADDR=f"203.0.113.{there}")
        answer = browser.post(f"/accounts/{path}", {"email": f"x{number}@d{number}.example"})
    assert Mail.objects.count() == 60
    assert answer.status_code == 429 or "Too many attempts" in answer.content.decode()


@pytest.mark.parametrize("typed", ["mar\u212a@example.org", "mark@ｅxample.org", " Mark@EXAMPLE.org "])
def test_what_sign_up_stores_log_in_and_the_mark_know(typed) -> None:
    """Kelvin's sign, full width, case: one address for sign-up, log-in, codes and resets."""
    cleo = stranger()
    assert sign_up(cleo, "Cleo", typed).status_code == 302
    assert normalise(typed) == canonical(typed) == "mark@example.org"
    member = User.objects.get()
    assert member.emailaddress_set.get().email == "mark@example.org"
    User.objects.update(email="mark@example.org")
    member.emailaddress_set.update(verified=True)
    assert stranger().post("/accounts/login/", {"login": typed, "password": PASSWORD}).status_code == 302
    for path in ("login/code/", "password/reset/"):
        Mail.objects.all().delete()
        stranger().post(f"/accounts/{path}", {"email": typed})
        assert Mail.objects.get().user == member, path


@pytest.mark.parametrize("address", ["mar\u0131@example.org", "mar\u0130@example.org", "ann@\u2100.example"])
def test_letters_that_only_look_valid_are_refused(address) -> None:
    """Django's pattern takes them by their upper case, or before they are brought to one form."""
    assert "email" in sign_up(stranger(), "Cleo", address).context["form"].errors
