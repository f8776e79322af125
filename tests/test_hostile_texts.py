"""Sixty hostile texts in every field that takes text, on every page and in mails: nothing runs or breaks.

What is shown was put into the database past all checks, so that pages stand by themselves.
"""

import re
from collections import Counter
from datetime import timedelta
from email.parser import BytesParser
from email.policy import default
from urllib.parse import urlsplit

import pytest
from django.core import mail
from django.core.cache import cache

from accounts.models import User
from config.lib import clock as site_clock
from games.clubs.models import Encounter
from games.models import ChatLine, Kind, Match, Notice, Seat
from games.queries.play import match_and_seats
from games.rules import games
from games.services.lobby import closing, opening
from games.services.mail import answering
from games.table import table_for
from tests.factories import PASSWORD, browser_of, opened, prove, seated
from tests.hostile import ANSWERS, TEXTS, tried
from tests.hostile_site import staged
from tests.mailing import HOUR, send

pytestmark = pytest.mark.walk

HEADERS_OF_MAILS = {
    *("From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type", "References"),
    *("In-Reply-To", "List-Unsubscribe", "List-Unsubscribe-Post", "Auto-Submitted", "List-Id", "Reply-To"),
}

PAGES = (
    *("/", "/play/", "/play/new/", "/matches/", "/matches/{match}/", "/matches/{match}/log/", "/settings/"),
    *("/matches/{match}/chat/", "/matches/{match}/chat/?before={middle}", "/matches/{table}/"),
    *(
        "/settings/days-off/",
        "/settings/calendar/",
        "/settings/webhooks/",
        "/leaderboards/yum-extra/",
        "/ladders/yum-extra/",
        "/report/?line={last}",
        "/report/?match={match}",
    ),
    *("/accounts/sessions/", "/accounts/email/", "/games/yum-extra/", "/settings/mails/"),
    "/settings/devices/",
    *("/tournaments/", "/tournaments/?running=2", "/tournaments/?running=3", "/tournaments/{contest}/"),
    "/tournaments/{contest}/?whole=1",
    *("/clubs/", "/clubs/?page=2", "/clubs/{club}/", "/clubs/{club}/chat/", "/clubs/{club}/edit/"),
    "/report/?club={club}",
    *(f"/matches/{{{slug}}}/{part}" for slug in games()[1:] for part in ("", "why/")),
    *("/reports/", "/reports/?page=2", "/sanctions/{sanction}/"),
    *("/matches/{done}/", "/matches/{done}/replay/1/", "/matches/{done}/review/", "/matches/{match}/replay/0/"),
    *("/clubs/{club}/matches/", "/clubs/{club}/matches/?page=2", "/clubs/{rival}/matches/new/", "/matches/{of_clubs}/"),
    *(f"/clubs/matches/{{{state}}}/" for state in Encounter.State.values),
    *("/clubs/{club}/webhooks/", "/circles/", "/circles/{circle}/", "/circles/{asked_into}/", "/ladders/"),
    *(
        "/circles/new/?match={done}",
        "/sandbox/",
        "/sandbox/?match={done}&step=1",
        "/people/ann/",
        "/people/ann/season/",
    ),
    *("/records/", "/matches/records/", "/settings/data/", "/settings/people/", "/play/standing/"),
)
ADMIN = (
    "/tournaments/{contest}/manage/",
    *("/admin/games/club/", "/admin/games/club/{club}/change/", "/admin/games/club/{club}/correct/"),
    *("/admin/", "/admin/moderation/report/", "/admin/moderation/report/{report}/change/"),
    *("/admin/moderation/audit/", "/admin/moderation/audit/{audit}/change/", "/admin/moderation/sanction/"),
    *(
        "/admin/moderation/audit/act/?report={report}",
        "/admin/moderation/audit/act/?report={report}&deed=propose",
        "/admin/games/chatline/",
        "/admin/accounts/user/",
    ),
    *("/admin/games/chatline/{last}/change/", "/admin/accounts/user/{ann}/change/"),
    "/admin/competitions/tournament/",
    *("/admin/games/match/{match}/change/", "/admin/moderation/appeal/", "/admin/moderation/appeal/{appeal}/change/"),
)
OWN = (
    *("/accounts/2fa/", "/accounts/2fa/webauthn/", "/accounts/email/", "/settings/people/", "/settings/"),
    *("/settings/api/", "/settings/bots/", "/settings/webhooks/", "/people/kim/"),
)
HOST = ("/tournaments/{contest}/manage/", "/tournaments/{contest}/webhooks/")
OPERATION = (
    *("/admin/", "/admin/operation/", "/admin/operation/give-time/", "/admin/games/match/{match}/hidden/"),
    *("/admin/operation/sweeps/{sweep}/undo/", "/admin/operation/matches/give-time/?match={match}"),
    *("/admin/accounts/user/{kim}/change/", "/admin/accounts/user/{kim}/delete/"),
    *("/admin/accounts/user/{kim}/history/", "/admin/games/match/{match}/history/"),
    *("/admin/games/webhookcall/", "/admin/api/apitoken/", "/admin/api/apitoken/{token}/change/"),
    *("/admin/ladders/climber/", "/admin/ladders/change/", "/admin/ladders/challenge/", "/admin/clubs/circle/"),
    *("/admin/clubs/encounter/", "/admin/clubs/encounter/{offered}/change/", "/admin/clubs/circle/{circle}/change/"),
)
VISITS = {"ann": PAGES, "mo": ADMIN, "kim": OWN, "root": OPERATION, "host": HOST}


def test_there_are_sixty():
    assert len(set(TEXTS)) == 60


@pytest.fixture(autouse=True)
def _no_limits_left():
    cache.clear()


@pytest.fixture
def stage(transactional_db) -> dict[str, int]:
    """The numbers of what the hostile texts stand in."""
    return staged()


def links_of(user: User) -> list[str]:
    """Return the addresses behind the buttons of the mails about all that waits for a member."""
    found = []
    for seat in Seat.objects.filter(user=user, ask__isnull=False):
        match, seats = match_and_seats(seat.match_id)
        found += answering.offers(user, match, seat, table_for(match, seats, seat), kinds=[Kind.TURN], mail_id=1)
    for asked in user.invitations.all():
        table = table_for(*match_and_seats(asked.match_id), None)
        found += answering.offers(user, asked.match, None, table, kinds=[Kind.INVITED], mail_id=1)
    assert not found or {answering.MOVE, answering.JOIN} <= {offer["act"] for offer in found}
    return [f"/mails/answer/{offer['token']}/" for offer in found]


LOOK = """() => {
  const all = [...document.querySelectorAll("*")];
  const foreign = "main [style], main style, main base, main iframe, main object, main meta";
  const leads = (e) => e.getAttribute("href") ?? e.getAttribute("action") ?? "";
  return {
    ran: window.ran ?? null,
    over: all.filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest("table"))
      .map((e) => `${e.tagName}.${e.className}: ${e.textContent.slice(0, 60)}`).slice(-4),
    wide: document.documentElement.scrollWidth - innerWidth,
    handlers: all.filter((e) => [...e.attributes].some((a) => a.name.startsWith("on"))).length,
    styled: document.querySelectorAll(foreign).length,
    mine: [...document.querySelectorAll("h1")].some((e) => e.textContent === "mine"),
    main: document.querySelectorAll("#main, #content").length,
    foot: document.querySelectorAll("footer, #footer").length,
    strange: [...document.querySelectorAll("main form, main a")]
      .filter((e) => /^(javascript|data):|^https?:.*evil/.test(leads(e))).length,
  };
}"""


@pytest.mark.browser
@pytest.mark.parametrize("who", VISITS)
def test_no_page_runs_or_breaks(browser, site, stage, who):
    context = browser.new_context(base_url=site.url, viewport={"width": 360, "height": 740})
    visitor = browser_of(User.objects.get(pk=stage[who]))
    if who == "kim":
        prove(visitor)  # that it is she: some of her pages ask for it, and would be the page that asks
    cookies = [{"name": name, "value": one.value, "url": site.url} for name, one in visitor.cookies.items()]
    context.add_cookies(cookies)
    page = context.new_page()
    trouble: list[str] = []
    page.on("dialog", lambda dialog: trouble.append(dialog.message) or dialog.dismiss())
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("console", lambda line: line.type == "error" and trouble.append(line.text))
    page.on("response", lambda one: one.status >= 400 and trouble.append(f"{one.status} {one.url}"))
    page.on("request", lambda one: site.url in one.url or one.url.startswith("data:") or trouble.append(one.url))
    links = links_of(User.objects.get(pk=stage[who]))
    assert bool(links) is (who == "ann")
    for address in (*VISITS[who], *links):
        answer = page.goto(address.format(**stage))
        assert answer.status == 200, address
        assert not urlsplit(page.url).path.startswith(("/accounts/login/", "/accounts/reauthenticate/")), address
        found = page.evaluate(LOOK)
        wide, over = found.pop("wide"), found.pop("over")
        assert who in ("mo", "root") or wide <= 0, f"{address}: {wide} px too wide: {over}"
        assert found.pop("main") >= 1, address
        assert found == {"ran": None, "handlers": 0, "styled": 0, "mine": False, "foot": 1, "strange": 0}, address
        assert trouble == [], address


def test_every_field_answers_in_words(stage, settings):
    settings.ACCOUNT_RATE_LIMITS = False
    ann, mo = (browser_of(User.objects.get(pk=stage[name])) for name in ("ann", "mo"))
    match, act = f"/matches/{stage['match']}", "/admin/moderation/audit/act/"
    for text in TEXTS:
        posts = {
            f"{match}/chat/say/": {"text": text},
            f"{match}/notes/": {"notes": text},
            f"{match}/move/": {"ask": text, "key": text, "move": text},
            f"{match}/orders/": {"privileges": text},
            f"/matches/{stage['table']}/invite/": {"name": text},
            f"/matches/{stage['table']}/join/": {"token": text, "nonce": text},
            f"/report/?line={stage['middle']}": {"reason": text, "words": text},
            f"/report/?match={stage['match']}": {"reason": "other", "words": text},
            f"/sanctions/{stage['sanction']}/": {"words": text},
            "/settings/": {"language": text, "time_zone": text, "colours": text},
            "/play/new/": {"game": text, "size": text, "pace": text},
            "/language/": {"language": "en", "next": text},
        }
        for address, data in tried(text, posts.items()):
            answer = ann.post(address, data)
            assert answer.status_code in ANSWERS, (address, text)
            assert "\n" not in answer.headers.get("Location", "")
        deeds = (
            {"deed": "settle", "reason": text, "reply": text, "answer": text},
            {"deed": "warn", "reason": text},
            {"deed": "rename", "name": text, "reason": text},
        )
        for data in tried(text, deeds):
            assert mo.post(f"{act}?report={stage['report']}", data).status_code in ANSWERS, text
        for address in tried(text, ("moderation/report", "accounts/user", "games/match", "games/chatline")):
            assert mo.get(f"/admin/{address}/", {"q": text}).status_code in ANSWERS, (address, text)
        asked = ("/leaving/", {"to": text}), ("/report/", {"member": text}), ("/play/", {"game": text})
        for address, query in tried(text, asked):
            assert ann.get(address, query).status_code in ANSWERS, (address, text)
        forms = (
            ("/accounts/login/", {"login": text, "password": text}),
            ("/accounts/signup/", {"username": text, "email": text, "password1": PASSWORD}),
            ("/accounts/password/reset/", {"email": text}),
        )
        for address, data in tried(text, forms):
            assert browser_of().post(address, data).status_code in ANSWERS, (address, text)
    kept = "".join(ChatLine.objects.filter(user_id=stage["ann"]).values_list("text", flat=True))
    assert kept
    assert not set(kept) & set("\0\x1b\u202e\u2066\ufeff")


def test_mails_carry_no_header_and_no_script_of_a_name(stage, settings, clock):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    crowd = list(User.objects.filter(username__regex=r"\d{3}$").order_by("pk"))
    for first, second in zip(crowd[::2], crowd[1::2], strict=True):
        seated(first, second)
        opening.join(match_id=opened(first).pk, user=second)
    Match.objects.filter(status="open").update(joined_at=site_clock.now() - timedelta(days=15))
    assert closing.lapse_open_matches() >= 30
    clock.forward(HOUR)
    mail.outbox.clear()
    while send():
        pass
    kinds = Counter(Notice.objects.filter(mail__isnull=False).values_list("kind", flat=True))
    assert kinds["lapsed"] >= 60, kinds
    assert kinds["started"] + kinds["turn"] >= 30, kinds
    assert len(mail.outbox) >= 60  # of all that is due to one, one mail
    for message in mail.outbox:
        received = BytesParser(policy=default).parsebytes(message.message().as_bytes())
        assert set(received.keys()) <= HEADERS_OF_MAILS
        assert not received.defects
        assert "victim@" not in received["To"]
        html = received.get_body(("html",)).get_content()
        assert "<script" not in html.lower().replace("&lt;script", "")
        assert not re.search("<[^>]*(onerror|onload|javascript:)", html)
