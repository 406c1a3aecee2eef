"""What a caller wants laid out, as arguments of the program."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._errors import Error, WrongUse
from ._paths import path_of, version_of
from ._picture import Picture
from ._program import run_program
from ._rows import Rows, RowsInput
from ._values import is_integer, shortened
from ._variants import LayoutDirections, Numbers, Platforms, TextSizes, Variants

if TYPE_CHECKING:
    from ._pool import Coordinator


@dataclass(frozen=True)
class Target:
    """The processes that lay out: workers of one run, or those of a coordinator."""

    verb: str
    arguments: tuple[str, ...]
    process: Coordinator | None = None
    """The coordinator, if this Python process has started it."""

    @classmethod
    def workers(cls, count: int | None) -> Target:
        """Returns worker processes for one run; ``None`` is one for each core."""
        return cls("layout", () if count is None else (f"--workers={number_of_workers(count)}",))

    @classmethod
    def coordinator(
        cls, endpoint: str, keys: str | os.PathLike[str] | None, priority: int, process: Coordinator | None
    ) -> Target:
        """Returns the workers of a coordinator."""
        if not is_integer(priority) or not -(2**31) <= priority < 2**31:
            raise WrongUse(f"priority is {shortened(priority)}; pass an integer of 32 bits")
        arguments = (f"--connect={endpoint}", f"--priority={int(priority)}")
        return cls("submit", arguments if keys is None else (*arguments, f"--keys={path_of('keys', keys)}"), process)


class Request:
    """Rows, cells and variants."""

    def __init__(
        self,
        rows: Rows,
        cells: str | os.PathLike[str],
        width: Numbers,
        text_scale: Numbers,
        scale: Numbers | None,
        text_size: TextSizes = None,
        platform: Platforms = None,
        lines: bool = False,
        layout_direction: LayoutDirections = None,
    ) -> None:
        self.cells = path_of("cells", cells)
        self.rows = RowsInput(rows)
        self.variants = Variants.of(width, text_scale, scale, text_size, platform, lines, layout_direction)
        # A notebook may go on with another directory or other files; then a picture would be that of other rows.
        self._directory = os.getcwd()
        self._versions = {path: version_of(path) for path in [self.cells, *(self.rows.paths or [])]}

    def arguments(self, target: Target) -> list[str]:
        """Returns the arguments of the program, without those for its output."""
        options = [f"--cells={self.cells}", *self.variants.arguments]
        return [target.verb, *self.rows.arguments, *options, *target.arguments]

    def picture(self, row: int, variant: Mapping[str, Any]) -> Picture:
        """Returns the picture of a row.

        :param variant: The variant as the manifest describes it.
        """
        for path, version in self._versions.items():
            if version is None or version_of(os.path.join(self._directory, path)) != version:
                raise Error(f"{path} has changed since the rows were laid out; lay them out again to draw one")
        line: bytes | None = None
        if self.rows.paths is None:
            line = self.rows.line(row)
            if line is None:
                raise Error("the rows came from an iterator, which keeps none; pass a list or a file to draw rows")
        options = [f"--{option}={variant[name]}" for option, name in _OPTIONS.items() if name in variant]
        paths = ["-"] if line is not None else [os.path.join(self._directory, path) for path in self.rows.paths or []]
        cells = os.path.join(self._directory, self.cells)
        number = "0" if line is not None else str(row)
        arguments = ["inspect", *paths, "--cells", cells, *options, "--row", number, "--svg"]
        output, _ = run_program(arguments, input=line, good_codes=(0, 3))
        return Picture(output.decode())


def number_of_workers(count: object) -> int:
    """Returns the number of worker processes of a run.

    :raises WrongUse: It is none that a run can have.
    """
    if not is_integer(count) or not 1 <= count <= 1024:
        raise WrongUse(f"workers is {shortened(count)}; pass a number from 1 to 1024")
    return int(count)


_OPTIONS = {
    "width": "width",
    "text-scale": "textScale",
    "scale": "scale",
    "text-size": "textSize",
    "platform": "platform",
    "layout-direction": "layoutDirection",
}
