"""Rows of the admin's lists on a phone, where each cell is under its own heading."""

from collections.abc import Iterable
from typing import Any

from django import template
from django.utils.html import format_html, strip_tags
from django.utils.safestring import SafeString
from django.utils.text import capfirst

register = template.Library()


@register.filter
def headed(cells: Iterable[SafeString], headers: list[dict[str, Any]]) -> list[SafeString]:
    """Return a row's cells, each with the text of its column's heading as `data-label`."""
    labels = [capfirst(strip_tags(str(header["text"]))) for header in headers]
    return [_labelled(cell, label) for cell, label in zip(cells, labels, strict=False)]


def _labelled(cell: SafeString, label: str) -> SafeString:
    if not label or cell[:3] not in ("<td", "<th"):
        return cell
    return format_html('{} data-label="{}"{}', SafeString(cell[:3]), label, SafeString(cell[3:]))
