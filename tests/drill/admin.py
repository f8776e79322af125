"""The admin at the operation page, over TLS as well."""

import html
import re

import httpx

from accounts.models import User
from accounts.services import sessions
from config.lib import clock
from tests.bench.prepare import SessionStore, log_in
from tests.drill.house import House
from tests.drill.members import CSRF, TIMEOUT, headers
from tests.drill.proxy import NAME

ALARM = re.compile(r'<section class="alarm" role="alert">\s*<h2>(.*?)</h2>', re.DOTALL)
LATE = re.compile(r'<th scope="row">([^<]*)</th>\s*<td[^>]*>\s*<strong class="late">', re.DOTALL)
BAD = re.compile(r'<div class="bad">\s*<dt>(.*?)<strong>.*?<dd>(\d+)</dd>', re.DOTALL)
FIGURE = re.compile(r"<dt>(.*?)</dt>\s*<dd>(\d+)</dd>", re.DOTALL)


def session_of(user: User) -> str:
    """Return the key of a session that the admin lets in, however long the drill takes."""
    session = SessionStore(log_in(user))
    session[sessions.SINCE] = clock.now().timestamp() + 10**9
    session.save()
    return str(session.session_key)


class Admin:
    """A superuser with a browser."""

    def __init__(self, house: House) -> None:
        self.user = User.objects.create_superuser("root", "", "a lively otter 7")
        cookie = f"__Host-sessionid={session_of(self.user)}; __Host-csrftoken={CSRF}"
        own = headers(cookie) | {"Referer": f"https://{NAME}/admin/operation/", "Accept-Language": "en"}
        self.http = httpx.Client(base_url=house.base, verify=house.trusted, timeout=TIMEOUT, headers=own)

    def page(self) -> str:
        """Return the operation page; the status in words when it does not come."""
        try:
            answer = self.http.get("/admin/operation/")
        except httpx.HTTPError as error:
            return f"no page: {type(error).__name__}"
        return answer.text if answer.status_code == 200 else f"no page: {answer.status_code}"

    def alarms(self) -> list[str]:
        """Return what the operation page shows as wrong now."""
        page = self.page()
        if page.startswith("no page"):
            return [page]
        late = [f"{words(label)} late" for label in LATE.findall(page)]
        return (
            [words(title) for title in ALARM.findall(page)]
            + late
            + [f"{words(label)} {number}, look here" for label, number in BAD.findall(page)]
        )

    def figure(self, label: str) -> int:
        """Return a number of the operation page; -1 when it is not there."""
        found = {words(name): int(number) for name, number in FIGURE.findall(self.page())}
        return found.get(label, -1)

    def resume_mails(self) -> int:
        """Press the button that lets mails go on; return the status."""
        return self.http.post("/admin/operation/mails/resume/").status_code


def words(text: str) -> str:
    """Return markup as text."""
    return " ".join(html.unescape(re.sub("<[^>]*>", "", text)).split())
