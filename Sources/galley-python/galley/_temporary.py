"""Temporary directories."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path

from ._fork import only_in_this_process


class Temporary:
    """A temporary directory, which is removed when this object and its deep copies are no longer used, or when it is closed."""

    _original: Temporary | None = None

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="galley-"))
        self._finalizer = weakref.finalize(self, only_in_this_process(shutil.rmtree), self.path, ignore_errors=True)

    def remove(self) -> None:
        """Removes the directory, unless this object is a copy."""
        if "_finalizer" in vars(self):
            self._finalizer()

    def __getstate__(self) -> dict[str, Path]:
        return {"path": self.path}

    def __deepcopy__(self, memo: object) -> Temporary:
        shared = Temporary.__new__(Temporary)
        shared.path, shared._original = self.path, self
        return shared
