"""Sixty hostile texts in every field that takes text, on every page and in mails: nothing runs or breaks.

What is shown was put into the database past all checks, so that pages stand by themselves.
"""

import re
from collections import Counter
from datetime import timedelta
from email.parser import BytesParser
from email.policy import default
from random import Random

import pytest
from django.core import mail
from django.core.cache import cache

from accounts.models import User
from config import clock as site_clock
from games.chat import LONGEST_LINE, ChatLine
from games.engine import GAMES
from games.models import Match, Seat
from games.moderation.models import LONGEST_REASON, Audit, Report, Sanction
from games.moderation.roles import moderators
from games.post import Letter
from games.services import lobby
from leaderboards.models import Standing
from tests.conftest import session_of
from tests.games.conftest import browser_of, member
from tests.games.mailing import HOUR, send
from tests.games.playing import opened, play_on, seated

SCRIPTS = [
    "<script>window.ran=1</script>",
    "</script><script>window.ran=1</script>",
    "<ScRiPt>window.ran=1</sCrIpT>",
    "<img src=x onerror=window.ran=1>",
    "<svg onload=window.ran=1>",
    "<svg><script>window.ran=1</script></svg>",
    '"><script>window.ran=1</script>',
    "'><script>window.ran=1</script>",
    '" onmouseover="window.ran=1" x="',
    "' autofocus onfocus='window.ran=1' x='",
    "`onmouseover=window.ran=1`",
    "</textarea><script>window.ran=1</script>",
    "</title><script>window.ran=1</script>",
    "</style><script>window.ran=1</script>",
    "</pre></q></p></li></ol></table></main><h1>mine</h1>",
    "<!--<script>window.ran=1</script>-->",
    "--><script>window.ran=1</script>",
    "<![CDATA[<script>window.ran=1</script>]]>",
    "<iframe srcdoc='<script>parent.ran=1</script>'></iframe>",
    "<iframe src=javascript:parent.ran=1></iframe>",
    "<a href=javascript:window.ran=1 autofocus>x</a>",
    "<form action=https://evil.example><button>x</button></form>",
    "<base href=https://evil.example/>",
    "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "<link rel=stylesheet href=https://evil.example/x.css>",
    "<style>*{display:none}</style>",
    "<div style='position:fixed;inset:0;background:red'>",
    "<object data=https://evil.example/x></object>",
    "<details open ontoggle=window.ran=1>",
    "<template><script>window.ran=1</script></template>",
    "&lt;script&gt;window.ran=1&lt;/script&gt;",
    "&#60;script&#62;window.ran=1&#60;/script&#62;",
    "\\u003cscript\\u003ewindow.ran=1\\u003c/script\\u003e",
    "{{ 7*7 }}{% debug %}{{ settings.SECRET_KEY }}",
    "${7*7}#{7*7}<%= 7*7 %>",
    "%(name)s %s %d {0} {name!r}",
    "javascript:window.ran=1",
    "data:text/html,<script>window.ran=1</script>",
    'https://evil.example/?a="><script>window.ran=1</script>',
    "http://a@evil.example/\u202egpj.exe",
    "@everybody @" + "a" * 200,
]
LETTERS = [
    "\u202eright to left\u202d and back",
    "\u2066isolated\u2067 never closed",
    "\u200f\u05e2\u05d1\u05e8\u05d9\u05ea\u200f \u0627\u0644\u0639\u0631\u0628\u064a\u0629 mixed with Latin",
    "Z\u0351\u036b\u0343\u036aa\u0302\u033dl\u0367\u0310g\u0305\u0302o" + "\u0489\u0316\u0353" * 60,
    "a" + "\u0301" * 500,
    "\0null\0",
    "\x1b[31mred\x07\x08\x7f",
    "\ud800".encode("utf-8", "replace").decode() + "\ufffe\uffff",
    "\u200b\u200c\u200d\ufeff",
    "\U000e0041\U000e0042\U000e007f",
    "аdmіn Ann Αnn ann",
    "ⅯⅭⅯ ﷽ ﷽ ﷽ 𒐫𒐫𒐫",
    "👩‍👩‍👧‍👦" * 20,
    "x" * 10_000,
    "word " * 2_000,
    "\n" * 500 + "end",
]
HEADERS_OF_MAILS = {
    *("From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type", "References"),
    *("In-Reply-To", "List-Unsubscribe", "List-Unsubscribe-Post", "Auto-Submitted", "List-Id", "Reply-To"),
}
HEADERS = [
    "a@example.org\r\nBcc: victim@example.org",
    "Subject: x\r\n\r\n<script>window.ran=1</script>",
    "a%0d%0aSet-Cookie: ran=1",
]
TEXTS = SCRIPTS + LETTERS + HEADERS

PAGES = (
    *("/", "/play/", "/play/new/", "/matches/", "/matches/{match}/", "/matches/{match}/log/", "/settings/"),
    *("/matches/{match}/chat/", "/matches/{match}/chat/?before={middle}", "/matches/{table}/"),
    *("/settings/days-off/", "/leaderboards/yum-extra/", "/report/?line={last}", "/report/?match={match}"),
    *("/accounts/sessions/", "/accounts/email/", "/games/yum-extra/", "/settings/mails/"),
    *(f"/matches/{{{slug}}}/" for slug in GAMES[1:]),
    *("/matches/{done}/", "/matches/{done}/replay/1/", "/matches/{match}/replay/0/"),
)
ADMIN = (
    *("/admin/", "/admin/moderation/report/", "/admin/moderation/report/{report}/change/"),
    *("/admin/moderation/audit/", "/admin/moderation/audit/{audit}/change/", "/admin/moderation/sanction/"),
    *(
        "/admin/moderation/audit/act/?report={report}",
        "/admin/moderation/audit/act/?report={report}&deed=ban",
        "/admin/games/chatline/",
        "/admin/accounts/user/",
    ),
    *("/admin/games/chatline/{last}/change/", "/admin/accounts/user/{ann}/change/"),
    "/admin/games/match/{match}/change/",
)


def test_there_are_sixty():
    assert len(set(TEXTS)) == 60


@pytest.fixture(autouse=True)
def _no_limits_left():
    cache.clear()


def fitting(text: str, most: int) -> str:
    """Return what a database would hold of a text: no NUL, not more than the column has room for."""
    return text.replace("\0", "")[:most] or "x"


@pytest.fixture
def stage(transactional_db) -> dict[str, int]:
    """A match, a table, reports, sanctions and audit rows full of hostile texts; and their numbers."""
    ann, mo = member("ann"), member("mo", is_staff=True)
    mo.groups.add(moderators())
    crowd = [member(f"crowd{number}") for number in range(len(TEXTS))]
    match, table = seated(ann, *crowd[:3]), opened(crowd[5], invited=[ann])
    seated(ann, crowd[4], access=Match.Access.LINK)
    others = {slug: seated(ann, *crowd[:3], game_slug=slug).pk for slug in GAMES[1:]}
    done = play_on(seated(ann, crowd[6], game_slug="yay"), Random(1))
    for number, (person, text) in enumerate(zip(crowd, TEXTS, strict=True)):
        User.objects.filter(pk=person.pk).update(username=f"{fitting(text, 21)}{number:03}")
    lines = ChatLine.objects.bulk_create(
        ChatLine(match=match, channel="players", user=person, text=fitting(text, LONGEST_LINE))
        for person, text in zip(crowd, TEXTS, strict=True)
    )
    made = Report.objects.bulk_create(
        Report(
            reporter=person,
            member=ann,
            match=match,
            line=lines[30],
            reason="other",
            words=fitting(text, 2000),
            said=fitting(text, 1000),
        )
        for person, text in zip(crowd, TEXTS, strict=True)
    )
    audits = Audit.objects.bulk_create(
        Audit(moderator=mo, member=ann, report=made[0], deed="warn", reason=fitting(text, LONGEST_REASON))
        for text in TEXTS
    )
    Sanction.objects.bulk_create(
        Sanction(member=ann, kind="warning", reason=fitting(text, LONGEST_REASON)) for text in TEXTS
    )
    Standing.objects.bulk_create(
        Standing(
            user=person,
            game_slug="yum-extra",
            season="",
            rating=1500_00 + n,
            matches=20,
            last_active=site_clock.now(),
        )
        for n, person in enumerate(crowd)
    )
    Seat.objects.filter(match=match, user=ann).update(
        notes="\n".join(fitting(text, 10_000) for text in TEXTS)[:10_000]
    )
    return {
        "ann": ann.pk, "mo": mo.pk, "match": match.pk, "table": table.pk, "last": lines[-1].pk,
        "middle": lines[30].pk, "report": made[0].pk, "audit": audits[0].pk,
        "done": done.pk, **others,
    }  # fmt: skip


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
@pytest.mark.parametrize("who", ["ann", "mo"])
def test_no_page_runs_or_breaks(browser, site, stage, who):
    context = browser.new_context(base_url=site.url, viewport={"width": 360, "height": 740})
    cookies = session_of(User.objects.get(pk=stage[who]))
    context.add_cookies([{"name": name, "value": value, "url": site.url} for name, value in cookies.items()])
    page = context.new_page()
    trouble: list[str] = []
    page.on("dialog", lambda dialog: trouble.append(dialog.message) or dialog.dismiss())
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("console", lambda line: line.type == "error" and trouble.append(line.text))
    page.on("response", lambda one: one.status >= 400 and trouble.append(f"{one.status} {one.url}"))
    page.on(
        "request", lambda one: site.url in one.url or one.url.startswith("data:") or trouble.append(one.url)
    )
    for address in PAGES if who == "ann" else ADMIN:
        answer = page.goto(address.format(**stage))
        assert answer.status == 200, address
        found = page.evaluate(LOOK)
        wide, over = found.pop("wide"), found.pop("over")
        assert who == "mo" or wide <= 0, f"{address}: {wide} px too wide: {over}"
        assert found.pop("main") >= 1, address
        assert found == {"ran": None, "handlers": 0, "styled": 0, "mine": False, "foot": 1, "strange": 0}, (
            address
        )
        assert trouble == [], address


def test_every_field_answers_in_words(stage, settings):
    settings.ACCOUNT_RATE_LIMITS = False
    ann, mo = (browser_of(User.objects.get(pk=stage[name])) for name in ("ann", "mo"))
    match, act = f"/matches/{stage['match']}", "/admin/moderation/audit/act/"
    allowed = {200, 302, 400, 403, 404, 405, 409, 422}
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
            "/settings/": {"language": text, "time_zone": text, "colours": text},
            "/play/new/": {"game": text, "size": text, "pace": text},
            "/language/": {"language": "en", "next": text},
        }
        for address, data in posts.items():
            answer = ann.post(address, data)
            assert answer.status_code in allowed, (address, text)
            assert "\n" not in answer.headers.get("Location", "")
        for data in ({"deed": "warn", "reason": text}, {"deed": "rename", "name": text, "reason": text}):
            assert mo.post(f"{act}?report={stage['report']}", data).status_code in allowed, text
        for address in ("moderation/report", "accounts/user", "games/match", "games/chatline"):
            assert mo.get(f"/admin/{address}/", {"q": text}).status_code in allowed, (address, text)
        for address, query in (
            ("/leaving/", {"to": text}),
            ("/report/", {"member": text}),
            ("/play/", {"game": text}),
        ):
            assert ann.get(address, query).status_code in allowed, (address, text)
        for address, data in (
            ("/accounts/login/", {"login": text, "password": text}),
            ("/accounts/signup/", {"username": text, "email": text, "password1": "a lively otter 7"}),
            ("/accounts/password/reset/", {"email": text}),
        ):
            assert browser_of().post(address, data).status_code in allowed, (address, text)
    kept = "".join(ChatLine.objects.filter(user_id=stage["ann"]).values_list("text", flat=True))
    assert kept
    assert not set(kept) & set("\0\x1b\u202e\u2066\ufeff")


def test_mails_carry_no_header_and_no_script_of_a_name(stage, settings, clock):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    crowd = list(User.objects.filter(username__regex=r"\d{3}$").order_by("pk"))
    for first, second in zip(crowd[::2], crowd[1::2], strict=True):
        seated(first, second)
        lobby.join(match_id=opened(first).pk, user=second)
    Match.objects.filter(status="open").update(joined_at=site_clock.now() - timedelta(days=15))
    assert lobby.lapse_open_matches() >= 30
    clock.forward(HOUR)
    mail.outbox.clear()
    while send():
        pass
    kinds = Counter(Letter.objects.values_list("kind", flat=True))
    assert kinds["lapsed"] >= 60, kinds
    assert kinds["started"] + kinds["turn"] >= 30, kinds
    assert len(mail.outbox) >= 90
    for message in mail.outbox:
        received = BytesParser(policy=default).parsebytes(message.message().as_bytes())
        assert set(received.keys()) <= HEADERS_OF_MAILS
        assert not received.defects
        assert "victim@" not in received["To"]
        html = received.get_body(("html",)).get_content()
        assert "<script" not in html.lower().replace("&lt;script", "")
        assert not re.search("<[^>]*(onerror|onload|javascript:)", html)
