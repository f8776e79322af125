"""What somebody wrote in a mail that answers another: without what it quotes, signatures and programs' lines."""

import codecs
import re
from collections import Counter
from collections.abc import Callable, Iterator
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from html.parser import HTMLParser

from mailparser_reply import EmailMessage as Conversation

LONGEST_TEXT, MOST_LINES = 20_000, 400  # looked at: an answer stands on top, or below one mail that it quotes
LONGEST_READ, LONGEST_LINE = 2_000, 500  # characters of one's own words, and of a line
MOST_LINE_ENDS = 400_000  # of a mail; each of CR LF counts: 5 MB of attachments have 140 000
MOST_COMPARED = 5_000_000  # lines with the marks between parts: each line with those of all parts that it lies in
MOST_PARTS = 1_000
MOST_MARKS = 100  # semicolons of a field that says what a part is: at each, Python looks at all that is before or after
LONGEST_HEADER = 2_000  # characters of a header that is decoded
LONGEST_ALPHABET = 40  # characters of its name; Python remembers each that it does not know
CODED_MARK = (
    b"boundary*"  # between parts: Python decodes it by any encoding, which may take long; programs do not code it
)
NOT_SPELT = (LookupError, TypeError, ValueError)  # errors of Python's at what is said of a part in pieces
LINE_END = re.compile(rb"\r\n|\r|\n")
HEAD_END = re.compile(rb"(?:\r\n|\r(?!\n)|\n){2}")
KIND = re.compile(rb"(?:\A|[\r\n])content-(?:type|disposition):(?:[^\r\n]++|(?:\r\n|\r|\n)[ \t])*+", re.IGNORECASE)
LANGUAGES = ("en", "fr", "de", "es", "it", "nl", "pl", "pt", "sv", "ru")

SUBJECTS_OF_PROGRAMS = re.compile(
    r"\s*(auto(matic)?[- ]?(reply|response)|out of (the )?office|r[ée]ponse automatique|absen(ce|t)\b|abwesenheit|"
    r"автоответ|undeliver|delivery (status|failure)|mail delivery|returned mail|[ée]chec de (la )?(remise|distrib)|"
    r"non remis|failure notice)",
    re.IGNORECASE,
)
PROGRAMS = re.compile(r"(mailer-daemon|postmaster|no-?reply|bounces?)([+.-]|@|$)", re.IGNORECASE)
BULK = ("bulk", "junk", "list", "auto_reply")

QUOTED = re.compile(r"\s*[>|»]")
WROTE = (
    "wrote|a [ée]crit|schrieb|escribi[óo]|ha scritto|schreef|skrev|escreveu|napisał|pisze|пишет|написала?|писала?|пише"
)
ATTRIBUTION = re.compile(
    rf"^\s*\S.{{2,400}}\b({WROTE})\b.{{0,200}}:\s*$|^.{{0,300}}<[^<>@\s]+@[^<>\s]+>.{{0,60}}:\s*$", re.IGNORECASE
)
SEPARATOR = re.compile(r"^\s*([-_—=*]{8,}|[-_—=]{2,}[^\S\n]*[^\W_].{0,80}[-_—=]{2,})\s*$")
HEADER = re.compile(
    r"^[\s*_>]*(from|sent|date|to|cc|subject|de|envoy[ée]e?|[àa]|objet|copie [àa]|exp[ée]diteur|von|gesendet|an|"
    r"betreff|datum|от|отправлено|дата|кому|тема|da|inviato|oggetto|enviado|para|asunto|van|verzonden|aan|onderwerp|od|"
    r"wysłano|do|temat|fr[åa]n|skickat|till|[äa]mne)[\s*_]*:",
    re.IGNORECASE,
)
LEAST_HEADERS = 3  # of another mail, within six lines
SENT_WITH = re.compile(
    r"^\s*[*_(]*(sent (from|with|using|via)|envoy[ée]e? (de|depuis|avec|[àa] partir|par|via)|get outlook|"
    r"obtenez outlook|t[ée]l[ée]charge[rz] outlook|gesendet (von|mit)|diese (nachricht|e-?mail) wurde|"
    r"отправлено|provenance\s?:|please excuse my brevity|veuillez excuser ma bri[èe]vet[ée]|excuse my brevity)",
    re.IGNORECASE,
)
NOTICE = re.compile(
    r"intended recipient|\b(is|are|be|may contain|contains?|strictly|est|sont|[êe]tre|contenir|contient|strictement) "
    r"(privileged (and|or) )?confidential|confidential(ity)? (notice|information)|confidentialit[ée]|"
    r"informations? confidentielle|destinataire (pr[ée]vu|vis[ée]|de ce)|(seul|unique)(ement)? (au|du|le) destinataire|"
    r"virus[- ]free|(without|no|sans|for|de|absence de) virus|anti-?virus|\bavast\b|before printing|avant d.imprimer",
    re.IGNORECASE,
)
"""Sentences of companies and programs, at which a text ends; no single words, as people have a virus too."""
NO_ALPHABETS = ("idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape")  # known to Python as such
FROM = re.compile(
    r"""(?:"(?:[^"\\]|\\.)*"|[^"<>@,;:])*<([^\s@<>,;:"()]+@[^\s@<>,;:"()]+)>|"""  # a name, and the address
    r"""([^\s@<>,;:"()]+@[^\s@<>,;:"()]+)(?:\s*\([^()<>@"]*\))?""",  # the address, and a name in a comment
    re.DOTALL,
)
NO_TAG = re.compile(r"<(?=[^<>]*(?:<|\Z))")  # the parser would look for the end of each, again and again
SPACES = re.compile(r"\s+")
DECLARATION = re.compile(r"<[!?][^<>]*>")  # so it would for these, and fail at some
SIGNATURE = re.compile(r"^--\s*$")


def parsed(raw: bytes) -> Message | None:
    """Return a mail; None of one that takes long to be read, that others read otherwise, or Python cannot read."""
    try:
        return None if is_laborious(raw) or is_ambiguous(raw) else message_from_bytes(raw)
    except (RecursionError, *NOT_SPELT):
        return None


def is_laborious(raw: bytes) -> bool:
    """Return whether a mail would take long to be read, as no program writes any."""
    lines = raw.count(b"\n") + raw.count(b"\r")
    depth = raw.lower().count(b"boundary")  # at most: each part that holds others names one
    parts = raw.count(b"\n--") + raw.count(b"\r--") if depth else 0
    if lines > MOST_LINE_ENDS or lines * depth > MOST_COMPARED or parts > MOST_PARTS:
        return True
    kinds = [field[0].lower() for field in KIND.finditer(raw)]
    return any(kind.count(b";") > MOST_MARKS or CODED_MARK in kind for kind in kinds)


def is_ambiguous(raw: bytes) -> bool:
    """Return whether the lines of a mail's head end in more than one way, or with CR alone.

    Python's parser takes each of them for an end, a mail server perhaps not: what it saw within one field, and so left
    in when it took forged fields out, would be a field here.
    """
    end = HEAD_END.search(raw)
    found = set(LINE_END.findall(raw, 0, end.start() if end else len(raw)))
    return len(found) > 1 or b"\r" in found


def header(mail: Message, name: str) -> str:
    """Return a header decoded, on one line; "" without it, or if it cannot be read."""
    raw = next((str(value) for known, value in mail.raw_items() if known.lower() == name.lower()), "")
    raw = raw[:LONGEST_HEADER]
    try:
        text = raw.encode("ascii", "surrogateescape").decode(errors="replace") if not raw.isascii() else raw
        words = str(make_header(decode_header(text))).encode(errors="replace").decode()  # halves of letters, by UTF-7
        return " ".join(words.split())
    except (ValueError, LookupError, HeaderParseError):
        return ""


def sender(mail: Message) -> str:
    """Return the one address that a mail is from, in lower case; "" unless it is exactly one, however it is read."""
    lines = mail.get_all("From") or []
    found = FROM.fullmatch(str(lines[0]).strip()) if len(lines) == 1 else None
    return (found[1] or found[2]).lower() if found else ""


def is_from_a_program(mail: Message) -> bool:
    """Return whether nobody wrote this mail: answers of programs, notices of absence, bounces, lists."""
    submitted = header(mail, "Auto-Submitted").lower()
    if submitted and submitted.partition(";")[0].strip() != "no":
        return True
    if header(mail, "Precedence").lower() in BULK or header(mail, "Return-Path") == "<>":
        return True
    if any(mail.get(name) for name in ("X-Autoreply", "X-Autorespond", "X-Autoresponse", "List-Id", "X-Loop")):
        return True
    if mail.get_content_type() in ("multipart/report", "message/delivery-status"):
        return True
    return bool(PROGRAMS.match(sender(mail)) or SUBJECTS_OF_PROGRAMS.match(header(mail, "Subject")))


def own_words(mail: Message) -> str:
    """Return what its writer added in this mail, without what is quoted; "" if that is nothing, or a long text.

    The end of a long text may take back how it begins.
    """
    words = without_quotes(_text(mail))
    return words if len(words) <= LONGEST_READ else ""


def _text(mail: Message) -> str:
    """Return the text of the first part that has one: plain, else HTML. Attachments are not looked at."""
    for kind, read in READERS.items():
        for part in _parts(mail):
            if part.get_content_type() == kind:
                text = read(_decoded(part))
                if text.strip():
                    return text
    return ""


def _parts(mail: Message) -> Iterator[Message]:
    """Yield the parts of a mail that are no attachments; other mails in it are."""
    waiting = [mail]
    while waiting:
        part = waiting.pop()
        if part.get_content_disposition() == "attachment" or part.get_content_maintype() == "message":
            continue
        if part.is_multipart():  # else `get_payload` would decode the text, by whatever alphabet it names
            waiting += [one for one in reversed(list(part.get_payload())) if isinstance(one, Message)]
        elif not (_said(part, "filename", "content-disposition") or _said(part, "name", "content-type")):
            yield part


def _said(part: Message, name: str, field: str) -> str:
    """Return what a field says of a part, as it is spelt; Python would decode it by whatever alphabet it names."""
    try:
        value = part.get_param(name, "", field)
    except NOT_SPELT:
        return ""
    return str(value[2] if isinstance(value, tuple) else value)


def _decoded(part: Message) -> str:
    data = part.get_payload(decode=True)
    raw = data if isinstance(data, bytes) else b""
    raw = raw[: 10 * LONGEST_TEXT]
    try:
        return raw.decode(alphabet(_said(part, "charset", "content-type")) or "utf-8", errors="replace")
    except (LookupError, ValueError):
        return raw.decode("utf-8", errors="replace")


def alphabet(name: str) -> str:
    """Return the encoding that a mail names, as Python knows it; "" of one that is unknown or of NO_ALPHABETS.

    Of these some take long: a minute for 500 KB of Punycode. Others fail whatever is to be done with errors.
    """
    try:
        known = codecs.lookup(name).name if len(name) <= LONGEST_ALPHABET else ""
    except (LookupError, ValueError):
        return ""
    return "" if known in NO_ALPHABETS else known


def without_quotes(text: str) -> str:
    """Return the lines of a text that quote nothing, up to a signature."""
    text = text[:LONGEST_TEXT].replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")
    lines = [line[:LONGEST_LINE].rstrip() for line in text.split("\n")[:MOST_LINES]]
    own: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        after = _after_attribution(lines, at)
        if after is not None:
            if not any(QUOTED.match(following) for following in lines[after : after + 3]):
                break  # what is quoted has no marks, so that it goes on to the end
            at = after
            continue
        if _ends_here(lines, at):
            break
        if not QUOTED.match(line) and not SENT_WITH.match(line):
            own.append(line)
        at += 1
    return _by_library("\n".join(own).strip())


def _after_attribution(lines: list[str], at: int) -> int | None:
    """Return the line after "On … wrote:", which mail programs break into up to three; None where there is none."""
    for length in (1, 2, 3):
        part = lines[at : at + length]
        if len(part) < length or not all(part) or any(QUOTED.match(line) for line in part):
            return None
        if ATTRIBUTION.match(" ".join(part)):
            return at + length
    return None


def _ends_here(lines: list[str], at: int) -> bool:
    """Return whether the rest is a signature, a notice, or another mail below its headers."""
    line = lines[at]
    if SIGNATURE.match(line) or SEPARATOR.match(line) or NOTICE.search(line):
        return True
    return bool(HEADER.match(line)) and sum(map(_is_header, lines[at : at + 6])) >= LEAST_HEADERS


def _is_header(line: str) -> bool:
    return HEADER.match(line) is not None


def _by_library(text: str) -> str:
    """Return the part above further mails, as mail-parser-reply knows them; it must take nothing else away.

    Its signatures are not left out: it takes lines that begin with "-" for one.
    """
    if not text:
        return ""
    found = Conversation(text[:LONGEST_READ], list(LANGUAGES), keep_hyphen_lists=True).read().replies
    if len(text) > LONGEST_READ and len(found) < 2:
        return text  # it may be one's own to the end
    first = found[0].content if found else ""
    return first if first and text.startswith(first.split("\n", 1)[0]) else text


class _Visible(HTMLParser):
    """Collects the text of a mail's HTML, without what it quotes."""

    HIDDEN = frozenset({"style", "script", "head", "title", "blockquote", "template"})
    BREAKS = frozenset({"p", "div", "br", "li", "tr", "table", "ul", "ol", "h1", "h2", "h3", "hr"})
    EMPTY = frozenset({"br", "hr", "img", "meta", "link", "input", "wbr", "col", "base", "area"})
    QUOTES = re.compile(
        r"gmail_quote|gmail_attr|gmail_extra|yahoo_quoted|moz-cite-prefix|moz-signature|protonmail_quote|"
        r"protonmail_signature|divRplyFwdMsg|appendonsend|mail-editor-reference|OLK_SRC_BODY|reply-intro|"
        r"ms-outlook-mobile-signature|gmail_signature|AppleMailSignature|x_gmail_quote|k9mail-signature|quote-header"
    )
    ENDS = re.compile(r"divRplyFwdMsg|appendonsend|mail-editor-reference|OLK_SRC_BODY")
    """From here on all is another mail."""

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self.open: list[tuple[str, bool]] = []
        self.names: Counter[str] = Counter()  # of those that are open
        self.hidden = 0
        self.over = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self.BREAKS:
            self.text.append("\n")
        found = dict(attrs)
        named = f"{found.get('class') or ''} {found.get('id') or ''}"
        self.over = self.over or bool(self.ENDS.search(named))
        if tag in self.EMPTY:
            return
        style = (found.get("style") or "").replace(" ", "").lower()
        hides = tag in self.HIDDEN or bool(self.QUOTES.search(named)) or "display:none" in style
        self.open.append((tag, hides))
        self.names[tag] += 1
        self.hidden += hides

    def handle_endtag(self, tag: str) -> None:
        if tag in self.BREAKS:
            self.text.append("\n")
        while self.names[tag]:
            name, hides = self.open.pop()
            self.names[name] -= 1
            self.hidden -= hides
            if name == tag:
                return

    def handle_data(self, data: str) -> None:
        if not self.hidden and not self.over:
            self.text.append(SPACES.sub(" ", data))


def _without_comments(html: str) -> str:
    """Return HTML without comments; one that has no end goes on to the end, as in browsers."""
    kept, at = [], 0
    while (start := html.find("<!--", at)) >= 0:
        kept.append(html[at:start])
        end = html.find("-->", start + 2)
        if end < 0:
            return "".join(kept)
        at = end + 3
    return "".join([*kept, html[at:]])


def text_of(html: str) -> str:
    """Return the text of a mail's HTML, line by line, without what it quotes."""
    parser = _Visible()
    parser.feed(DECLARATION.sub("", NO_TAG.sub(" ", _without_comments(html[: 10 * LONGEST_TEXT]))))
    parser.close()
    return "\n".join(line.strip() for line in "".join(parser.text).split("\n"))


READERS: dict[str, Callable[[str], str]] = {"text/plain": str, "text/html": text_of}
