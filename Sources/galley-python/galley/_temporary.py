"""Temporary directories."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path

from ._fork import only_in_this_process


class Temporary:
    """A temporary directory, which is removed when this object is no longer used."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="galley-"))
        self.remove = weakref.finalize(self, only_in_this_process(shutil.rmtree), self.path, ignore_errors=True)
