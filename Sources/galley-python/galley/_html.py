"""The figures of variants as HTML, which notebooks show."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._variant import Variant


def html_table(variants: list[Variant]) -> str:
    """Returns a table of the figures of variants."""
    lines = ["<table><tr><th>variant</th><th>rows</th><th>height</th><th>frames</th><th>bad rows</th></tr>"]
    for variant in variants:
        values = (variant.name, len(variant), f"{variant.height:g}", *(variant._description[n] for n in ("frames", "errors")))
        lines.append("<tr>" + "".join(f"<td>{html.escape(str(value))}</td>" for value in values) + "</tr>")
    return "".join(lines) + "</table>"
