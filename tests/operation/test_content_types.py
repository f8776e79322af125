"""What a post says of its own form: only UTF-8 is read, and only the site reads it; real connections."""

import time
from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from config.bodies import LARGEST_MAIL, MAIL

PART = b'--b\r\nContent-Disposition: form-data; name="language"\r\n\r\nfr\r\n--b--\r\n'
QUICK = 3.0  # seconds; Twisted's own reading took fifteen and more, in which the server answered nobody


def said_to(site, content_type: str, body: bytes = PART, path: str = "/language/") -> tuple[int, str]:
    """Return status and text of the answer to a post of this type by a visitor without cookies."""
    parts = urlsplit(site.url)
    with closing(HTTPConnection(parts.hostname or "", parts.port, timeout=60)) as connection:
        connection.request("POST", path, body, {"Content-Type": content_type})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


@pytest.mark.parametrize("charset", ["rot_13", "idna", "undefined", "punycode", "utf-16", "unicode_escape", "latin-1"])
@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=b", "application/x-www-form-urlencoded", "text/plain"])
def test_no_other_encoding_is_read(site, transactional_db, kind, charset):
    """Some cannot be read, which was an error of ours; some take a second for a form; some hold half characters."""
    status, said = said_to(site, f"{kind}; charset={charset}")
    assert status == 400
    assert "Your browser sent something this site cannot read." in said


@pytest.mark.parametrize("name", ["nope''%41", "undefined''%ff", "idna''%ff", "punycode''%ff"])
@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=b", "text/plain"])
def test_a_parameter_in_an_odd_encoding_is_no_error_of_ours(site, transactional_db, kind, name):
    status, said = said_to(site, f"{kind}; odd*={name}")
    assert status == 400
    assert "Your browser sent something this site cannot read." in said


@pytest.mark.parametrize("more", ["", "; charset=utf-8", '; charset="UTF-8"', "; charset*=utf-8''utf-8"])
@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=b", "text/plain", "application/json"])
def test_what_browsers_and_programs_send_is_read(site, transactional_db, kind, more):
    assert said_to(site, kind + more)[0] == 403  # read: its token is missing


@pytest.mark.parametrize("content_type", ["multipart/form-data; " + 90 * "(c", "multipart/form-data", ";;;", "x"])
def test_a_type_that_is_none_is_no_error_of_ours(site, transactional_db, content_type):
    assert said_to(site, content_type)[0] in (400, 403)


def test_a_type_is_short(site, transactional_db):
    assert said_to(site, "text/plain" + 600 * ";")[0] == 400


@pytest.mark.operation
def test_the_server_itself_reads_no_form(site, transactional_db):
    """It did, before the site was asked: parts in one another took the whole server's time, without any secret."""
    marks = b"".join(b"Content-Type: multipart/mixed; boundary=%x\r\n\r\n--%x\r\n" % (n, n) for n in range(250))
    body = (b"--b\r\n" + marks).ljust(LARGEST_MAIL, b"\n")
    began = time.monotonic()
    status, _said = said_to(site, "multipart/form-data; boundary=b", body, f"{MAIL.decode()}nobody/inbound/")
    assert status == 404
    assert time.monotonic() - began < QUICK
