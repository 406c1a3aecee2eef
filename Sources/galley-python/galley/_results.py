"""The stream of results that the program writes."""

from __future__ import annotations

from collections.abc import Mapping
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


class Results:
    """The batches that a program writes to its standard output."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._output = _Output(stream)
        self._reader: pa.RecordBatchReader | None = None
        self.is_cut = False
        """Whether the output has ended within a batch, or before the first one."""

    @property
    def schema(self) -> pa.Schema | None:
        """The columns of the batches, or None before the first one."""
        return None if self._reader is None else self._reader.schema

    def read(self) -> pa.RecordBatch | None:
        """Waits for the next batch and returns it, or None at the end of the output."""
        try:
            if self._reader is None:
                self._reader = pa.ipc.open_stream(self._output)
                version = (self._reader.schema.metadata or {}).get(b"galley.version")
                check_version(version.decode() if version else None)
            return self._reader.read_next_batch()
        except StopIteration:
            return None
        except (pa.ArrowInvalid, OSError) as error:
            # A signal handler of the caller can raise an OSError too, such as TimeoutError.
            if not self._output.has_ended or type(error) not in (pa.ArrowInvalid, OSError):
                raise
            self.is_cut = True
            return None


class _Output:
    """The standard output of a program as a file that notes its end."""

    closed = False

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.has_ended = False

    def read(self, count: int) -> bytes:
        data = self._stream.read(count)
        self.has_ended |= len(data) < count
        return data


def errors_of(batch: pa.RecordBatch, unwritable: Mapping[int, str], first: int = 0) -> pa.Array:
    """Returns the errors of a batch, with the causes of those rows that could not be written as JSON.

    :param unwritable: The causes by the numbers of their rows.
    :param first: The number in the batch of the row that has the number 0 there.
    """
    errors = batch.column("error")
    if not unwritable or errors.null_count == batch.num_rows:
        return errors
    texts = zip(batch.column("row").to_pylist(), errors.to_pylist())
    return pa.array([unwritable.get(row - first, error) for row, error in texts], pa.string())
