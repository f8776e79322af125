"""Take the pictures: each page for phone and desk, by day and by night."""

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.processes import CHROMIUM, CHROMIUM_FLAGS, ROOT, Site, redis_process

PAGES = {
    "home-visitor": "/",
    "home": "/",
    "lobby": "/play/",
    "match-your-move": "/matches/{move}/",
    "match-why": "/matches/{move}/why/",
    "match-waiting": "/matches/{waiting}/",
    "match-ended": "/matches/{ended}/",
    "table": "/matches/{table}/",
    "new": "/play/new/",
    "mine": "/matches/",
    "replay": "/matches/{ended}/replay/40/",
    "review": "/matches/{ended}/review/",
    "puzzle": "/puzzle/",
    "puzzle-visitor": "/puzzle/",
    "season": "/people/otto_b/season/",
    "rules": "/games/yum-extra/",
    "rules-step": "/games/yum-extra/?step=6",
    "rules-sheet": "/games/yum-extra/sheet/",
    "lesson-visitor": "/games/yum-extra/lesson/",
    "leaderboard": "/leaderboards/yum-extra/",
    "settings": "/settings/",
    "profile": "/people/otto_b/",
    "profile-visitor": "/people/otto_b/?state=ended",
    "statistics": "/games/yum-extra/statistics/",
    "my-data": "/settings/data/",
    "login-visitor": "/accounts/login/",
    "code-visitor": "/accounts/login/code/",
    "signup-visitor": "/accounts/signup/",
    "password-visitor": "/accounts/password/reset/",
    "not-found-visitor": "/nothing-is-here/",
    "figures-visitor": "/moderation/",
    "privacy-visitor": "/privacy/",
    "goodbye-visitor": "/goodbye/",
    "circle": "/settings/people/",
    "days-off": "/settings/days-off/",
    "mails": "/settings/mails/",
    "devices": "/settings/devices/",
    "calendar": "/settings/calendar/",
    "webhooks": "/settings/webhooks/",
    "close": "/settings/close/",
    "email": "/accounts/email/",
    "sessions": "/accounts/sessions/",
    "second-factor": "/accounts/2fa/",
    "reports": "/reports/",
    "log": "/matches/{ended}/log/",
    "leaderboard-teams": "/leaderboards/yesss/teams/",
    "yam-throw": "/matches/{yam_throw}/",
    "yam-announce": "/matches/{yam_announce}/",
    "yam-answer": "/matches/{yam_answer}/",
    "yam-why": "/matches/{yam_answer}/why/",
    "yam-answered": "/matches/{yam_answered}/",
    "yam-reveal": "/matches/{yam_reveal}/",
    "yam-eight": "/matches/{yam_eight}/",
    "yam-ended": "/matches/{yam_ended}/",
    "yam-rules": "/games/yam-menteur/",
    "yay-aim": "/matches/{yay_aim}/",
    "yay-decide": "/matches/{yay_decide}/",
    "yay-cross": "/matches/{yay_cross}/",
    "yay-watch": "/matches/{yay_watch}/",
    "yay-short": "/matches/{yay_short}/",
    "yay-first": "/matches/{yay_first}/",
    "yay-ended": "/matches/{yay_ended}/",
    "yay-replay": "/matches/{yay_ended}/replay/70/",
    "yay-rules": "/games/yay/",
    "chat": "/matches/{move}/chat/",
    "chat-watch-visitor": "/matches/{move}/",
    "chat-muted": "/matches/{move}/",
    "leaving": "/leaving/?to=https://example.org/yam/odds?dice=5",
    "report": "/report/?line={line}",
    "admin-home": "/admin/",
    "admin-queue": "/admin/moderation/report/",
    "admin-report": "/admin/moderation/report/{report}/change/",
    "admin-act": "/admin/moderation/audit/act/?report={report}",
    "admin-ban": "/admin/moderation/audit/act/?report={report}&deed=ban",
    "admin-member": "/admin/accounts/user/{otto}/change/",
    "admin-members": "/admin/accounts/user/",
    "admin-match": "/admin/games/match/{move}/change/",
    "admin-sealed": "/admin/games/match/{yam_answer}/change/",
    "admin-hidden": "/admin/games/match/{move}/hidden/",
    "admin-audit": "/admin/moderation/audit/",
    "yesss-choose": "/matches/{yesss_choose}/",
    "yesss-guess": "/matches/{yesss_guess}/",
    "yesss-seven": "/matches/{yesss_seven}/",
    "yesss-mixed": "/matches/{yesss_mixed}/",
    "yesss-swap": "/matches/{yesss_swap}/",
    "yesss-ended": "/matches/{yesss_ended}/",
    "yesss-ready": "/matches/{yesss_ready}/",
    "yesss-race": "/matches/{yesss_race}/",
    "yesss-slow": "/matches/{yesss_slow}/",
    "yesss-together": "/matches/{yesss_together}/",
    "yesss-new": "/play/new/?game=yesss",
    "yesss-rules": "/games/yesss/",
    "yes-accept": "/matches/{yes_accept}/",
    "yes-half-price": "/matches/{yes_half_price}/",
    "yes-put-back": "/matches/{yes_put_back}/",
    "yum-first": "/matches/{yum_first}/",
    "yum-write": "/matches/{yum_write}/",
    "yum-combo": "/matches/{yum_combo}/",
    "yes-first": "/matches/{yes_first}/",
    "yes-roll": "/matches/{yes_roll}/",
    "yes-choose": "/matches/{yes_choose}/",
    "yes-advance": "/matches/{yes_advance}/",
    "yes-bid": "/matches/{yes_bid}/",
    "yes-buy": "/matches/{yes_buy}/",
    "yes-offer": "/matches/{yes_offer}/",
    "yes-interest": "/matches/{yes_interest}/",
    "yes-give-up": "/matches/{yes_give_up}/",
    "yes-swap": "/matches/{yes_swap}/",
    "yes-veto": "/matches/{yes_veto}/",
    "yes-ignore": "/matches/{yes_ignore}/",
    "yes-award": "/matches/{yes_award}/",
    "yes-debt": "/matches/{yes_debt}/",
    "yes-six": "/matches/{yes_six}/",
    "yes-ended": "/matches/{yes_ended}/",
    "yes-replay": "/matches/{yes_ended}/replay/60/",
    "yes-rules": "/games/yes/",
    "contests": "/tournaments/",
    "contests-visitor": "/tournaments/",
    "contest-open": "/tournaments/{contest_open}/",
    "contest-running": "/tournaments/{contest_running}/",
    "contest-over": "/tournaments/{contest_over}/",
    "contest-link": "/tournaments/{contest_link}/",
    "contest-asked": "/tournaments/{contest_asked}/",
    "contest-match": "/matches/{contest_match}/",
    "contest-match-over": "/matches/{contest_match_over}/",
    "contest-rules": "/tournaments/rules/",
    "ladders": "/ladders/",
    "ladder": "/ladders/yum-extra/",
    "ladder-visitor": "/ladders/yum-extra/",
    "ladder-match": "/matches/{ladder_match}/",
}
SESSIONS = {
    "admin": "moderator",
    "chat-muted": "muted",
}  # by how a page's name begins; else the first member's
PROMPTS = [  # each question of each game
    *("yum-first", "match-your-move", "yum-write", "yum-combo", "yay-aim", "yay-decide", "yay-cross"),
    *("yam-throw", "yam-announce", "yam-answer", "yam-answered", "yam-reveal", "yam-eight"),
    *(f"yesss-{name}" for name in ("choose", "guess", "seven", "mixed", "swap", "ready", "race", "slow", "together")),
    *(f"yes-{name}" for name in ("first", "roll", "choose", "advance", "bid", "accept", "buy", "half-price", "offer")),
    *(f"yes-{name}" for name in ("interest", "award", "give-up", "put-back", "swap", "veto", "ignore", "debt", "six")),
]
WHOLE = (
    *("home-visitor", "lobby", "match-waiting", "match-ended", "rules", "settings"),
    *("contests", "contest-running", "contest-over", "ladder"),
)
KEPT = (*PROMPTS, *WHOLE)
COLOURS = 96  # of a kept picture: a quarter of the size of one with all
SIZES = {390: 844, 1280: 900}


@contextmanager
def staged_site(language: str) -> Iterator[tuple[str, dict[str, object]]]:
    """Run a site on which everything in PAGES is to be seen; give its address, and ids and sessions by name."""
    with tempfile.TemporaryDirectory(prefix="club-y-pictures-") as name:
        folder = Path(name)
        redis = redis_process(folder)
        redis.start()
        quiet = {"LOG_LEVEL": "ERROR"}  # what `stage` prints is read
        site = Site(folder, "", {"VAR_DIR": name, "REDIS_URL": f"unix://{name}/redis.sock"} | quiet)
        try:
            site.manage("migrate", "-v0")
            site.collect_static()
            script = f"from tests.pictures.stage import stage; stage({language!r})"
            staged = json.loads(site.manage("shell", "--no-imports", "-c", script).splitlines()[-1])
            site.web.start()
            yield site.url, staged
        finally:
            site.stop()
            redis.stop()


def main(language: str, target: Path, names: tuple[str, ...]) -> None:
    """Photograph the named pages into the folder."""
    target.mkdir(parents=True, exist_ok=True)
    with staged_site(language) as (url, staged):
        photograph(url, staged, language, target, names)


def keep(picture: bytes, path: Path) -> None:
    """Write a picture with few colours, as many are kept."""
    few = Image.open(BytesIO(picture)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


def visit(page: Page, url: str, staged: dict[str, object], name: str) -> None:
    """Open the named page as whoever looks at it."""
    page.context.clear_cookies()
    if not name.endswith("visitor"):
        who = next((one for part, one in SESSIONS.items() if name.startswith(part)), "session")
        page.context.add_cookies([{"name": "sessionid", "value": str(staged[who]), "url": url}])
    page.goto(url + PAGES[name].format(**staged))


def photograph(url: str, staged: dict[str, object], language: str, target: Path, names: tuple[str, ...]) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        for width, height in SIZES.items():
            for scheme in ("light", "dark"):
                context = browser.new_context(
                    locale=language,
                    color_scheme=scheme,
                    viewport={"width": width, "height": height},
                )
                page = context.new_page()
                page.on("console", lambda line: line.type == "error" and print("console:", line.text))
                for name in names:
                    visit(page, url, staged, name)
                    page.wait_for_timeout(700)
                    wide = page.evaluate("() => document.documentElement.scrollWidth")
                    if wide > width:
                        print(f"{name} at {width}: {wide} px wide")
                    keep(page.screenshot(full_page=name not in PROMPTS), target / f"{name}-{width}-{scheme}.png")
                context.close()


if __name__ == "__main__":
    chosen = sys.argv[1:]
    if chosen:
        main(chosen[0], Path(chosen[1]), tuple(chosen[2:]) or tuple(PAGES))
    else:
        main("en", ROOT / "docs" / "pictures", KEPT)
