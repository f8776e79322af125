"""Sixty texts that somebody may send to run, break, forge or hide something; `hostile_site` is full of them."""

from collections.abc import Iterable
from typing import TypeVar

from tests import FULL

T = TypeVar("T")
ANSWERS = {200, 302, 400, 403, 404, 405, 409, 422}  # of what may be sent: in words, never a 500

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
HEADERS = [
    "a@example.org\r\nBcc: victim@example.org",
    "Subject: x\r\n\r\n<script>window.ran=1</script>",
    "a%0d%0aSet-Cookie: ran=1",
]
TEXTS = SCRIPTS + LETTERS + HEADERS
SHARES = 1 if FULL else 18  # a field gets one text in eighteen, its neighbour the next; in `make proof` all


def tried(text: str, fields: Iterable[T]) -> list[T]:
    """Return those of the fields that get this text."""
    number = TEXTS.index(text)
    return [field for place, field in enumerate(fields) if (number + place) % SHARES == 0]


def fitting(text: str, most: int) -> str:
    """Return what a database would hold of a text: no NUL, not more than the column has room for."""
    return text.replace("\0", "")[:most] or "x"
