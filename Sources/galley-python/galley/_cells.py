"""The state of a cells file and its fonts, by which a kept process is recognized as outdated."""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Iterator
from pathlib import Path

from ._paths import state_of

# A quotation mark within a word is an apostrophe.
_QUOTED = re.compile(r"""(?<![^\s:,\[{-])(?:"((?:[^"\\\n]|\\.)+)"|'((?:[^'\n]|'')+)')""")
# An anchor or a tag can precede a text.
_PLAIN = re.compile(r"""[:-](?=\s+(?:[&!]\S*\s+)*([^"'\s][^\n]*))""")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))")
_END_OF_PLAIN = re.compile(r"[,}\]]|[ \t]+#|[ \t]*$")

_PACK_MARK = b"\x89GLY"
"""The first bytes of a pack, which ``galley pack`` writes."""

_FONT_DIRECTORIES = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")
"""The directories of fonts where fontconfig cannot be asked."""


class CellsState:
    """What a process has read of a cells file: the file itself, its files, and the fonts of the machine."""

    def __init__(self, cells: str) -> None:
        self._files = {cells: state_of(cells)}
        if _is_pack(cells):
            return  # It has its fonts in it.
        for path in _files_of(cells):
            self._files[path] = state_of(path)
        # A font that is installed or upgraded changes the time of its directory.
        for root in _font_directories():
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


def _files_of(cells: str) -> Iterator[str]:
    """Returns the files that a cells file names, such as fonts and hyphenation dictionaries.

    A text that is the path of a file by chance does no harm: the file is observed too.
    """
    try:
        text = Path(cells).read_text("utf-8", "replace")
    except OSError:
        return  # The program reports it.
    for name in set(_scalars(text)):
        path = os.path.join(os.path.dirname(cells), name)
        if "\0" not in path and os.path.isfile(path):
            yield path


def _scalars(text: str) -> Iterator[str]:
    """Returns what can be a text in YAML or JSON."""
    for double, single in _QUOTED.findall(text):
        yield _ESCAPE.sub(_unescaped, double) or single.replace("''", "'")
    for rest in _PLAIN.findall(text):
        # A comma or a bracket ends a text only within brackets.
        for end in _END_OF_PLAIN.finditer(rest):
            yield rest[: end.start()].strip()


def _unescaped(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2] or escape[3]
    return escape[4] if code is None else chr(min(int(code, 16), 0x10FFFF))


def _font_directories() -> list[str]:
    """Returns the directories in which fontconfig looks for fonts, and those of its caches.

    A font that is written in place is found only after fontconfig has written its cache.
    """
    try:
        fontconfig = ctypes.CDLL("libfontconfig.so.1")
    except OSError:
        return list(_FONT_DIRECTORIES)
    for function in (fontconfig.FcInitLoadConfig, fontconfig.FcConfigGetFontDirs, fontconfig.FcConfigGetCacheDirs):
        function.restype = ctypes.c_void_p
    fontconfig.FcStrListNext.restype = ctypes.c_char_p
    directories: list[str] = []
    config = ctypes.c_void_p(fontconfig.FcInitLoadConfig())
    if not config:
        return list(_FONT_DIRECTORIES)
    for function in (fontconfig.FcConfigGetFontDirs, fontconfig.FcConfigGetCacheDirs):
        names = ctypes.c_void_p(function(config))
        while names and (name := fontconfig.FcStrListNext(names)) is not None:
            directories.append(os.fsdecode(name))
        if names:
            fontconfig.FcStrListDone(names)
    fontconfig.FcConfigDestroy(config)
    return directories
