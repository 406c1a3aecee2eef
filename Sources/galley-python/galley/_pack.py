"""A cells file and its fonts in one file."""

from __future__ import annotations

import os

from ._paths import path_of
from ._program import run_program


def pack(cells: str | os.PathLike[str], output: str | os.PathLike[str], *, force: bool = False) -> None:
    """Writes a cells file and its fonts into one file, as ``galley pack``.

    The pack takes the place of the cells file on machines without the fonts. The same cells and fonts give the same bytes.

    :param cells: The path of the cells file.
    :param output: The path of the pack.
    :param force: Whether an earlier pack is replaced.
    :raises CellsFileError: The cells file has mistakes.

    >>> galley.pack("posts.yaml", "posts.galley")
    >>> tables = galley.layout("posts.jsonl", cells="posts.galley", width=390)
    >>> tables["w390"].heights.column("height").to_pylist()
    [156.0, 309.5, 220.0, 311.5, 249.5]
    """
    path = path_of("cells", cells)
    arguments = ["pack", f"--output={path_of('output', output)}", *(["--force"] if force else []), "--", path]
    run_program(arguments, cells=path, force="force=True")
