"""What the heights of a variant must have, whoever wrote the file."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

COLUMNS = {
    "row": pa.uint64(),
    "id": pa.string(),
    "cell": pa.dictionary(pa.int32(), pa.string()),
    "width": pa.float32(),
    "height": pa.float32(),
    "y": pa.float64(),
    "first_frame": pa.uint64(),
    "frame_count": pa.uint32(),
    "error": pa.string(),
    "missing_glyphs": pa.uint16(),
    "margin_narrower": pa.float32(),
    "margin_wider": pa.float32(),
    "holds_for_width": pa.bool_(),
}
"""The types of the columns of ``heights.arrow``."""

_LATER = ("margin_narrower", "margin_wider", "holds_for_width")
_NULLABLE = ("error", "margin_narrower", "margin_wider")


def damage_of_heights(table: pa.Table) -> str | None:
    """Returns what contradicts a table of heights that Galley wrote, or None. Tables of earlier versions lack the last columns."""
    for name, expected in COLUMNS.items():
        if name not in table.column_names:
            if name in _LATER:
                continue
            return f"it has no column {name}"
        column = table.column(name)
        if column.type != expected:
            return f"its column {name} is {column.type}, not {expected}"
        if column.null_count and name not in _NULLABLE:
            return f"its column {name} has nulls"
    heights, tops = table.column("height"), table.column("y")
    lengths = pc.and_(pc.is_finite(heights), pc.greater_equal(heights, 0))
    wrong = pc.index(lengths, False).as_py()
    if wrong >= 0:
        return f"the height of its row {wrong} is {heights[wrong]}"
    sums = pc.cumulative_sum(pc.cast(heights, pa.float64()))
    before = pa.chunked_array([pa.array([0], pa.float64()), *sums.chunks]).slice(0, len(tops))
    wrong = pc.index(pc.equal(tops, before), False).as_py()
    return None if wrong < 0 else f"its row {wrong} is at {tops[wrong]}, but the heights above add up to {before[wrong]}"
