"""A profile on a phone: the longest name beside its buttons, and the filter of matches, in both languages."""

import pytest

from tests.factories import member, seated

LONGEST = "Wilhelmina-van_der_Velde"
CUT = """() => [...document.querySelectorAll(".filters select")].flatMap(select => {
  const style = getComputedStyle(select), pen = document.createElement("canvas").getContext("2d");
  pen.font = style.font;
  const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return [...select.options].map(option => option.text).filter(text => pen.measureText(text).width > room);
})"""
LINES = """() => {
  const name = document.querySelector(".person h1");
  return Math.round(name.getBoundingClientRect().height / parseFloat(getComputedStyle(name).lineHeight));
}"""


@pytest.mark.browser
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("width", [360, 390])
def test_nothing_is_squeezed_or_cut(page, site, log_in, language, width):
    ann, other = member("ann", language=language), member(LONGEST)
    seated(ann, other)
    log_in(page.context, ann)
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{site.url}/people/{LONGEST}/")
    assert page.evaluate("() => document.documentElement.scrollWidth") == width
    assert page.evaluate(LINES) <= 2
    assert page.evaluate(CUT) == []
