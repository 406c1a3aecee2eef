"""The messages of the program in the words of Python: parameters instead of options."""

from __future__ import annotations

import re

_PARAMETERS = {
    "connect": "the endpoint",
    "force": "replace=True",
    "lines": "lines=True",
    "resume": "resume=True",
    "strict": "strict=True",
    "no-arrangement": "arrangement=False",
} | {
    name: name.replace("-", "_")
    for name in (
        *("width", "text-scale", "scale", "text-size", "cells", "output", "base", "workers", "priority", "keys", "columns"),
        *("spacing", "line-spacing", "inset", "headers", "headers-from", "waterfall"),
        *("wrap", "justify", "content-margins", "footers", "pin-headers", "inverted", "horizontal", "right-to-left"),
        *("anchor", "offset", "viewport", "direction", "mode", "display", "preload", "leading-screens-for-batching"),
        *("format", "row"),
    )
}
"""The parameters of the options that the package passes to the program."""

_PHRASES = [
    # The usage of the command line follows an error of use.
    (re.compile(r"\n(?:Help|Usage):.*", re.DOTALL), ""),
    (re.compile(r"^Error: "), ""),
    (re.compile(r"^The value '(.*?)' is invalid for '--([a-z-]+)[^']*'", re.DOTALL), r"--\2 is '\1'"),
    (re.compile(r"^(?:Missing value for|Missing expected argument) '--([a-z-]+)[^']*'"), r"--\1 is empty"),
    (re.compile(r", or wait for it with --wait$"), ""),
    (re.compile(r"\bgalley layout --output has written"), "galley.layout has written with output"),
    (re.compile(r"\bgive it to --cells, and rows before it"), "pass it as cells, and rows as the first argument"),
    (re.compile(r"--columns heights\b"), 'columns="heights"'),
    (re.compile(r"--width ([0-9.]+(?:,[0-9.]+)*)"), r"width=[\1]"),
    # Rows that were not passed as a file come by standard input.
    (re.compile(r"^standard input:(\d+): "), r"line \1: "),
    (re.compile(r"^standard input: "), "rows: "),
    (re.compile(r"\bconvert it: jq -c '\.\[\]' (?:FILE|'(.*)'|(.*)) > rows\.jsonl"), "pass the list that json.load returns"),
    (
        re.compile(r"""\bconvert it: python3 -c "import polars; polars\.(\w+)\('(.*?)'\)\.write_ndjson\('rows\.jsonl'\)\""""),
        r"pass polars.\1('\2')",
    ),
]

_OPTION = re.compile(r"(?<![\w/.-])(galley coordinator )?--([a-z][a-z-]*)(?![\w-])")


def in_python(message: str) -> str:
    """Returns a message of the program with the names of parameters where it names options.

    Options of commands that the caller runs, such as ``galley coordinator --listen``, stay.
    """
    for phrase, replacement in _PHRASES:
        message = phrase.sub(replacement, message)
    return _OPTION.sub(lambda option: option[0] if option[1] else _PARAMETERS.get(option[2], option[0]), message)
