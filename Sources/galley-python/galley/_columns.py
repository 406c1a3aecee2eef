"""The tables of a variant from the batches of the stream."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc


class StreamColumns:
    """The batches of one variant as the tables that the files have.

    :param scale: The pixels per point of the resources.
    """

    def __init__(self, batches: Sequence[pa.RecordBatch], scale: float) -> None:
        self._scale = scale
        self._table = pa.Table.from_batches(batches).combine_chunks()

    def table(self, name: str) -> pa.Table:
        """Returns the table ``heights``, ``frames`` or ``resources``."""
        if name == "heights":
            return self._heights()
        return self._frames() if name == "frames" else self._resources()

    def _column(self, name: str) -> pa.Array:
        column = self._table.column(name)
        return column.chunk(0) if column.num_chunks else pa.array([], type=column.type)

    def _heights(self) -> pa.Table:
        height = self._column("height")
        counts = pc.cast(pc.list_value_length(self._column("frames")), pa.uint64())
        columns = {
            "row": pc.cast(self._column("row"), pa.uint64()),
            "id": self._column("id"),
            "cell": pc.dictionary_encode(self._column("cell")),
            "width": self._column("width"),
            "height": height,
            "y": _sums_before(pc.cast(height, pa.float64())),
            "first_frame": _sums_before(counts),
            "frame_count": pc.cast(counts, pa.uint32()),
            "error": self._column("error"),
            "missing_glyphs": pc.cast(self._column("missing_glyphs"), pa.uint16()),
            "margin_narrower": self._column("margin_narrower"),
            "margin_wider": self._column("margin_wider"),
            "holds_for_width": self._column("holds_for_width"),
        }
        return _required(columns, optional=("error", "margin_narrower", "margin_wider"))

    def _frames(self) -> pa.Table:
        rows, frames = self._flattened("frames")
        types = {"node": None, "type": pa.int8(), "lines": pa.uint16()}
        return _required({"row": rows, **_members(frames, types)})

    def _resources(self) -> pa.Table:
        rows, resources = self._flattened("resources")
        types = {"node": None, "type": pa.int8(), "pixel_width": pa.uint32(), "pixel_height": pa.uint32()}
        columns = {"row": rows, **_members(resources, types)}
        tops = _sums_before(pc.cast(self._column("height"), pa.float64()))
        owners = pc.list_parent_indices(self._column("resources"))
        columns["width"], columns["height"] = self._sizes_of_resources(columns)
        columns["y"] = pc.add(pc.take(tops, owners), pc.cast(columns["y"], pa.float64()))
        return _required(columns)

    def _sizes_of_resources(self, columns: dict[str, pa.Array]) -> tuple[pa.Array, pa.Array]:
        """Returns the sizes in points of the nodes that have the resources, which the frames have.

        A resource does not state its frame. Nodes with one name that begin at one offset are told apart by their sizes in
        pixels, which a resource has too, unless it is an image of a multiplexImage that states another size.
        """
        rows, frames = self._flattened("frames")
        sizes: dict[tuple[Any, ...], list[float]] = {}
        members = (rows, *(frames.field(name) for name in ("node", "y", "width", "height")))
        for row, node, y, *size in zip(*(member.to_pylist() for member in members)):
            sizes.setdefault((row, node, y), size)
            sizes.setdefault((row, node, y, *(_pixels(length, self._scale) for length in size)), size)
        names = ("row", "node", "y", "pixel_width", "pixel_height")
        keys = zip(*(columns[name].to_pylist() for name in names))
        found = [sizes.get(key) or sizes[key[:3]] for key in keys]
        widths, heights = ([size[axis] for size in found] for axis in (0, 1))
        return pa.array(widths, pa.float32()), pa.array(heights, pa.float32())

    def _flattened(self, name: str) -> tuple[pa.Array, pa.Array]:
        """Returns the items of a column of lists, with the rows that they belong to."""
        lists = self._column(name)
        rows = pc.take(pc.cast(self._column("row"), pa.uint64()), pc.list_parent_indices(lists))
        return rows, pc.list_flatten(lists)


def _pixels(points: float, scale: float) -> int:
    """Returns the number of whole pixels that cover a length, as the program computes it."""
    return max(0, math.ceil(points * scale - 0.001))


def _sums_before(numbers: pa.Array) -> pa.Array:
    """Returns for each number the sum of those before it."""
    if len(numbers) == 0:
        return numbers
    sums = pc.cumulative_sum(numbers).slice(0, len(numbers) - 1)
    return pa.concat_arrays([pa.array([0], numbers.type), sums])


def _members(items: pa.Array, types: dict[str, pa.DataType | None]) -> dict[str, pa.Array]:
    """Returns the members of structs as columns of the types that the files have."""
    columns = {}
    for field in items.type:
        column = items.field(field.name)
        if pa.types.is_string(field.type) and field.name in types:
            index = types[field.name] or pa.int32()
            column = pc.cast(pc.dictionary_encode(column), pa.dictionary(index, pa.string()))
        elif types.get(field.name) is not None:
            column = pc.cast(column, types[field.name])
        columns[field.name] = column
    return columns


def _required(columns: dict[str, pa.Array], optional: Sequence[str] = ()) -> pa.Table:
    fields = [pa.field(name, column.type, nullable=name in optional) for name, column in columns.items()]
    return pa.Table.from_arrays(list(columns.values()), schema=pa.schema(fields))
