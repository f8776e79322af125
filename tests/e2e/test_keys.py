"""Single keys: the same on every layout, with Caps Lock and in every alphabet, and off for who does not want them."""

import pytest

from accounts.models import User
from tests.factories import member

PRESSED = [  # key, code, with Shift; what is meant
    ("r", "KeyR", False, "r"),
    ("R", "KeyR", False, "r"),  # Caps Lock
    ("R", "KeyR", True, ""),
    ("к", "KeyR", False, "r"),  # Cyrillic
    ("ρ", "KeyR", False, "r"),
    ("a", "KeyQ", False, "a"),  # AZERTY
    ("&", "Digit1", False, "1"),
    ("é", "Digit2", False, "2"),
    ("2", "Digit2", True, "2"),
    ("3", "Numpad3", False, "3"),
    ("!", "Digit1", True, ""),
    (",", "KeyW", False, ""),  # Dvorak
    ("Dead", "BracketLeft", False, ""),
    ("Enter", "Enter", False, ""),
]
PRESS = """
(keys) => {
  const seen = [];
  document.addEventListener("single-key", (event) => seen.push(event.detail));
  return keys.map(([key, code, shiftKey]) => {
    seen.length = 0;
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, code, shiftKey, bubbles: true, cancelable: true }));
    return seen.join();
  });
}
"""


@pytest.mark.browser
def test_a_key_means_the_same_on_every_layout_and_can_be_turned_off(page, site, log_in):
    ann = member("ann")
    log_in(page.context, ann)
    page.goto("/settings/")
    keys = [pressed[:3] for pressed in PRESSED]
    assert page.evaluate(PRESS, keys) == [meant for *_key, meant in PRESSED]
    page.get_by_label("Single keys").uncheck()
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector(".messages")
    assert page.evaluate(PRESS, keys) == [""] * len(PRESSED)
    assert not User.objects.get(pk=ann.pk).single_keys
