"""The tables of a run whose results came as a stream."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from ._columns import StreamColumns
from ._errors import Error
from ._picture import Pictures
from ._tables import Tables
from ._temporary import Temporary
from ._variant import TABLES, Variant


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
    files = _StreamFiles(manifest)
    variants = {}
    for description in manifest["variants"]:
        name = description["name"]
        columns = StreamColumns(by_variant[name], description["scale"])
        heights = columns.table("heights")
        description["height"] = sum(heights.column("height").to_pylist())
        description["errors"] = heights.num_rows - heights.column("error").null_count
        description["frames"] = sum(heights.column("frame_count").to_pylist())
        files.columns[name] = columns
        variants[name] = Variant(
            description, columns.table, partial(files.directory_of, name), unwritable or {}, pictures
        )
    manifest["errors"] = max(description["errors"] for description in manifest["variants"])
    return Tables(manifest, variants)


class _StreamFiles:
    """The files of tables that came as a stream. They are written when a program needs them."""

    def __init__(self, manifest: dict[str, Any], columns: dict[str, StreamColumns] | None = None) -> None:
        self.columns = {} if columns is None else columns
        self._manifest = manifest
        self._temporary: Temporary | None = None
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[object, ...]:
        """Returns what a copy is made of. The copy writes files of its own."""
        return type(self), (self._manifest, self.columns)

    def directory_of(self, variant: str) -> Path:
        with self._lock:
            if self._temporary is None:
                self._temporary = self._written()
            return self._temporary.path / variant

    def _written(self) -> Temporary:
        temporary = Temporary()
        path = temporary.path
        try:
            for name, columns in self.columns.items():
                (path / name).mkdir()
                for table in TABLES:
                    _write(columns.table(table), path / name / f"{table}.arrow")
            (path / "manifest.json").write_text(json.dumps(self._manifest))
        except OSError as error:
            raise Error(f"the files of the tables cannot be written into {path}: {error}") from None
        return temporary


def _write(table: pa.Table, path: Path) -> None:
    columns = [column.combine_chunks() for column in table.columns]
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        # `write_table` writes nothing for a table without records, and the dictionaries come with the first batch.
        writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=table.schema))
