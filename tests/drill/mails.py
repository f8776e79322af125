"""Drill with the mail server: it hangs, is busy, refuses all recipients for good, or will not relay for us."""

import time
from datetime import timedelta

import httpx

from config.lib import clock
from games.models import Mail
from tests.drill.drill import Drill
from tests.drill.members import TIMEOUT, cookies, headers

FIRST_PAUSE = 61.0  # seconds after which a mail that was put off is tried again
SHORT = 5.0  # seconds in which the page of a visitor who asks for a mail has to be there
REFUSALS = {
    "4xx: every recipient is answered “451 4.3.0 busy, try later”": "451 4.3.0 busy, try later",
    "5xx: every recipient is answered “554 5.7.1 rejected”": "554 5.7.1 rejected",
    "relay refused: every recipient is answered “550 5.7.1 relaying denied”": "550 5.7.1 relaying denied",
}


class Post:
    """The mails of this drill: one that a visitor asks for, and some that the site owes to members."""

    def __init__(self, drill: Drill) -> None:
        self.drill, self.rows = drill, []
        self.people = [member.user for member in drill.stage.members]

    def queue(self, count: int = 6) -> None:
        """Let a visitor ask for a link to a new password, and owe mails to members of so many domains."""
        self._ask(self.people[0].email)
        for user in self.people[1 : count + 1]:
            message = {"to": user.email, "subject": f"Drill {len(self.rows)}", "text": "-", "html": "-", "headers": {}}
            over = clock.now() + timedelta(days=1)
            self.rows.append(Mail.objects.create(user=user, kind="sanction", message=message, expires_at=over).pk)

    def _ask(self, address: str) -> None:
        house, start = self.drill.house, time.monotonic()
        with httpx.Client(
            base_url=house.base, verify=house.trusted, timeout=TIMEOUT, headers=headers(cookies())
        ) as one:
            try:
                status = one.post("/accounts/password/reset/", data={"email": address}).status_code
            except httpx.HTTPError as error:
                status = type(error).__name__
        took = time.monotonic() - start
        self.drill.note(f"a visitor who asks for a mail is answered with {status} after {took:.2f} s")
        if status not in (200, 302) or took > SHORT:
            self.drill.fail("the visitor's page waited for the mail server, or failed")

    def are_tried(self) -> bool:
        """Return whether each of these mails is out or was put off: one that is put off later waits for longer."""
        return not Mail.objects.filter(pk__in=self.rows, error="").exclude(state=Mail.State.SENT).exists()

    def settle(self) -> None:
        """Wait until all mails are out, each once."""
        rows = Mail.objects.filter(pk__in=self.rows)
        self.drill.wait(lambda: not rows.exclude(state=Mail.State.SENT).exists(), 60, "all mails are sent")
        counts = [
            sum(subject == f"Drill {n}" for _at, _to, subject in self.drill.mail.arrived) for n in range(len(self.rows))
        ]
        self.drill.note(f"{len(counts)} mails owed, {counts.count(0)} lost, {sum(n > 1 for n in counts)} twice")
        if set(counts) - {1}:
            self.drill.fail(f"mails that came not once: {counts}")


def heard(drill: Drill, word: str) -> int:
    """Return how often the log has said a word in this drill."""
    return sum(line.get("event") == word for line in drill.stage.log.lines())


def in_log(drill: Drill, word: str, before: int) -> None:
    drill.alarm(f"the log says “{word}”", lambda: heard(drill, word) > before)


def mail(drill: Drill) -> None:
    """Let the mail server fail in four ways, one after another; at the end every mail is out, once."""
    post, server = Post(drill), drill.mail
    with drill.playing():
        server.hangs.set()
        drill.note("the mail server hangs")
        post.queue(2)
        in_log(drill, "mail not sent", 0)
        server.hangs.clear()
        for what, answer in REFUSALS.items():
            before = heard(drill, "mail not sent"), heard(drill, "mails stopped")
            server.answer = answer
            drill.note(what)
            post.queue()
            if answer.startswith("4"):
                in_log(drill, "mail not sent", before[0])
                drill.wait(post.are_tried, 60, "all mails are tried")
                waiting = drill.admin.figure("Mails that wait")
                drill.note(f"the operation page shows {waiting} mails that wait")
            else:
                drill.alarm("/healthz says that the mails are stopped", lambda: drill.watch.says("mail"))
                in_log(drill, "mails stopped", before[1])
            drill.look()
            server.answer = ""
            if not answer.startswith("4"):
                status = drill.admin.resume_mails()
                drill.note(f"the admin presses “Resume the mails”: {status}")
            drill.clock.forward(FIRST_PAUSE)
            drill.note("the mail server is well again, a minute later")
            post.settle()
        drill.well()
