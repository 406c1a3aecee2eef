"""The tables of a run."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from ._closing import Closing
from ._errors import Error, RowError, WrongUse
from ._heights import damage_of_heights
from ._html import html_table
from ._paths import path_of, version_of
from ._picture import Pictures
from ._program import check_version
from ._temporary import Temporary
from ._values import kind_of, number_of
from ._variant import Variant

_Value = TypeVar("_Value")


class ByVariant(Mapping[str, _Value]):
    """A mapping from the names of the variants."""

    _variants: dict[str, _Value]

    def __getitem__(self, name: str) -> _Value:
        try:
            return self._variants[name]
        except KeyError:
            raise KeyError(f"{name}: the variants are {', '.join(self)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._variants)

    def __len__(self) -> int:
        return len(self._variants)


class Tables(ByVariant[Variant], Closing):
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

    def for_width(
        self,
        width: float,
        *,
        platform: str = "texture",
        text_scale: float = 1,
        text_size: str | None = None,
        scale: float | None = None,
        layout_direction: str = "ltr",
    ) -> Variant:
        """Returns the variant whose width is nearest to that of a list, and of two that are equally near the narrower one.

        :param scale: The device pixels per point, or None for any.
        :raises Error: No variant has this platform, text scale, text size, scale and direction.

        >>> tables = galley.layout("posts.jsonl", cells="posts.yaml", width=[320, 390])
        >>> tables.for_width(375)
        <galley.Variant w390: 5 rows, height 1246.5>
        """
        width, text_scale = number_of("width", width), number_of("text_scale", text_scale)
        scale = None if scale is None else number_of("scale", scale)
        wanted = (platform, text_scale, text_size, layout_direction)
        found = [
            variant
            for variant in self.values()
            if (variant.platform, variant.text_scale, variant.text_size, variant.layout_direction) == wanted
            and scale in (None, variant.scale)
        ]
        if not found:
            raise Error(
                f"no variant has platform={platform!r}, text_scale={text_scale:g}, text_size={text_size!r}, scale={scale} "
                f"and layout_direction={layout_direction!r}; "
                f"the variants are {', '.join(self)}"
            )
        # The differences from a width far beyond all variants would be rounded to one number.
        widths = [variant.width for variant in found]
        clamped = max(min(widths), min(width, max(widths)))
        return min(found, key=lambda variant: (abs(variant.width - clamped), variant.width))

    def close(self) -> None:
        """Ends the processes of :func:`galley.prefetch` and removes the temporary directory."""
        for variant in self.values():
            variant._forget_prefetching()
        if self._temporary is not None:
            self._temporary.remove()

    def __repr__(self) -> str:
        rows, errors = self.manifest["rows"], self.manifest["errors"]
        return f"<galley.Tables {', '.join(self)}: {rows} rows, {errors} of them bad>"

    def _repr_html_(self) -> str:
        return html_table(list(self.values()))


def require_variant(name: str, variant: object) -> None:
    """Checks that an argument is the tables of one variant.

    :raises WrongUse: It is something else, such as the tables of all variants.
    """
    if not isinstance(variant, Variant):
        raise WrongUse(f'{name} is {kind_of(variant)}; pass the tables of one variant, such as tables["w390"]')


def open_tables(directory: str | os.PathLike[str]) -> Tables:
    """Opens the tables of a finished run, such as those of ``galley layout … --output DIR``.

    :raises Error: The directory has no manifest.

    >>> _ = galley.layout("posts.jsonl", cells="posts.yaml", width=390, output="tables")
    >>> galley.open("tables")
    <galley.Tables w390: 5 rows, 0 of them bad>
    """
    return tables_of_directory(Path(path_of("directory", directory)).absolute())


def tables_of_directory(
    directory: Path,
    *,
    unwritable: Mapping[int, str] | None = None,
    pictures: Pictures | None = None,
    temporary: Temporary | None = None,
) -> Tables:
    try:
        with open(directory / "manifest.json", "rb") as file:
            version = version_of(file.fileno())
            manifest = json.load(file)
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
            description,
            partial(_table_of_run, files, version),
            partial(_directory_of_run, files, version),
            unwritable or {},
            pictures,
            temporary,
        )
    return Tables(manifest, variants, temporary)


def _table_of_run(files: Path, version: tuple[int, int, int] | None, name: str) -> pa.Table:
    """Returns a table of a variant.

    :param version: The version of the manifest when the tables were opened.
    :raises Error: The tables were replaced since, so that this one would not fit to those that were read before.
    """
    table = table_of_file(files / f"{name}.arrow")
    if version_of(files.parent / "manifest.json") != version:
        raise _replaced(files)
    return table


def _directory_of_run(files: Path, version: tuple[int, int, int] | None) -> Path:
    """Returns the directory of a variant, for programs that read its tables and report what is missing.

    :param version: The version of the manifest when the tables were opened.
    :raises Error: The tables were replaced since.
    """
    if version_of(files.parent / "manifest.json") not in (version, None):
        raise _replaced(files)
    return files


def _replaced(files: Path) -> Error:
    return Error(f"{files.parent} was replaced since its tables were opened; open it again with galley.open")


def table_of_file(path: Path) -> pa.Table:
    """Returns the table of a file. The heights, which are small, are copied into memory; other tables are mapped.

    The values are checked, because pyarrow ends the process at an index of a damaged dictionary column. That takes half a second for
    all tables of a million rows.

    :raises Error: The file cannot be read or is damaged.
    """
    try:
        source = pa.OSFile(str(path)) if path.name == "heights.arrow" else pa.memory_map(str(path))
        table = pa.ipc.open_file(source).read_all()
        table.validate(full=True)
        list(table.column_names)  # pyarrow decodes the names here.
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        raise Error(f"{path} cannot be read ({error}); lay out the rows again") from None
    damage = damage_of_heights(table) if path.name == "heights.arrow" else None
    if damage is not None:
        raise Error(f"{path} cannot be read ({damage}); lay out the rows again")
    return table


def _bad_rows(heights: pa.Table) -> Iterator[tuple[int, str, str]]:
    bad = heights.filter(pc.is_valid(heights.column("error"))).select(["row", "id", "error"])
    for record in bad.to_pylist():
        yield record["row"], record["id"], record["error"]
