"""What a mail server's refusal is about, told by its enhanced status code (RFC 3463)."""

import re

OF_THE_ADDRESS = {"5.1.1", "5.1.2", "5.1.6", "5.1.10", "5.2.1"}  # no such mailbox or domain, moved, bad, disabled
MAILBOX_FULL = 552
_ENHANCED = re.compile(r"\s*(?:smtp;\s*)?(?:[245]\d\d[ -])?([245]\.\d{1,3}\.\d{1,3})(?![.\d])")


def enhanced_code(words: str) -> str:
    """Return the enhanced status code with which a reply begins, perhaps after its basic code; "" without one."""
    found = _ENHANCED.match(words)
    return found[1] if found else ""


def is_of_the_address(words: str) -> bool:
    """Return whether a refusal says that the address is not one. All others are the relay's, or will pass."""
    return enhanced_code(words) in OF_THE_ADDRESS


def is_lasting(code: int, words: str) -> bool:
    """Return whether a refusal will not pass by waiting; a full mailbox will."""
    return code >= 500 and code != MAILBOX_FULL and enhanced_code(words) != "5.2.2"
