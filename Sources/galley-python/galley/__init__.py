"""Heights and frames of whole lists, laid out ahead of time."""

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
from ._picture import Picture
from ._prefetch import prefetch
from ._tables import Tables, Variant
from ._tables import open_tables as open

__version__ = "0.5.0"
