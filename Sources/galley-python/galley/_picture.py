"""The pictures of rows."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Protocol


class Picture:
    """A drawing of a cell as SVG, which notebooks show by themselves."""

    def __init__(self, svg: str) -> None:
        self.svg = svg
        """The text of the SVG document."""

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the SVG document to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def __repr__(self) -> str:
        return f"<galley.Picture of {len(self.svg)} characters>"


class Pictures(Protocol):
    """A source of the pictures of rows."""

    def picture(self, row: int, variant: Mapping[str, Any]) -> Picture: ...
