"""What Spark, Ray and Dask share: partitions of rows in, records out, with one kept program for each process."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from ._arrow_json import objects_of
from ._errors import BadRows, RowError, WrongUse
from ._json_lines import is_blank
from ._results import STREAM_SCHEMA, errors_of
from ._rows import RowsInput, check_names
from ._rows_process import RowsProcess
from ._values import kind_of
from ._variants import Variants

_ROWS_OF_REQUEST = 10_000
"""The largest number of rows that are sent to the program before their results are received."""

_POSITION = r"^line \d+: "


@dataclass(frozen=True)
class Plan:
    """What is done with each partition. It is sent to the processes of the engine."""

    variants: Variants
    row: str | None
    keep: tuple[str, ...]
    names: tuple[str, ...]
    """The columns of the results, without those of ``keep``."""
    strict: bool

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        row: str | None,
        keep: Sequence[str],
        variants: Variants,
        *,
        columns: str | Sequence[str] | None,
        strict: bool,
    ) -> Plan:
        """Returns the plan for a table with columns of these names.

        :raises WrongUse: A column does not exist, has the name of another one, or has the name of one of the results.
        """
        if isinstance(keep, str):
            raise WrongUse(f'keep is the text "{keep}"; pass a list of names, such as ["{keep}"]')
        plan = cls(variants, row, tuple(keep), _names(columns), strict)
        for argument, name in [("row", row)] * (row is not None) + [("keep", name) for name in plan.keep]:
            if name not in names:
                raise WrongUse(f'{argument} has "{name}", which is no column; the columns are {", ".join(map(str, names))}')
        for name in plan.keep:
            if name in plan.schema.names:
                raise WrongUse(f'keep has "{name}", which is a column of the results; give the column another name before')
            if plan.keep.count(name) > 1:
                raise WrongUse(f'keep has "{name}" twice')
        check_names(name for name in names if plan.inputs is None or name in plan.inputs)
        return plan

    @property
    def schema(self) -> pa.Schema:
        """The columns of the results, without those of ``keep``."""
        return pa.schema([STREAM_SCHEMA.field(name) for name in self.names])

    @property
    def choice(self) -> str | None:
        """The columns of the program's stream: without frames that nobody needs."""
        return None if "frames" in self.names else "heights"

    def with_rows_only(self) -> Plan:
        """Returns the plan without the columns of ``keep``, and with the numbers of the rows, by which others can add them."""
        return replace(self, keep=(), names=tuple(dict.fromkeys((*self.names, "row"))))

    @property
    def inputs(self) -> list[str] | None:
        """The columns that the processes need, or None for all."""
        return None if self.row is None else list(dict.fromkeys([self.row, *self.keep]))


def _names(columns: str | Sequence[str] | None) -> tuple[str, ...]:
    if columns is None or columns == "heights":
        return tuple(name for name in STREAM_SCHEMA.names if columns is None or name != "frames")
    names = () if isinstance(columns, str) else tuple(dict.fromkeys(columns))
    if not names or not set(names) <= set(STREAM_SCHEMA.names):
        raise WrongUse(
            f'columns is {columns!r}; pass "heights" to leave the frames out, or a list of columns of the results: '
            + ", ".join(STREAM_SCHEMA.names)
        )
    return names


def layout_partition(plan: Plan, cells: str, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Lays out the rows of a partition.

    The order of the records depends only on the batches that come in: it is the same when an engine repeats a partition.

    :param cells: The path of the cells file on this machine. A file with other contents has another path.
    :raises galley.BadRows: A row is bad, with ``strict``.
    """
    process = _kept_process(cells, plan)
    first = 0
    for batch in batches:
        for start in range(0, batch.num_rows, _ROWS_OF_REQUEST):
            request = batch.slice(start, _ROWS_OF_REQUEST)
            lines, unwritable = _lines(request, plan)
            found = process.layout(lines, first)
            for records in _combined(found, plan.variants.names()):
                yield _completed(records, request, first, plan, unwritable)
            first += request.num_rows


def wrong_table(name: str, table: object, needed: str) -> WrongUse:
    """Returns the error of a table that is none of the engine.

    :param needed: The table to pass, and how to make it.
    """
    kind, library = kind_of(table), type(table).__module__.partition(".")[0]
    # Libraries have classes of the same name.
    return WrongUse(f"{name} is {kind}{'' if library == 'builtins' else f' of {library}'}; pass {needed}")


# Rows


def _lines(batch: pa.RecordBatch, plan: Plan) -> tuple[list[bytes], Mapping[int, str]]:
    """Returns the rows of a request as lines, and the errors of those that cannot be written, by their index."""
    if plan.row is None:
        return _objects(batch)
    column = batch.column(plan.row)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    try:
        lines = column.cast(pa.binary())
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        raise WrongUse(f'column "{plan.row}" is {column.type}; row names a column of JSON texts') from None
    # A row that is null or blank is a bad row. The program would skip its line.
    return [_one_line(line) if line is not None and not is_blank(line) else b"null" for line in lines.to_pylist()], {}


def _objects(batch: pa.RecordBatch) -> tuple[list[bytes], Mapping[int, str]]:
    """Returns rows as objects. One that cannot be written, such as a row with a date after the year 9999, changes no other one."""
    try:
        return objects_of(batch).cast(pa.binary()).to_pylist(), {}
    except WrongUse:
        raise
    except Exception:
        rows = RowsInput(batch)
    lines = list(rows.lines())
    first = 0
    for bad in [*rows.unwritable, batch.num_rows]:
        # Not by `take`, which Arrow has only for some types.
        lines[first:bad] = objects_of(batch.slice(first, bad - first)).cast(pa.binary()).to_pylist()
        first = bad + 1
    return lines, rows.unwritable


def _one_line(text: bytes) -> bytes:
    """Returns JSON on one line. A line end within a string, which JSON forbids, stays an error of the row."""
    if b"\n" not in text:
        return text
    joined: list[bytes] = []
    is_in_string = False
    for part in text.strip().split(b"\n"):
        # A quotation mark is escaped where an odd number of backslashes precedes it.
        is_in_string ^= part.replace(b"\\\\", b"").replace(b'\\"', b"").count(b'"') % 2 == 1
        joined += part, b"\x01" if is_in_string else b" "
    return b"".join(joined[:-1])


# Records


def _combined(found: Sequence[pa.RecordBatch], variants: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Returns one batch for each variant. The program returns short runs of rows, which cost engines more than copies."""
    for variant in variants:
        runs = [records for records in found if records.column("variant")[0].as_py() == variant]
        yield from pa.Table.from_batches(runs).combine_chunks().to_batches()


def _completed(
    records: pa.RecordBatch, request: pa.RecordBatch, first: int, plan: Plan, unwritable: Mapping[int, str]
) -> pa.RecordBatch:
    """Returns records of a request with the columns to keep.

    :param first: The number of the first row of the request in the partition.
    :param unwritable: The errors of rows of the request that were not sent.
    """
    columns = {name: records.column(name) for name in plan.names}
    errors = errors_of(records, unwritable, first)
    if errors.null_count < records.num_rows:
        # The column `row` states the position.
        errors = pc.replace_substring_regex(errors, _POSITION, "")
        columns |= {"error": errors} if "error" in columns else {}
        if plan.strict:
            _raise_bad_rows(records, errors)
    start = records.column("row")[0].as_py() - first
    schema = plan.schema
    for name in plan.keep:
        schema = schema.append(request.schema.field(name))
        columns[name] = request.column(name).slice(start, records.num_rows)
    return pa.RecordBatch.from_arrays(list(columns.values()), schema=schema)


def _raise_bad_rows(records: pa.RecordBatch, errors: pa.Array) -> None:
    index = pc.indices_nonzero(errors.is_valid())[0].as_py()
    row, id, variant = (records.column(name)[index].as_py() for name in ("row", "id", "variant"))
    error = errors[index].as_py()
    message = f'row {row} of the partition, with id "{id}": {error}'
    raise BadRows(message, [RowError(row, id, error, (variant,))])


# Programs

_MOST_KEPT = 4
"""The largest number of programs that a process keeps, each of which has some 40 MB with its fonts."""

_kept: dict[tuple[int, str, Variants, str | None], RowsProcess] = {}
# The first of a key is the process of the engine, which may fork others.
_kept_lock = threading.Lock()


def _kept_process(cells: str, plan: Plan) -> RowsProcess:
    """Returns the process for a cells file and variants, which is started once in each process of the engine."""
    key = (os.getpid(), cells, plan.variants, plan.choice)
    with _kept_lock:
        process = _kept.pop(key, None) or RowsProcess.in_process(cells, plan.variants, columns=plan.choice)
        _kept[key] = process
        # The one that was used least recently ends with the last partition that still uses it.
        oldest = _kept.pop(next(iter(_kept))) if len(_kept) > _MOST_KEPT else None
    del oldest
    return process


@atexit.register
def _close() -> None:
    while _kept:
        _kept.popitem()[1].close()
