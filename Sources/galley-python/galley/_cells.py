"""The state of a cells file and its fonts, by which a kept process is recognized as outdated."""

from __future__ import annotations

import os
import re
from pathlib import Path

from ._paths import state_of

_FONT_FILE = re.compile(r"""["']?file["']?\s*:\s*(?:"([^"]+)"|'([^']+)'|([^,}\n#]+))""")
"""A font file in YAML or JSON. Other keys with this name do no harm: their files are observed too."""

_PACK_MARK = b"\x89GLY"
"""The first bytes of a pack, which ``galley pack`` writes."""

_FONT_DIRECTORIES = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")


class CellsState:
    """What a process has read of a cells file: the file itself, its font files, and the fonts of the machine."""

    def __init__(self, cells: str) -> None:
        self._files = {cells: state_of(cells)}
        if _is_pack(cells):
            return  # It has its fonts in it.
        for path in _font_files(cells):
            self._files[path] = state_of(path)
        # A font that is installed or upgraded changes the time of its directory.
        for root in _FONT_DIRECTORIES:
            for directory, _, _ in os.walk(os.path.expanduser(root)):
                self._files[directory] = state_of(directory)

    def is_current(self) -> bool:
        """Returns whether all files are as they were."""
        return all(state_of(path) == state for path, state in self._files.items())


def _is_pack(cells: str) -> bool:
    try:
        with open(cells, "rb") as file:
            return file.read(len(_PACK_MARK)) == _PACK_MARK
    except OSError:
        return False  # The program reports it.


def _font_files(cells: str) -> list[str]:
    try:
        text = Path(cells).read_text("utf-8", "replace")
    except OSError:
        return []  # The program reports it.
    names = ("".join(match).strip() for match in _FONT_FILE.findall(text))
    return [os.path.join(os.path.dirname(cells), name) for name in names]
