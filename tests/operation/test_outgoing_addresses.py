"""Which addresses that members name are called: those of the public internet alone (config/lib/outgoing.py)."""

import ipaddress

import pytest

from config.lib import outgoing

PRIVATE = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2002:7f00:1::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:20::1",
    "2001:db8::1",
    "2002:c058:6301::1",
    "3fff::1",
    "3fff:fff:ffff::1",
    "5f00::1",
    *("fc00::1", "fe80::1", "fe80::1%1"),
    "fec0::1",
    "ff02::1",
]
PUBLIC = ["1.1.1.1", "142.250.1.1", "2606:4700::1111", "64:ff9b::101:101", "::ffff:1.1.1.1"]


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_that_is_not_of_the_public_internet(address):
    assert not outgoing.is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_an_address_of_the_public_internet(address):
    assert outgoing.is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://push.example/x", "not https"),
        ("ftp://push.example/x", "not https"),
        ("file:///etc/passwd", "no host"),
        ("https:///x", "no host"),
        ("https://push.example:0/", "no host"),
        ("https://push.example:99999/", "no address"),
        ("https://[::1/", "no address"),
        ("https://ann:secret@push.example/", "with a password"),
        ("https://push.example/\r\nHost: other", "letters"),
        ("https://push.example/é", "letters"),
        ("https://push.example/" + 2048 * "x", "too long"),
        ("", "no host"),
    ],
)
def test_an_address_that_is_not_called_whatever_it_leads_to(url, why):
    with pytest.raises(outgoing.Refused, match=why):
        outgoing.check(url)
    with pytest.raises(outgoing.Refused, match=why):
        outgoing.post(url, b"", {})
