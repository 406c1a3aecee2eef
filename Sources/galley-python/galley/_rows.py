"""The rows that a caller passes: files, dicts, lines of JSON, tables."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeGuard, Union

import pyarrow as pa

from ._arrow_values import conversion_of, conversion_of_members
from ._errors import BadRows, WrongUse
from ._json_lines import NotJSON, is_blank, line_of, lines_of_text, name_of_member, reason_of
from ._paths import path_of
from ._values import kind_of

Rows = Union[str, "os.PathLike[str]", bytes, Iterable[Any], Any]
"""A path, a list of paths, dicts, lines of JSON, or a table or a column of pandas, polars or pyarrow."""

_SLICE = 8192
"""The number of rows of a table that are converted at a time."""


class RowsInput:
    """The rows of one run.

    They are files that the program reads itself, or lines that are sent to its standard input.
    """

    def __init__(self, rows: Rows) -> None:
        self.unwritable: dict[int, str] = {}
        """The errors of the rows that could not be written as JSON, by their number, as the tables have them."""
        self.total: int | None = None
        """The number of rows, if it is known before they are read."""
        self.rows_read = 0
        """The number of rows that were converted so far."""
        self._lines_read = 0
        self._items: Iterable[Any] | None = None
        self._rest: Iterator[bytes] | None = None
        self._item: Callable[[int], Any] | None = None
        self._has_a_row_per_item = True
        self.paths = _paths(rows)
        if self.paths is None:
            self._take(rows)

    @property
    def arguments(self) -> list[str]:
        """The arguments of the program for the rows."""
        if self.paths is None:
            return ["-"]
        return [path if not path.startswith("-") else f"./{path}" for path in self.paths]

    def lines(self) -> Iterator[bytes]:
        """Yields the rows as lines. A row that has no JSON form becomes a line that is a bad row."""
        if self._rest is not None:
            yield from self._rest
            return
        for item in () if self._items is None else self._items:
            if isinstance(item, (str, bytes, bytearray, memoryview)):
                text = bytes(item) if isinstance(item, (bytearray, memoryview)) else item
                if self.rows_read == 0 and text[:2] == b"\x1f\x8b":
                    raise WrongUse("rows are compressed by gzip; pass the path of the file, or gzip.open(path)")
                first = self.rows_read
                for line in lines_of_text(text):
                    self.rows_read += 0 if is_blank(line, is_first=self._lines_read == 0) else 1
                    self._lines_read += 1
                    yield line
                self._has_a_row_per_item &= self.rows_read == first + 1
                continue
            self._lines_read += 1
            try:
                if isinstance(item, NotJSON):
                    raise item
                line = line_of(item)
                if not line.startswith(b"{"):
                    # The program would take a list at the beginning for a file of another format.
                    raise NotJSON(f"it is of type {type(item).__name__}, but a row is a dict")
            except NotJSON as error:
                self.unwritable[self.rows_read] = f"line {self._lines_read}: cannot be written as JSON: {error}"
                # Two texts with commas would be taken for a file of another format.
                line = b"null"
            self.rows_read += 1
            yield line

    def explained(self, failure: BadRows) -> BadRows:
        """Returns the exception of the program for a bad row, with the cause if the row could not be written as JSON."""
        position = str(failure).partition(": ")[0] + ": "
        # A thread may still add errors.
        errors = list(self.unwritable.values())
        return next((BadRows(error) for error in errors if error.startswith(position)), failure)

    def __getstate__(self) -> dict[str, Any]:
        """Returns what a copy has: the rows that are kept, but not an iterator that was read."""
        return {**vars(self), "_items": None, "_rest": None}

    def resume(self, lines: Iterator[bytes]) -> None:
        """Makes :meth:`lines` yield these lines, which were in part taken from it."""
        self._rest = lines

    def line(self, row: int) -> bytes | None:
        """Returns one row as a line, or None if the rows were an iterator, which is gone."""
        if self._item is None:
            return None
        # Iterators, because a list of texts may be one of paths.
        if self._has_a_row_per_item:
            return next(RowsInput(iter([self._item(row)])).lines())
        lines = enumerate(RowsInput(map(self._item, range(self.total or 0))).lines())
        written = (line for number, line in lines if not is_blank(line, is_first=number == 0))
        return next(itertools.islice(written, row, None))

    def _take(self, rows: Any) -> None:
        if isinstance(rows, (bytes, bytearray, memoryview)):
            self._items = [bytes(rows)]
        elif isinstance(rows, Mapping):
            raise WrongUse("rows is one dict; pass a list of dicts, one for each row")
        elif (slices := _slices(rows)) is not None:
            self.total = slices.count
            self._items = slices
            self._item = slices.__getitem__
        elif isinstance(rows, pa.RecordBatchReader):
            self._items = itertools.chain.from_iterable(_arrow_slices(batch) for batch in rows)
        elif hasattr(rows, "__arrow_c_stream__") and not isinstance(rows, (list, tuple)):
            self._take(_table(rows))
        elif isinstance(rows, Iterable):
            self._items = rows
            if isinstance(rows, Sequence):
                self.total = len(rows)
                self._item = rows.__getitem__
        else:
            raise WrongUse(
                f"rows is {kind_of(rows)}; pass a path, dicts, lines of JSON, or a table of pandas, polars or pyarrow"
            )


def _paths(rows: Any) -> list[str] | None:
    """Returns the paths of rows files, or None if the rows are no files."""
    if isinstance(rows, (str, os.PathLike)):
        if not _may_be_path(rows):
            raise WrongUse("rows is a str with JSON, but a str is the path of a file; pass rows.splitlines(), or dicts")
        rows = [rows]
    elif not isinstance(rows, (list, tuple)):
        return None
    else:
        first = next((item for item in rows if not _is_blank_text(item)), None)
        if not _may_be_path(first):
            return None
        if not all(map(_may_be_path, rows)):
            # A text that names no file is a line that is not JSON.
            if isinstance(first, os.PathLike) or os.path.exists(first):
                raise WrongUse(f"rows has the path {os.fspath(first)!r} and something else; pass only paths, or only rows")
            return None
    paths = [path_of("rows", path) for path in rows]
    if "-" in paths:
        raise WrongUse("rows is -, the standard input; pass sys.stdin.buffer for it")
    return paths


def _may_be_path(item: object) -> TypeGuard[str | os.PathLike[str]]:
    """Returns whether an item is a path, unless it is a line that is not JSON."""
    if isinstance(item, str):
        return "\n" not in item and not item.lstrip("\ufeff \t").startswith(("{", "[{"))
    return isinstance(item, os.PathLike)


def _is_blank_text(item: object) -> bool:
    return isinstance(item, str) and not item.strip()


def _table(rows: Any) -> pa.Table:
    try:
        return pa.table(rows)
    except (pa.ArrowException, TypeError) as error:
        raise WrongUse(f"rows is {kind_of(rows)} without columns, by which rows have fields: {error}") from None


class _Slices:
    """The rows of a table or a column, which are converted some at a time.

    :param rows: The table or the column.
    :param cut: A function that returns a number of rows from one row on.
    :param convert: A function that converts a row further.
    """

    def __init__(
        self, rows: Any, cut: Callable[[int, int], list[Any]], convert: Callable[[Any], Any] | None = None
    ) -> None:
        self.count = len(rows)
        self._rows = rows
        self._cut = cut if convert is None else lambda start, count: list(map(convert, cut(start, count)))

    def __iter__(self) -> Iterator[Any]:
        for start in range(0, self.count, _SLICE):
            count = min(_SLICE, self.count - start)
            try:
                rows = self._cut(start, count)
            except Exception:  # One of the rows, such as one with a date after the year 9999.
                rows = list(map(self.__getitem__, range(start, start + count)))
            yield from rows

    def __reduce__(self) -> tuple[object, ...]:
        return _slices, (self._rows,)

    def __getitem__(self, row: int) -> Any:
        """Returns a row, or the error of its conversion."""
        try:
            return self._cut(row, 1)[0]
        except Exception as error:
            return NotJSON(_text_of(error))


def _arrow_slices(rows: Any) -> _Slices:
    kind = rows.type if isinstance(rows, (pa.Array, pa.ChunkedArray)) else pa.struct(list(rows.schema))
    if pa.types.is_struct(kind):
        check_names(field.name for field in kind)

    def cut(start: int, count: int) -> list[Any]:
        part = rows.slice(start, count)
        try:
            return _converted(part, kind)
        except Exception:
            if count > 1 or not pa.types.is_struct(kind):
                raise
            for field, column in zip(kind, part.columns if hasattr(part, "columns") else part.flatten()):
                try:
                    _converted(column, field.type)
                except Exception as error:
                    raise NotJSON(f'field "{field.name}": {_text_of(error)}') from error
            raise

    return _Slices(rows, cut)


def _converted(values: Any, kind: pa.DataType) -> list[Any]:
    convert = conversion_of(kind)
    return values.to_pylist() if convert is None else [convert(value) for value in values.to_pylist()]


def _text_of(error: Exception) -> str:
    return str(error) if isinstance(error, NotJSON) else reason_of(error)


def check_names(columns: Iterable[object]) -> None:
    """Raises `WrongUse` if two columns of a table have one name as fields of a row, such as 0 and "0", or as keys of a dict, such as 1 and True."""
    columns = list(columns)
    names = list(map(name_of_member, columns))
    if min(len(set(names)), len(set(columns))) < len(names):
        name = next(name for column, name in zip(columns, names) if names.count(name) > 1 or columns.count(column) > 1)
        raise WrongUse(f'two columns of the rows have the name "{name}"; give one of them another name')


def _slices(rows: Any) -> _Slices | None:
    """Returns the rows of a table or a column, or None if it is neither.

    The rows of a table are dicts, those of a column its values: dicts or lines of JSON. pandas and polars are not imported: an object that is theirs shows that they are.
    """
    kinds = {(base.__module__.partition(".")[0], base.__name__) for base in type(rows).__mro__}
    if isinstance(rows, (pa.Table, pa.RecordBatch, pa.Array, pa.ChunkedArray)):
        return _arrow_slices(rows)
    if ("pandas", "DataFrame") in kinds:
        check_names(rows.columns)
        convert = conversion_of_members({name: _kind_of_pandas(dtype) for name, dtype in rows.dtypes.items()})
        records = lambda start, count: rows.iloc[start : start + count].to_dict("records")  # noqa: E731
        return _Slices(rows, records, convert)
    if ("pandas", "Series") in kinds:
        values = lambda start, count: rows.iloc[start : start + count].tolist()  # noqa: E731
        return _Slices(rows, values, conversion_of(_kind_of_pandas(rows.dtype)))
    if ("polars", "Series") in kinds:
        values = lambda start, count: rows.slice(start, count).to_list()  # noqa: E731
        return _Slices(rows, values, conversion_of(_kind_of_polars(rows)))
    if kinds & {("polars", "DataFrame"), ("polars", "LazyFrame")}:
        frame = rows.collect() if ("polars", "LazyFrame") in kinds else rows
        convert = conversion_of_members({column.name: _kind_of_polars(column) for column in frame})
        return _Slices(frame, lambda start, count: frame.slice(start, count).to_dicts(), convert)
    return None


def _kind_of_pandas(dtype: Any) -> pa.DataType:
    """Returns the type of Arrow of which a column of pandas has the values, or null if it has others."""
    if type(dtype).__name__ == "CategoricalDtype":
        return _kind_of_pandas(dtype.categories.dtype)
    if type(dtype).__name__ == "SparseDtype":
        return _kind_of_pandas(dtype.subtype)
    floats = {"float16": pa.float16(), "float32": pa.float32()}
    return getattr(dtype, "pyarrow_dtype", None) or floats.get(str(dtype).lower(), pa.null())


def _kind_of_polars(column: Any) -> pa.DataType:
    """Returns the type of Arrow of a column of polars, or null if Arrow has none, such as for integers of 128 bits."""
    try:
        return column.head(0).to_arrow().type
    except Exception:
        return pa.null()
