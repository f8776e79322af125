"""The devices of a member: added by their browser, tried, muted, renamed, removed, and gone with their session."""

import pytest

from accounts.services.closing import close_account
from config.lib import web_push
from games.models import CallChoice, Device, Push
from games.services.people.personal_data import play_data
from games.services.push import delivery, devices
from tests.factories import browser_of
from tests.games.play.at_once import Tab, statuses
from tests.pushing import device_of


def add(browser, service, **more):
    return browser.post("/settings/devices/add/", service.subscribe().keys() | more, HTTP_USER_AGENT="Firefox Android")


@pytest.mark.outgrown
def test_a_browser_is_a_device_once(ann, service):
    browser = browser_of(ann)
    keys = service.subscribe().keys()
    for _ in range(2):
        assert browser.post("/settings/devices/add/", keys, HTTP_USER_AGENT="Firefox Android").status_code == 204
    device = Device.objects.get()
    assert (device.user_id, device.name, device.endpoint) == (ann.pk, "Firefox, Android", keys["endpoint"])
    page = browser.get("/settings/devices/").content.decode()
    assert "Firefox, Android" in page
    assert "this device" in page
    assert keys["endpoint"] not in page
    assert keys["secret"] not in page


def test_another_address_of_the_same_browser_is_the_same_device(ann, service):
    browser = browser_of(ann)
    add(browser, service)
    devices.change(user=ann, device_id=Device.objects.get().pk, name="My phone")
    assert add(browser, service, again="1").status_code == 204
    assert Device.objects.get().name == "My phone"


def test_a_browser_that_was_removed_does_not_come_back_by_itself(ann, service):
    browser = browser_of(ann)
    add(browser, service)
    Device.objects.all().delete()
    assert add(browser, service, again="1").status_code == 404
    assert not Device.objects.exists()


def test_a_browser_that_another_member_uses_now_is_theirs(ann, bob, service):
    keys = service.subscribe().keys()
    for person in (ann, bob):
        browser_of(person).post("/settings/devices/add/", keys)
    assert Device.objects.get().user_id == bob.pk


@pytest.mark.outgrown
def test_one_that_two_members_add_at_once_is_one_of_theirs(at_once, site, ann, bob, cem, service):
    for number in range(4):
        keys = service.subscribe().keys() | {"endpoint": f"https://push.example/{number}"}
        answers = at_once([Tab(person).post("/settings/devices/add/", **keys) for person in (ann, bob, cem)])
        assert set(statuses(answers)) <= {204, 400}
        assert Device.objects.filter(endpoint=keys["endpoint"]).count() == 1


def test_one_that_goes_while_its_page_is_open_is_not_changed(ann, service):
    device = device_of(ann, service)
    devices.remove(user=ann, device_id=device.pk)
    devices.change(user=ann, device_id=device.pk, muted=True)
    assert not Device.objects.exists()


@pytest.mark.parametrize(
    "more",
    [
        {"endpoint": "http://push.example/x"},
        {"endpoint": "https://ann:x@push.example/"},
        {"endpoint": "https://push.example/" + 1100 * "x"},
        {"endpoint": ""},
        {"public_key": "AAAA"},
        {"public_key": "é"},
        {"secret": "AAAA"},
        {"secret": "*"},
        {"secret": "*" * 52 + "A" * 22},  # decoders skip what is no letter of theirs; the column does not
    ],
)
def test_what_is_no_subscription(ann, service, more):
    assert add(browser_of(ann), service, **more).status_code == 400
    assert not Device.objects.exists()


def test_guests_and_visitors_have_none(gus, client, service):
    assert add(browser_of(gus), service).status_code == 302
    assert add(client, service).status_code == 302
    assert not Device.objects.exists()


def test_nobody_elses(ann, bob, service):
    device = device_of(bob, service)
    browser = browser_of(ann)
    for do in ("test", "mute", "rename", "remove"):
        assert browser.post(f"/settings/devices/{device.pk}/", {"do": do, "name": "x"}).status_code == 404
    assert Device.objects.get().name == device.name
    assert not Push.objects.exists()


def test_tried_muted_renamed_removed(ann, service):
    browser, device = browser_of(ann), device_of(ann, service)
    address = f"/settings/devices/{device.pk}/"
    browser.post(address, {"do": "mute"})
    assert "muted" in browser.get("/settings/devices/").content.decode()
    browser.post(address, {"do": "test"})  # who asks for it gets it, muted or not
    assert delivery.send_due() == 1
    (got,) = service.kept
    assert (got.told["tag"], got.told["url"]) == ("test", "/settings/devices/")
    assert (got.headers["Urgency"], got.headers["TTL"]) == ("high", "300")
    browser.post(address, {"do": "unmute"})
    browser.post(address, {"do": "rename", "name": " <b>\u202ephone "})
    assert Device.objects.get().muted is False
    assert "&lt;b&gt;phone" in browser.get("/settings/devices/").content.decode()
    browser.post(address, {"do": "remove"})
    assert not Device.objects.exists()


def test_one_that_is_gone_is_told(ann, service):
    device = device_of(ann, service, name="Old phone")
    delivery.test(device)
    service.answers = [410]
    delivery.send_due()
    browser = browser_of(ann)
    page = browser.get("/settings/devices/").content.decode()
    assert "Old phone" in page
    assert "Not called any more" in page
    assert "You are not called any more on: Old phone." in browser.get("/").content.decode()
    browser.post(f"/settings/devices/{device.pk}/", {"do": "remove"})
    assert "Old phone" not in browser.get("/").content.decode()


def test_log_out_ends_it(ann, service):
    browser = browser_of(ann)
    add(browser, service)
    browser.post("/accounts/logout/")
    assert devices.of(ann) == []
    delivery.forget_old()
    assert not Device.objects.exists()


def test_another_password_ends_it_but_where_it_was_set(ann, service):
    device_of(ann, service)
    ann.set_password("another")
    ann.save()
    assert devices.to_call(ann) == []


def test_at_most_ten(ann, service):
    for _ in range(12):
        device_of(ann, service)
    assert Device.objects.count() == devices.MOST


def test_choices_and_the_offer(ann, service):
    browser = browser_of(ann)
    assert b"Would you like to be called" in browser.get("/settings/devices/offer/").content
    assert browser.post("/settings/devices/offer/").status_code == 204
    assert browser.get("/settings/devices/offer/").status_code == 204
    browser.post("/settings/devices/", {"discreet": "on"})
    choice = CallChoice.objects.get()
    assert (choice.discreet, choice.not_asked) == (True, True)


def test_who_is_called_here_is_not_asked(ann, service):
    browser = browser_of(ann)
    add(browser, service)
    assert browser.get("/settings/devices/offer/").status_code == 204


def test_the_export_names_devices_without_their_addresses(ann, service):
    device = device_of(ann, service, name="Phone")
    told = play_data(ann)
    assert [one["name"] for one in told["devices"]] == ["Phone"]
    assert device.endpoint not in str(told["devices"])
    assert told["called_on_devices"] == {"discreet": False, "not_asked": False}
    assert told["places_of_channels"] == {"devices": 1, "webhooks": 0, "mail": 1}


def test_closing_the_account_deletes_them(ann, service):
    delivery.test(device_of(ann, service))
    devices.choose(ann, discreet=True)
    close_account(user_id=ann.pk)
    assert not Device.objects.exists()
    assert not Push.objects.exists()
    assert not CallChoice.objects.exists()


def test_switched_off(ann, service, settings):
    settings.PUSH = False
    browser = browser_of(ann)
    assert add(browser, service).status_code == 404
    assert b"calls nobody" in browser.get("/settings/devices/").content
    assert browser.get("/settings/devices/offer/").status_code == 204


def test_the_sites_key_is_one_point_of_the_curve():
    assert web_push.are_keys(web_push.site_key(), "AAAAAAAAAAAAAAAAAAAAAA")


@pytest.mark.outgrown
def test_one_that_was_reached_does_not_make_room_for_those_that_never_were(ann, service):
    good = device_of(ann, service)
    Device.objects.update(reached_at=good.created_at)
    for _ in range(devices.MOST + 1):
        device_of(ann, service)
    assert (good in Device.objects.all(), Device.objects.count()) == (True, devices.MOST)


def test_accounts_of_one_network_address_do_not_write_to_a_stranger_without_end(ann, bob, service, settings):
    """What is said to be a browser may be any address: each new account had it called thirty times an hour."""
    rates = settings.ACCOUNT_RATE_LIMITS
    settings.ACCOUNT_RATE_LIMITS = rates | {"device_test": rates["device_test"].replace("100/h/ip", "1/h/ip")}
    for person in (ann, bob):
        browser = browser_of(person)
        add(browser, service)
        browser.post(f"/settings/devices/{Device.objects.get(user=person).pk}/", {"do": "test"})
    assert list(Push.objects.values_list("device__user", flat=True)) == [ann.pk]
