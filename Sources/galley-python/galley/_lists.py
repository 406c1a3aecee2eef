"""Lists with several columns, and heights for programs without Arrow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyarrow as pa

from ._errors import WrongUse
from ._program import run_program, warn_of
from ._tables import require_variant, table_of_file
from ._values import edges_of, is_integer, number_of, shortened
from ._variant import Variant


def arrange(
    variant: Variant,
    *,
    columns: int = 1,
    waterfall: bool = False,
    wrap: bool = False,
    justify: bool = False,
    spacing: float = 0,
    line_spacing: float = 0,
    inset: Sequence[float] = (0, 0, 0, 0),
    content_margins: Sequence[float] = (0, 0, 0, 0),
    headers: Iterable[str] = (),
    footers: Iterable[str] = (),
    pin_headers: bool = False,
    headers_from: Variant | None = None,
) -> pa.Table:
    """Arranges the cells of a list in columns, as ``galley arrange``.

    The arrangement is also written beside the tables, where :func:`galley.prefetch` uses it.

    :param variant: The variant whose cells are arranged; its width is that of a column.
    :param columns: The number of columns.
    :param waterfall: Whether each cell goes to the column that is the shortest so far.
    :param wrap: Whether cells of unequal widths, which are laid out at the width of the list, fill lines.
    :param justify: Whether the spaces between the cells of such a line are widened, so that it is filled.
    :param spacing: The distance between two columns, or the least distance between two cells of a line, in points.
    :param line_spacing: The distance between two cells of a column, or two lines, in points.
    :param inset: The distances from the edges: top, left, bottom, right.
    :param content_margins: The distances between all rows and the edges of the content, such as the safe area.
    :param headers: The cell classes that have the full width.
    :param footers: The cell classes that end a section, and have the full width too.
    :param pin_headers: Whether headers stay at the top while their section is visible, as :func:`galley.prefetch` counts.
    :param headers_from: The variant that has the headers and footers.
    :return: ``row``, ``x``, ``y``, ``width``, ``height`` and ``column`` of each cell; the size of the content is in the
        metadata of the schema.
    :raises WrongUse: An option is wrong, such as a width that does not fit.

    >>> tables = galley.layout("posts.jsonl", cells="posts.yaml", width=171)
    >>> placed = galley.arrange(tables["w171"], columns=2, waterfall=True, spacing=16)
    >>> placed.column("x").to_pylist()
    [0.0, 187.0, 0.0, 187.0, 0.0]
    """
    require_variant("variant", variant)
    if not is_integer(columns) or not 1 <= columns <= 1024:
        raise WrongUse(f"columns is {shortened(columns)}; pass a number from 1 to 1024")
    arguments = ["arrange", str(variant.directory), "--json", f"--columns={int(columns)}"]
    for name, length in (("spacing", spacing), ("line_spacing", line_spacing)):
        arguments.append(f"--{name.replace('_', '-')}={number_of(name, length)}")
    for name, edges in (("inset", inset), ("content_margins", content_margins)):
        arguments.append(f"--{name.replace('_', '-')}={edges_of(name, edges)}")
    arguments += ["--waterfall"] if waterfall else []
    arguments += ["--wrap"] if wrap else []
    arguments += ["--justify"] if justify else []
    for name, classes in (("headers", headers), ("footers", footers)):
        if isinstance(classes, str) or not isinstance(classes, Iterable):
            raise WrongUse(f'{name} is {shortened(classes)}; pass a list of names, such as ["SectionHeader"]')
        names = list(map(str, classes))
        wrong = [each for each in names if not each or "," in each]
        if wrong:
            raise WrongUse(f'{name} has "{wrong[0]}"; pass names of cell classes, such as "SectionHeader"')
        arguments += [f"--{name}={','.join(names)}"] if names else []
    arguments += ["--pin-headers"] if pin_headers else []
    if headers_from is not None:
        require_variant("headers_from", headers_from)
        arguments.append(f"--headers-from={headers_from.directory}")
    _, message = run_program(arguments)
    warn_of(message, stacklevel=2)
    return table_of_file(variant.directory / "arrangement.arrow")


def skeleton(variant: Variant, rows: range, format: str = "svg") -> str:
    """Returns the picture of rows before their contents are there, as ``galley skeleton``.

    :param rows: Consecutive rows, such as ``range(10)``.
    :param format: ``"svg"``, an image of the rows below each other, or ``"html"``, an element as high as the whole list, with an
        image of each row in its place, for the first page from a server.

    >>> tables = galley.layout("posts.jsonl", cells="posts.yaml", width=390)
    >>> galley.skeleton(tables["w390"], range(1))[:76]
    '<svg style="display:block" xmlns="http://www.w3.org/2000/svg" width="390" he'
    """
    require_variant("variant", variant)
    if not isinstance(rows, range) or not rows or rows.start < 0 or rows.step != 1:
        raise WrongUse(f"rows is {rows!r}; pass consecutive rows, such as range(10)")
    span = f"--rows={rows.start}-{rows.stop - 1}"
    output, _ = run_program(["skeleton", str(variant.directory), span, f"--format={format}"])
    return output.decode()


def export(variant: Variant, format: str) -> bytes:
    """Returns the heights or frames in a form for programs without Arrow, as ``galley export``.

    :param format: ``"json"``, ``"f32"``, ``"csv"``, ``"jsonl"`` or ``"text-lines"``.

    >>> tables = galley.layout("posts.jsonl", cells="posts.yaml", width=390)
    >>> galley.export(tables["w390"], "csv").decode().splitlines()[0]
    'row,id,cell,width,height,y,first_frame,frame_count,error,missing_glyphs'
    """
    require_variant("variant", variant)
    output, _ = run_program(["export", str(variant.directory), f"--format={format}"])
    return output
