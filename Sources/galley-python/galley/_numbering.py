"""The numbers of rows in results of a process that has received rows before."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

_POSITION = re.compile(r"^line \d+: ")
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|\[\s*\]|\{\s*\}|[][{}]')

_MOST_DEPTH = 1023
"""The depth of lists and objects with items up to which the program reads a row. Python's parser may end earlier."""


def numbered(batch: pa.RecordBatch, lines: Sequence[bytes], sent_before: int, first: int) -> pa.RecordBatch:
    """Returns a batch whose rows have the numbers of the request.

    :param sent_before: The number of rows that the process had received before ``lines``.
    :param first: The number of the first of ``lines``.
    """
    shift = first - sent_before
    if shift == 0:
        return batch
    columns = {"row": pc.add(batch.column("row"), pa.scalar(shift, pa.int64()))}
    rows = columns["row"].to_pylist()
    # A row without an id has its number as the id.
    numbers = pc.equal(batch.column("id"), pc.cast(batch.column("row"), pa.string()))
    if pc.any(numbers).as_py():
        ids = batch.column("id").to_pylist()
        for index in pc.indices_nonzero(numbers).to_pylist():
            if id_of(lines[rows[index] - first]) != ids[index]:
                ids[index] = str(rows[index])
        columns["id"] = pa.array(ids, pa.string())
    if batch.column("error").null_count < batch.num_rows:
        errors = batch.column("error").to_pylist()
        columns["error"] = pa.array(
            [error and _POSITION.sub(f"line {row + 1}: ", error) for row, error in zip(rows, errors)], pa.string()
        )
    arrays = [columns.get(field.name, batch.column(index)) for index, field in enumerate(batch.schema)]
    return pa.RecordBatch.from_arrays(arrays, schema=batch.schema)


def id_of(line: bytes) -> str | None:
    """Returns the id of a row as the tables have it, or None if the row has none or is not JSON."""
    if b'"id"' not in line and b"\\" not in line:
        return None
    try:
        try:
            row = json.loads(line, parse_constant=_refuse)
        except RecursionError:
            row = json.loads(_without_nested_values(line))
    except ValueError:
        return None
    found = row.get("id") if isinstance(row, dict) else None
    return str(found) if isinstance(found, (str, int)) and not isinstance(found, bool) else None


def _without_nested_values(line: bytes) -> bytes:
    """Returns a row with null in place of its lists and objects.

    :raises ValueError: The row is nested more deeply than the program reads.
    """
    kept: list[bytes] = []
    depth = end = 0
    for token in _TOKEN.finditer(line):
        if token[0] in (b"[", b"{"):
            depth += 1
            if depth > _MOST_DEPTH:
                raise ValueError("too deep")
            if depth == 2:
                kept.append(line[end : token.start()] + b"null")
        elif token[0] in (b"]", b"}"):
            depth -= 1
            if depth == 1:
                end = token.end()
    return b"".join(kept) + line[end:]


def _refuse(constant: str) -> object:
    """Refuses NaN and Infinity, which are not JSON and make a bad row."""
    raise ValueError(constant)
