"""The site as Chromium installs it: manifest, service worker, offline page, and what is pushed to it."""

import json

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from games.models import Device
from tests.factories import member, seated, session_of
from tests.processes import off_loop, wait_until
from tests.pushing import Browser as Subscribed

pytestmark = pytest.mark.browser

CONTROLLED = """() => Promise.race([
    new Promise((_done, late) => setTimeout(() => late(new Error("no worker")), 10000)),
    navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller ?? new Promise((done) =>
        navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }))).then(() => true)])"""
# This Chromium shows no notifications: what the worker shows lies in a drawer of ours, and so does what a page finds.
SHOWN = """async (messages) => {
    let drawer = [];
    const seen = [];
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
        const one = { title, ...options, close: () => { drawer = drawer.filter((other) => other !== one); } };
        drawer = [...drawer.filter(({ tag }) => tag !== options.tag), one];
    };
    ServiceWorkerRegistration.prototype.getNotifications = async () => [...drawer];
    let badge = 0; // this Chromium dies of one
    Object.defineProperty(navigator, "setAppBadge", { value: async (count) => { badge = count; } });
    for (const told of messages) {
        await shown(told);
        if (badge !== told.count) throw new Error(`the badge is ${badge}`);
        seen.push(drawer.map((one) => [one.tag, one.title]).sort());
    }
    return seen;
}"""
FOUND = """ServiceWorkerRegistration.prototype.getNotifications = async () =>
    JSON.parse(localStorage.getItem("drawer") ?? "[]").map((one) => ({ ...one, close: () =>
        localStorage.setItem("closed", `${localStorage.getItem("closed") ?? ""}${one.tag} `) }))"""
TOLD = {"title": "Your turn", "body": "YAY! with Bob.", "asks": True, "lang": "en", "count": 2, "waiting": [41, 42]}
KEPT = """async () => Object.fromEntries(await Promise.all((await caches.keys()).map(
    async (name) => [name, (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)])))"""


@pytest.fixture
def anns(browser: Browser, site) -> BrowserContext:
    """Ann's browser, which may show notifications."""
    context = browser.new_context(base_url=site.url, permissions=["notifications"])
    context.add_cookies([{"name": n, "value": v, "url": site.url} for n, v in session_of(member("ann")).items()])
    return context


def opened(context: BrowserContext, address: str = "/") -> Page:
    page = context.new_page()
    page.goto(address)
    assert page.evaluate(CONTROLLED)
    return page


def wait_closed(page: Page, wanted: str) -> None:
    """Wait until this one is closed, once or more often, and no other."""
    closed = "localStorage.getItem('closed')"
    wait_until(lambda: set((page.evaluate(closed) or "").split()) == {wanted}, f"{wanted} closed")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_it_can_be_installed(browser, site, language):
    page = browser.new_context(base_url=site.url, locale=language).new_page()
    page.goto("/")
    session = page.context.new_cdp_session(page)
    found = session.send("Page.getAppManifest")
    assert found["errors"] == []
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    told = json.loads(found["data"])
    assert (told["name"], told["lang"], told["display"], told["scope"]) == ("Club Y", language, "standalone", "/")
    for icon in told["icons"]:
        size = page.evaluate(
            "async (src) => { const i = new Image(); i.src = src; await i.decode(); return `${i.width}x${i.height}`; }",
            icon["src"],
        )
        assert size == icon["sizes"]
    assert {icon["purpose"] for icon in told["icons"]} == {"any", "maskable"}
    for address in (told["start_url"], *(one["url"] for one in told["shortcuts"])):
        assert page.request.get(address).ok
    apple = page.locator("link[rel=apple-touch-icon]").get_attribute("href")
    assert page.request.get(apple).ok


def test_without_a_network_a_page_says_so_and_nothing_personal_is_kept(anns, site):
    page = opened(anns)
    page.goto("/settings/")
    kept = page.evaluate(KEPT)
    [(_name, files)] = kept.items()
    assert "/offline/" in files
    assert all(path == "/offline/" or path.startswith("/static/") for path in files)
    anns.set_offline(True)
    page.goto("/matches/")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    assert page.locator(".menu").count() == 0  # nobody's name
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.button.main')).borderRadius") != "0px"
    )  # it has its style
    anns.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", level=1)).not_to_have_text("You are offline")
    assert page.url.endswith("/matches/")


def test_what_an_earlier_release_kept_is_cleared(anns):
    page = opened(anns)
    page.evaluate("""async () => {
        await (await caches.open("club-y of before")).put("/static/old.css", new Response("old"));
        await (await navigator.serviceWorker.getRegistration("/")).unregister();
    }""")
    assert len(page.evaluate("caches.keys()")) == 2
    page.close()  # else the worker stays
    page = opened(anns)
    wait_until(lambda: len(page.evaluate("caches.keys()")) == 1, "one cache")


def test_a_message_is_shown_once_for_each_match_and_closed_when_it_is_over(anns):
    opened(anns)
    messages = [
        TOLD | {"tag": "match-41", "url": "/matches/41/"},
        TOLD | {"tag": "match-42", "url": "/matches/42/"},
        TOLD | {"tag": "match-41", "url": "/matches/41/", "title": "Your time is almost up"},
        TOLD | {"tag": "match-43", "url": "/matches/43/", "asks": False, "title": "A match is over", "waiting": [42]},
    ]
    assert anns.service_workers[0].evaluate(SHOWN, messages) == [
        [["match-41", "Your turn"]],
        [["match-41", "Your turn"], ["match-42", "Your turn"]],
        [["match-41", "Your time is almost up"], ["match-42", "Your turn"]],
        [["match-42", "Your turn"], ["match-43", "A match is over"]],
    ]


def shown_already(context: BrowserContext, **asks: bool) -> None:
    """Let the pages of this browser find notifications of these matches."""
    found = [{"tag": name.replace("_", "-"), "data": {"asks": wanted}} for name, wanted in asks.items()]
    context.add_init_script(f"localStorage.setItem('drawer', {json.dumps(json.dumps(found))})\n{FOUND}")


def test_a_page_that_is_looked_at_puts_away_what_is_over(anns):
    """No match waits for Ann; news stay."""
    shown_already(anns, match_42=True, match_43=False)
    wait_closed(opened(anns), "match-42")


def test_a_tap_leads_to_the_question(anns):
    """Only a real tap may open a window: what the worker would open is caught here."""
    opened(anns)
    found = anns.service_workers[0].evaluate("""async () => {
        let wanted = "";
        clients.openWindow = async (url) => { wanted = url; };
        await opened("/matches/41/");
        return wanted;
    }""")
    assert found.endswith("/matches/41/")


def test_who_logs_out_is_told_nothing_any_more(anns):
    shown_already(anns, match_41=False)
    page = opened(anns)
    page.locator("summary", has_text="Your menu").click()
    page.get_by_role("button", name="Log out").click()
    page.wait_for_load_state()
    wait_closed(page, "match-41")


def test_another_site_s_form_is_no_log_out(anns, site):
    """It comes without the session's cookie, and the page that refuses it is a visitor's."""
    anns.add_init_script("""Object.assign(PushManager.prototype, { getSubscription: async () => ({
        endpoint: "https://push.example/one", toJSON: () => ({ endpoint: "https://push.example/one", keys: {} }),
        unsubscribe: async () => localStorage.setItem("let go", 1) }) })""")
    page = opened(anns)
    other = anns.new_page()
    other.goto("data:text/html,<form method=post><button>Go</button></form>")
    other.locator("form").evaluate(f"form => form.action = '{site.url}/'")
    other.get_by_role("button").click()
    other.wait_for_url(f"{site.url}/**")
    assert other.locator("html").get_attribute("data-who") == "visitor"
    other.wait_for_load_state("networkidle")
    assert page.evaluate("localStorage.getItem('let go')") is None
    anns.clear_cookies()

    def is_let_go() -> bool:
        other.goto("/")
        assert other.locator("html").get_attribute("data-who") == "visitor"
        other.wait_for_load_state("networkidle")
        return other.evaluate("localStorage.getItem('let go')") is not None

    other.on("response", lambda answer: print(answer.request.method, answer.url, answer.status))
    wait_until(is_let_go, "to be let go by a page")


def test_it_is_offered_after_a_move_and_never_on_arrival(browser, site):
    ann, bob = member("ann"), member("bob")
    match = seated(ann, bob)
    context = browser.new_context(base_url=site.url)
    context.add_cookies([{"name": n, "value": v, "url": site.url} for n, v in session_of(asked_of(match)).items()])
    context.add_init_script("Object.defineProperty(Notification, 'permission', { get: () => 'default' })")
    page = opened(context, f"/matches/{match.pk}/")
    panel = page.get_by_role("heading", name="Would you like to be called when it is your turn again?")
    expect(panel).to_have_count(0)
    page.locator("#table form[action$='/move/'] button").first.click()
    expect(panel).to_be_visible()
    page.get_by_role("button", name="No, and do not ask again").click()
    expect(panel).to_have_count(0)
    page.reload()
    assert page.evaluate(CONTROLLED)
    with off_loop():
        assert asked_of(match).call_choice.not_asked


def asked_of(match):
    return match.seats.filter(ask__isnull=False).first().user


def test_the_button_subscribes_the_browser(anns, site):
    """Chromium has no push service here: its subscription is made by us, as it would be."""
    made = Subscribed("https://push.example/one").keys()
    anns.add_init_script(f"""
        const told = {json.dumps(made)};
        let subscription = null;
        Object.assign(PushManager.prototype, {{
            getSubscription: async () => subscription,
            subscribe: async (options) => (subscription = {{
                endpoint: told.endpoint, options, unsubscribe: async () => ((subscription = null), true),
                toJSON: () => ({{ endpoint: told.endpoint, keys: {{ p256dh: told.public_key, auth: told.secret }} }}),
            }}),
        }});""")
    page = opened(anns, "/settings/devices/")
    page.get_by_role("button", name="Call me on this device").click()
    expect(page.get_by_text("this device", exact=True)).to_be_visible()
    with off_loop():
        device = Device.objects.get()
    assert (device.endpoint, device.public_key, device.user.username) == (made["endpoint"], made["public_key"], "ann")
    expect(page.get_by_role("button", name="Call me on this device")).to_have_count(0)
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("You are called on no device.")).to_be_visible()
