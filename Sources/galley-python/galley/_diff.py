"""The comparison of two runs."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Union

from ._layout import directory_of
from ._program import run_program, warn_of
from ._tables import ByVariant, Tables, table_of_file
from ._values import number_of

Run = Union[Tables, str, "os.PathLike[str]"]
"""The tables of a run, or their directory."""


class ListChanges:
    """What has changed in one variant."""

    def __init__(self, directory: Path, counts: Mapping[str, Any]) -> None:
        self.counts = {name: value for name, value in counts.items() if name != "name"}
        """The numbers of rows: ``oldRows``, ``newRows``, ``inserted``, ``removed``, ``moved``, ``resized``, ``changed``."""
        self.rows = table_of_file(directory / "rows.arrow")
        """One record for each row that was inserted or removed, has moved, or has other frames."""
        self.nodes = table_of_file(directory / "nodes.arrow")
        """One record for each node that came, went, moved or has another size, in rows of both runs."""

    def __repr__(self) -> str:
        return f"<galley.ListChanges {self.counts}>"


class Changes(ByVariant[ListChanges]):
    """What has changed between two runs, by the names of the variants."""

    def __init__(self, old: Run, new: Run, variants: Mapping[str, ListChanges]) -> None:
        # The directories of temporary tables last as long as their tables.
        self._old = old
        self._new = new
        self._variants = dict(variants)

    def offset(self, anchor: str, offset: float) -> dict[str, float]:
        """Returns the offset of each variant at which a row stands where it stood, so that a list does not jump.

        :param anchor: The id of the row. If it was removed, the next row above that is left counts, or else below.
        :param offset: The offset of the earlier list, in points.
        """
        place = [f"--anchor={anchor}", f"--offset={number_of('offset', offset)}"]
        output = _run(["diff", *_directories(self._old, self._new), *place, "--json"])
        return {variant["name"]: variant["offset"] for variant in output["variants"]}

    def __repr__(self) -> str:
        return f"<galley.Changes {', '.join(self)}>"


def diff(old: Run, new: Run) -> Changes:
    """Compares two runs with the same variants, row by row by id.

    >>> old = galley.layout("posts.jsonl", cells="posts.yaml", width=390)
    >>> rows = open("posts.jsonl").readlines()
    >>> new = galley.layout(rows[1:], cells="posts.yaml", width=390)
    >>> changes = galley.diff(old, new)
    >>> changes["w390"].rows.select(["id", "old_row", "new_row"]).to_pylist()
    [{'id': 'p-1', 'old_row': 0, 'new_row': None}]
    >>> changes.offset("p-3", 500)
    {'w390': 344}

    :raises Error: A directory has no tables, or the variants differ.
    """
    temporary = Path(tempfile.mkdtemp(prefix="galley-"))
    try:
        output = temporary / "changes"
        summary = _run(["diff", *_directories(old, new), "--output", str(output), "--json"])
        changes = Changes(
            _with_absolute_path(old),
            _with_absolute_path(new),
            {counts["name"]: ListChanges(output / counts["name"], counts) for counts in summary["variants"]},
        )
    finally:
        # The tables are mapped and remain valid.
        shutil.rmtree(temporary, ignore_errors=True)
    return changes


def _with_absolute_path(run: Run) -> Run:
    return run if isinstance(run, Tables) else Path(run).absolute()


def _directories(old: Run, new: Run) -> list[str]:
    return [str(directory_of("old", old)), str(directory_of("new", new))]


def _run(arguments: list[str]) -> Any:
    output, message = run_program(arguments)
    warn_of(message, stacklevel=3)
    return json.loads(output)
