"""The tables of a run."""

from __future__ import annotations

import bisect
import html
import json
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa
import pyarrow.compute as pc

from ._columns import StreamColumns
from ._errors import Error, RowError, WrongUse
from ._fork import only_in_this_process
from ._paths import path_of
from ._picture import Picture
from ._prefetch import PrefetchProcess
from ._program import check_version

if TYPE_CHECKING:
    import pandas
    import polars

_NAMES = ("heights", "frames", "resources")


class Temporary:
    """A temporary directory, which is removed when this object is no longer used."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="galley-"))
        self.remove = weakref.finalize(self, only_in_this_process(shutil.rmtree), self.path, ignore_errors=True)


class Pictures(Protocol):
    """A source of the pictures of rows."""

    def picture(self, row: int, variant: Mapping[str, Any]) -> Picture: ...


class Variant:
    """The tables of one variant, such as ``tables["w390"]``.

    Lengths are points. The tables are mapped into memory when they are first used, and remain valid after the
    directory is removed.

    >>> tables = galley.layout("posts.jsonl", cells="posts.yaml", width=390)
    >>> posts = tables["w390"]
    >>> posts.heights.select(["id", "height", "y"]).slice(0, 2).to_pylist()
    [{'id': 'p-1', 'height': 156.0, 'y': 0.0}, {'id': 'p-2', 'height': 309.5, 'y': 156.0}]
    >>> posts.row_at(200), posts.height, len(posts)
    (1, 1246.5, 5)
    """

    def __init__(
        self,
        description: Mapping[str, Any],
        load: Callable[[str], pa.Table],
        directory: Callable[[], Path],
        unwritable: Mapping[int, str],
        pictures: Pictures | None,
        temporary: Temporary | None = None,
    ) -> None:
        # The directory lasts as long as one of its variants.
        self._temporary = temporary
        self._description = description
        self._load = load
        self._directory = directory
        self._unwritable = unwritable
        self._pictures = pictures
        self._tables: dict[str, pa.Table] = {}
        self._prefetching: dict[tuple[bool, bool], PrefetchProcess] = {}

    @property
    def name(self) -> str:
        """The name of the variant: ``w390``, ``w390-t1.35``, ``w390@3x``."""
        return str(self._description["name"])

    @property
    def width(self) -> float:
        """The width of the list in points."""
        return float(self._description["width"])

    @property
    def text_scale(self) -> float:
        """The factor of font sizes and line heights."""
        return float(self._description["textScale"])

    @property
    def scale(self) -> float:
        """The device pixels per point."""
        return float(self._description["scale"])

    @property
    def height(self) -> float:
        """The height of the whole list in points."""
        return float(self._description["height"])

    @property
    def heights(self) -> pa.Table:
        """One record for each row: its id, height, offset ``y``, frames and error."""
        return self._table("heights")

    @property
    def frames(self) -> pa.Table:
        """One record for each node of each row, in the coordinates of the cell."""
        return self._table("frames")

    @property
    def resources(self) -> pa.Table:
        """One record for each URL to fetch, with its size in pixels."""
        return self._table("resources")

    @property
    def y(self) -> pa.ChunkedArray:
        """The offset of the top of each row in the list, in points."""
        return self.heights.column("y")

    @property
    def directory(self) -> Path:
        """The directory with the files of the tables. A pool writes them when they are first asked for."""
        return self._directory()

    def to_polars(self, table: str = "heights") -> polars.DataFrame:
        """Returns ``"heights"``, ``"frames"`` or ``"resources"`` as a table of polars."""
        import polars

        frame = polars.from_arrow(self._table(table))
        assert isinstance(frame, polars.DataFrame)
        return frame

    def to_pandas(self, table: str = "heights") -> pandas.DataFrame:
        """Returns ``"heights"``, ``"frames"`` or ``"resources"`` as a table of pandas."""
        frame: pandas.DataFrame = self._table(table).to_pandas()
        return frame

    def row_at(self, offset: float) -> int:
        """Returns the row that covers an offset: its top is at the offset or above, its bottom is below.

        A row of height 0 covers nothing. An offset above the list gives what offset 0 gives, one at the end of the list or
        below gives the last row. An empty list gives -1.
        """
        if offset >= self.height:
            return len(self) - 1
        first = 0
        found = -1
        for chunk in self.y.chunks:
            tops = memoryview(chunk.buffers()[1]).cast("d")[chunk.offset : chunk.offset + len(chunk)]
            if not tops or tops[0] > max(offset, 0):
                break
            found = first + bisect.bisect_right(tops, max(offset, 0)) - 1
            first += len(chunk)
        return int(found)

    def picture(self, row: int = 0) -> Picture:
        """Returns a drawing of a row with its frames and texts, which a notebook shows by itself.

        :raises Error: The rows are not at hand any more: they came from an iterator, or a file has changed since.
        """
        if not 0 <= row < len(self):
            raise WrongUse(f"there is no row {row}; the table has {len(self)} rows, the first of which is row 0")
        if self._pictures is None:
            raise Error("the rows of these tables are not known; lay them out again with galley.layout to draw one")
        return self._pictures.picture(row, self._description)

    def __len__(self) -> int:
        return int(self.heights.num_rows)

    def __repr__(self) -> str:
        return f"<galley.Variant {self.name}: {len(self)} rows, height {self.height:g}>"

    def _repr_html_(self) -> str:
        return _html_table([self])

    def _table(self, name: str) -> pa.Table:
        if name not in _NAMES:
            raise WrongUse(f'"{name}" is no table; the tables are {", ".join(_NAMES)}')
        if name not in self._tables:
            table = self._load(name)
            self._tables[name] = self._with_errors(table) if name == "heights" and self._unwritable else table
        return self._tables[name]

    def _with_errors(self, heights: pa.Table) -> pa.Table:
        """Returns heights with the errors of the rows that Python could not write as JSON."""
        errors = heights.column("error").to_pylist()
        for row, message in self._unwritable.items():
            position = str(errors[row]).partition(": ")[0]
            errors[row] = f"{position}: {message}"
        index = heights.schema.get_field_index("error")
        return heights.set_column(index, heights.schema.field(index), pa.array(errors, pa.string()))

    def _prefetch_process(self, resources: bool, arrangement: bool) -> PrefetchProcess:
        process = self._prefetching.get((resources, arrangement))
        if process is None or not process.is_running:
            process = PrefetchProcess(self.directory, resources=resources, arrangement=arrangement)
            self._prefetching[resources, arrangement] = process
        return process

    def _forget_prefetching(self) -> None:
        for process in self._prefetching.values():
            process.close()
        self._prefetching.clear()


class Tables(Mapping[str, Variant]):
    """The tables of a run, by the names of the variants.

    Use it in a ``with`` statement, or call :meth:`close`, to remove the temporary directory of the tables at once.
    Otherwise it is removed when neither this object nor one of its variants is used. Directories that the caller named are never removed.

    >>> tables = galley.layout("posts.jsonl", cells="posts.yaml", width=[320, 390])
    >>> list(tables)
    ['w320', 'w390']
    >>> tables.errors
    []
    >>> tables.manifest["rows"]
    5
    """

    def __init__(
        self,
        manifest: Mapping[str, Any],
        variants: Mapping[str, Variant],
        temporary: Temporary | None = None,
    ) -> None:
        self.manifest = dict(manifest)
        """What was laid out: version, hashes, rows, errors, variants and times, as in ``manifest.json``."""
        self._variants = dict(variants)
        self._errors: list[RowError] | None = None
        self._temporary = temporary

    @property
    def errors(self) -> list[RowError]:
        """The errors of the bad rows, in the order of the rows."""
        if self._errors is None:
            found: dict[tuple[int, str], tuple[str, list[str]]] = {}
            if self.manifest["errors"]:
                for variant in self.values():
                    for row, id, error in _bad_rows(variant.heights):
                        found.setdefault((row, error), (id, []))[1].append(variant.name)
            self._errors = [
                RowError(row, id, error, tuple(names)) for (row, error), (id, names) in sorted(found.items())
            ]
        return self._errors

    def close(self) -> None:
        """Ends the processes of :func:`galley.prefetch` and removes the temporary directory."""
        for variant in self.values():
            variant._forget_prefetching()
        if self._temporary is not None:
            self._temporary.remove()

    def __enter__(self) -> Tables:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __getitem__(self, name: str) -> Variant:
        try:
            return self._variants[name]
        except KeyError:
            raise KeyError(f"{name}: the variants are {', '.join(self)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._variants)

    def __len__(self) -> int:
        return len(self._variants)

    def __repr__(self) -> str:
        rows, errors = self.manifest["rows"], self.manifest["errors"]
        return f"<galley.Tables {', '.join(self)}: {rows} rows, {errors} of them bad>"

    def _repr_html_(self) -> str:
        return _html_table(list(self.values()))


def open_tables(directory: str | os.PathLike[str]) -> Tables:
    """Opens the tables of a finished run, such as those of ``galley layout … --output DIR``.

    :raises Error: The directory has no manifest.

    >>> _ = galley.layout("posts.jsonl", cells="posts.yaml", width=390, output="tables")
    >>> galley.open("tables")
    <galley.Tables w390: 5 rows, 0 of them bad>
    """
    return tables_of_directory(Path(path_of("directory", directory)))


def tables_of_directory(
    directory: Path,
    *,
    unwritable: Mapping[int, str] | None = None,
    pictures: Pictures | None = None,
    temporary: Temporary | None = None,
) -> Tables:
    try:
        manifest = json.loads((directory / "manifest.json").read_bytes())
        descriptions = {str(variant["name"]): variant for variant in manifest["variants"]}
    except (FileNotFoundError, NotADirectoryError):
        raise Error(f"{directory} has no manifest.json; pass the output of a run that has ended") from None
    except (ValueError, KeyError, TypeError) as error:
        raise Error(f"{directory / 'manifest.json'} is damaged ({error}); lay out the rows again") from None
    check_version(manifest.get("version"))
    variants = {}
    for name, description in descriptions.items():
        files = directory / name
        variants[name] = Variant(
            description, _reader(files), partial(Path, files), unwritable or {}, pictures, temporary
        )
    return Tables(manifest, variants, temporary)


def tables_of_stream(
    batches: list[pa.RecordBatch],
    manifest: dict[str, Any],
    *,
    unwritable: Mapping[int, str] | None = None,
    pictures: Pictures | None = None,
) -> Tables:
    """Returns the tables of a complete stream.

    :param manifest: The manifest, of which the variants lack what the batches have.
    """
    by_variant: dict[str, list[pa.RecordBatch]] = {}
    for batch in batches:
        by_variant.setdefault(str(batch.column("variant")[0]), []).append(batch)
    files = _StreamFiles()
    variants = {}
    for description in manifest["variants"]:
        name = description["name"]
        columns = StreamColumns(by_variant[name])
        heights = columns.table("heights")
        description["height"] = sum(heights.column("height").to_pylist())
        description["errors"] = heights.num_rows - heights.column("error").null_count
        description["frames"] = sum(heights.column("frame_count").to_pylist())
        files.columns[name] = columns
        variants[name] = Variant(
            description, columns.table, partial(files.directory_of, name), unwritable or {}, pictures
        )
    manifest["errors"] = max(description["errors"] for description in manifest["variants"])
    files.manifest = manifest
    return Tables(manifest, variants)


class _StreamFiles:
    """The files of tables that came as a stream. They are written when a program needs them."""

    def __init__(self) -> None:
        self.columns: dict[str, StreamColumns] = {}
        self.manifest: dict[str, Any] = {}
        self._temporary: Temporary | None = None

    def directory_of(self, variant: str) -> Path:
        return self._written() / variant

    def _written(self) -> Path:
        if self._temporary is not None:
            return self._temporary.path
        self._temporary = Temporary()
        path = self._temporary.path
        for name, columns in self.columns.items():
            (path / name).mkdir()
            for table in _NAMES:
                _write(columns.table(table), path / name / f"{table}.arrow")
        (path / "manifest.json").write_text(json.dumps(self.manifest))
        return path


def _write(table: pa.Table, path: Path) -> None:
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


def _reader(directory: Path) -> Callable[[str], pa.Table]:
    return lambda name: table_of_file(directory / f"{name}.arrow")


def table_of_file(path: Path) -> pa.Table:
    """Returns the table of a file. The heights, which are small, are copied into memory; other tables are mapped."""
    try:
        source = pa.OSFile(str(path)) if path.name == "heights.arrow" else pa.memory_map(str(path))
        return pa.ipc.open_file(source).read_all()
    except (OSError, pa.ArrowInvalid) as error:
        raise Error(f"{path} cannot be read ({error}); lay out the rows again") from None


def _bad_rows(heights: pa.Table) -> Iterator[tuple[int, str, str]]:
    bad = heights.filter(pc.is_valid(heights.column("error"))).select(["row", "id", "error"])
    for record in bad.to_pylist():
        yield record["row"], record["id"], record["error"]


def _html_table(variants: list[Variant]) -> str:
    lines = ["<table><tr><th>variant</th><th>rows</th><th>height</th><th>frames</th><th>bad rows</th></tr>"]
    for variant in variants:
        values = (variant.name, len(variant), f"{variant.height:g}", *(variant._description[n] for n in ("frames", "errors")))
        lines.append("<tr>" + "".join(f"<td>{html.escape(str(value))}</td>" for value in values) + "</tr>")
    return "".join(lines) + "</table>"
