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

__version__ = "0.5.0"
