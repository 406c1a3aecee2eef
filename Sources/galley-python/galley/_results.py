"""The stream of results that the program writes."""

from __future__ import annotations

from typing import IO

import pyarrow as pa

from ._program import check_version


def _required(**types: pa.DataType) -> list[pa.Field]:
    return [pa.field(name, type, nullable=False) for name, type in types.items()]


def _lists(name: str, **types: pa.DataType) -> pa.Field:
    item = pa.field("item", pa.struct(_required(**types)), nullable=False)
    return pa.field(name, pa.list_(item), nullable=False)


_text, _float, _int = pa.string(), pa.float32(), pa.int32()

STREAM_SCHEMA = pa.schema(
    [
        *_required(variant=_text, row=pa.int64(), id=_text, cell=_text, width=_float, height=_float),
        pa.field("error", _text),
        _lists(
            "frames",
            **{"node": _text, "type": _text, "parent": _int, "x": _float, "y": _float, "width": _float, "height": _float},
            **{"lines": _int, "truncated": pa.bool_()},
        ),
        _lists("resources", node=_text, url=_text, type=_text, y=_float, pixel_width=_int, pixel_height=_int),
        *_required(missing_glyphs=_int),
        pa.field("margin_narrower", _float),
        pa.field("margin_wider", _float),
        *_required(holds_for_width=pa.bool_()),
    ]
)
"""The columns of the stream, if the program was not told to leave some out."""


def open_results(stream: IO[bytes]) -> pa.RecordBatchReader:
    """Returns the reader of a stream of results, whose beginning it waits for."""
    reader = pa.ipc.open_stream(stream)
    version = (reader.schema.metadata or {}).get(b"galley.version")
    check_version(version.decode() if version else None)
    return reader
