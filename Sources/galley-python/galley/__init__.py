"""Heights and frames of whole lists, laid out ahead of time.

>>> import galley
>>> tables = galley.layout("posts.jsonl", cells="posts.yaml", width=[320, 390])
>>> tables["w390"].heights.column("height").to_pylist()
[156.0, 309.5, 220.0, 311.5, 249.5]

The package drives the program ``galley``, which it finds beside itself, on PATH, or where the environment variable
``GALLEY`` points.
"""

from importlib import import_module
from types import ModuleType

from ._diff import Changes, ListChanges, diff
from ._errors import (
    BadRows,
    CellsFileError,
    Error,
    Mistake,
    PoolUnreachable,
    ProgramNotFound,
    RowError,
    RowsError,
    RowsWarning,
    VersionWarning,
    WrongUse,
)
from ._layout import layout, layout_async
from ._lists import arrange, export, skeleton
from ._pack import pack
from ._picture import Picture
from ._pool import Connection, Pool, connect
from ._prefetch import prefetch
from ._stream import Stream, stream
from ._tables import Tables
from ._tables import open_tables as open
from ._variant import Variant

__version__ = "0.5.0"

__all__ = [
    "BadRows",
    "CellsFileError",
    "Changes",
    "Connection",
    "Error",
    "ListChanges",
    "Mistake",
    "Picture",
    "Pool",
    "PoolUnreachable",
    "ProgramNotFound",
    "RowError",
    "RowsError",
    "RowsWarning",
    "Stream",
    "Tables",
    "Variant",
    "VersionWarning",
    "WrongUse",
    "arrange",
    "connect",
    "diff",
    "export",
    "layout",
    "layout_async",
    "open",
    "pack",
    "prefetch",
    "skeleton",
    "stream",
]

for _name in __all__:
    # Documentation and tracebacks show the names by which the objects are used.
    if hasattr(globals()[_name], "__module__"):
        globals()[_name].__module__ = __name__

_ENGINES = ("dask", "ray", "spark")


def __getattr__(name: str) -> ModuleType:
    """Imports ``galley.spark``, ``galley.ray`` and ``galley.dask`` when they are first used, with their engines."""
    if name in _ENGINES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_ENGINES])
