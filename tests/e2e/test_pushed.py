"""A real Chromium receives what the site pushes: from the notice, through a push service, to the notification."""

import json

import pytest
from playwright.sync_api import BrowserContext

from games.models import Notice
from games.services.mail import planning
from games.services.push import delivery
from tests.factories import asked, seated, session_of
from tests.mailing import HOUR
from tests.processes import off_loop, wait_until
from tests.pushing import device_of

pytestmark = pytest.mark.browser

# This Chromium denies notifications and dies of a badge: both are caught where the worker hands them over.
CAUGHT = """() => {
    self.drawer = [];
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) => drawer.push({ title, ...options });
    ServiceWorkerRegistration.prototype.getNotifications = async () => [];
    Object.defineProperty(navigator, "setAppBadge", { value: async (count) => { self.badge = count; } });
}"""


def push(context: BrowserContext, url: str, message: object) -> None:
    """Have Chromium give its worker a message, as it does when its push service has one for it."""
    page = context.new_page()
    page.goto(url)
    found: list[dict] = []
    browser = context.new_cdp_session(page)
    browser.on("ServiceWorker.workerRegistrationUpdated", lambda told: found.extend(told["registrations"]))
    browser.send("ServiceWorker.enable")
    wait_until(lambda: page.evaluate("navigator.serviceWorker.ready.then(() => true)") and found, "a registration")
    context.service_workers[0].evaluate(CAUGHT)
    to = {"origin": url, "registrationId": found[-1]["registrationId"], "data": json.dumps(message)}
    browser.send("ServiceWorker.deliverPushMessage", to)


def test_a_turn_is_pushed_and_shown(browser, site, ann, bob, clock, service):
    match = seated(ann, bob)
    Notice.objects.all().delete()  # that it has begun
    clock.forward(HOUR)
    mover = asked(match).user
    with off_loop():
        device_of(mover, service)
        planning.sweep()
        delivery.send_due()
    [sent] = service.kept
    context = browser.new_context(base_url=site.url, permissions=["notifications"])
    context.add_cookies([{"name": n, "value": v, "url": site.url} for n, v in session_of(mover).items()])
    push(context, site.url, sent.told)
    [worker] = context.service_workers
    wait_until(lambda: worker.evaluate("drawer.length && badge"), "the notification")
    [shown] = worker.evaluate("drawer")
    other = bob if mover == ann else ann
    assert (shown["title"], shown["tag"], shown["renotify"]) == ("Your turn", f"match-{match.pk}", True)
    assert shown["body"].startswith(f"Yum EXTRA with {other.username}.")
    assert shown["data"] == {"url": f"/matches/{match.pk}/", "asks": True}
    assert worker.evaluate("badge") == 1
