"""The tables of one variant."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from ._errors import Error, WrongUse
from ._html import html_table
from ._picture import Picture, Pictures
from ._prefetch_process import PrefetchProcess
from ._temporary import Temporary
from ._values import is_integer, number_of, shortened

if TYPE_CHECKING:
    import pandas
    import polars

TABLES = ("heights", "frames", "resources")
"""The names of the tables that every variant has."""

LINE_TABLES = ("lines", "texts")
"""The names of the tables of a run with lines."""


class HeightInWidth(NamedTuple):
    """The height of a row in a list of another width."""

    height: float
    """The height in points, which is that of the variant's width unless it is certain."""
    certain: bool
    """Whether the row has this height in the other width too."""


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
        self._prefetching: dict[tuple[str, ...], PrefetchProcess] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Returns what a copy has. It reads its tables again, and its queries of :func:`galley.prefetch` have processes of their own."""
        return {**vars(self), "_tables": {}, "_prefetching": {}}

    @property
    def name(self) -> str:
        """The name of the variant: ``w390``, ``w390-t1.35``, ``w390-tAX1``, ``w390@3x``."""
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
    def text_size(self) -> str | None:
        """The text size of iOS, or None for the plain sizes of fonts."""
        return self._description.get("textSize")

    @property
    def layout_direction(self) -> str:
        """The direction of the list, ``"ltr"`` or ``"rtl"``."""
        return str(self._description.get("layoutDirection", "ltr"))

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
    def platform(self) -> str:
        """The platform whose texts and rounding the layout follows."""
        return str(self._description.get("platform", "texture"))

    @property
    def texts(self) -> pa.Table:
        """One record for each text as it is drawn, of a run with ``lines``."""
        return self._table("texts")

    def lines(self, row: int, node: str) -> list[str]:
        """Returns the characters of each line of a row's first text with this name, of a run with ``lines``.

        :raises Error: The run has no lines.

        >>> tables = galley.layout("posts.jsonl", cells="posts.yaml", width=200, lines=True)
        >>> tables["w200"].lines(0, "name")
        ['Marta Kovács']
        """
        self._check_row(row)
        texts = _records(self._table("texts"), row, node)
        if not texts:
            return []
        units = texts[0]["text"].encode("utf-16-le")
        found: list[str] = []
        for line in _records(self._table("lines"), row, node):
            if line["line"] != len(found):
                break
            end = "\u2010" if line["hyphen"] else texts[0]["truncation"] if line["ellipsis"] else ""
            found.append(units[2 * line["start"] : 2 * line["end"]].decode("utf-16-le", "replace") + end)
        return found

    @property
    def y(self) -> pa.ChunkedArray:
        """The offset of the top of each row in the list, in points."""
        return self.heights.column("y")

    @property
    def directory(self) -> Path:
        """The directory with the files of the tables. A pool writes them when they are first asked for."""
        return self._directory()

    def to_polars(self, table: str = "heights") -> polars.DataFrame:
        """Returns ``"heights"``, ``"frames"``, ``"resources"``, ``"lines"`` or ``"texts"`` as a table of polars."""
        import polars

        frame = polars.from_arrow(self._table(table))
        assert isinstance(frame, polars.DataFrame)
        return frame

    def to_pandas(self, table: str = "heights") -> pandas.DataFrame:
        """Returns ``"heights"``, ``"frames"``, ``"resources"``, ``"lines"`` or ``"texts"`` as a table of pandas."""
        frame: pandas.DataFrame = self._table(table).to_pandas()
        return frame

    def height_of(self, row: int, width: float) -> HeightInWidth:
        """Returns the height of a row in a list of another width, in points, and whether it is certain.

        >>> tables = galley.layout("posts.jsonl", cells="posts.yaml", width=390)
        >>> tables["w390"].height_of(2, 391)
        HeightInWidth(height=220.0, certain=True)
        """
        self._check_row(row)
        change = number_of("width", width) - self.width
        names = ["height", "margin_narrower", "margin_wider", "holds_for_width"]
        present = [name for name in names if name in self.heights.column_names]
        [values] = self.heights.select(present).slice(row, 1).to_pylist()
        margin = values.get("margin_narrower" if change < 0 else "margin_wider")
        certain = change == 0 or (
            bool(values.get("holds_for_width")) and (margin is None or abs(change) < margin)
        )
        return HeightInWidth(values["height"], certain)

    def uncertain(self, within: float = 0.5) -> pa.Table:
        """Returns the records of ``heights`` of which a change of the space of their texts by less than ``within`` points
        can change the number of lines.

        Rows without margins are left out: they have no texts, or lines that depend on each other.

        >>> tables = galley.layout("posts.jsonl", cells="posts.yaml", width=390)
        >>> tables["w390"].uncertain(2).column("id").to_pylist()
        []
        """
        length = number_of("within", within)
        if length <= 0:
            raise WrongUse(f"within is {shortened(within)}; pass a length in points above 0, such as 0.5")
        heights = self.heights
        if "margin_narrower" not in heights.column_names:
            raise Error(f"{self.name} has no margins; lay out the rows again with this version of Galley")
        least = pc.min_element_wise(heights.column("margin_narrower"), heights.column("margin_wider"))
        return heights.filter(pc.less(least, length))

    def row_at(self, offset: float) -> int:
        """Returns the row that covers an offset: its top is at the offset or above, its bottom is below.

        A row of height 0 covers nothing. An offset above the list gives what offset 0 gives, one at the end of the list or
        below gives the last row. An empty list gives -1.
        """
        offset = number_of("offset", offset)
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
        """Returns a drawing of a row, which a notebook shows by itself. Of a list that has changed since, it shows the present row.

        :raises Error: The rows are not at hand any more: they came from an iterator, or a file has changed since.
        """
        self._check_row(row)
        if self._pictures is None:
            raise Error("the rows of these tables are not known; lay them out again with galley.layout to draw one")
        try:
            return self._pictures.picture(row, self._description)
        except IndexError:
            raise Error("the list of rows is shorter now than when it was laid out; lay it out again to draw one") from None

    def __len__(self) -> int:
        return int(self.heights.num_rows)

    def __repr__(self) -> str:
        return f"<galley.Variant {self.name}: {len(self)} rows, height {self.height:g}>"

    def _repr_html_(self) -> str:
        return html_table([self])

    def _check_row(self, row: object) -> None:
        if not is_integer(row) or not 0 <= row < len(self):
            rows = f"the table has {len(self)} rows, the first of which is row 0"
            raise WrongUse(f"there is no row {shortened(row)}; {rows}")

    def _table(self, name: str) -> pa.Table:
        if name not in TABLES + LINE_TABLES:
            raise WrongUse(f'"{name}" is no table; the tables are {", ".join(TABLES + LINE_TABLES)}')
        if name in LINE_TABLES and "lines" not in (self._description.get("checksums") or {}):
            raise Error(f"{self.name} has no lines of texts; lay out the rows again with lines=True")
        if name == "frames" and "frames" not in (self._description.get("checksums") or {"frames"}):
            raise Error(f'{self.name} has no frames; lay out the rows again without columns="heights"')
        if name not in self._tables:
            table = self._load(name)
            self._tables[name] = self._with_errors(table) if name == "heights" and self._unwritable else table
        return self._tables[name]

    def _with_errors(self, heights: pa.Table) -> pa.Table:
        """Returns heights with the errors of the rows that Python could not write as JSON."""
        errors = heights.column("error").to_pylist()
        for row, message in self._unwritable.items():
            errors[row] = message
        index = heights.schema.get_field_index("error")
        return heights.set_column(index, heights.schema.field(index), pa.array(errors, pa.string()))

    def _prefetch_process(self, options: tuple[str, ...]) -> PrefetchProcess:
        process = self._prefetching.get(options)
        if process is None or not process.is_current:
            if process is not None:
                process.end()
            process = PrefetchProcess(self.directory, options)
            self._prefetching[options] = process
        return process

    def _forget_prefetching(self) -> None:
        for process in self._prefetching.values():
            process.close()
        self._prefetching.clear()


def _records(table: pa.Table, row: int, node: str) -> list[dict[str, Any]]:
    """Returns the records of a row with the name of a node, in their order."""
    records = table.filter(pc.field("row") == row).to_pylist()
    return [record for record in records if record["node"] == node]
