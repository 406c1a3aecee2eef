"""Rows, cells, tables and processes of the runs in tests."""

import json
import os
import time
from pathlib import Path

import galley


def dicts() -> list:
    return [json.loads(line) for line in open("posts.jsonl", encoding="utf-8")]


def simple_cells() -> str:
    Path("simple.yaml").write_text(
        "version: 1\nfonts:\n  body: {family: Inter, size: 15, lineHeight: 20}\n"
        'cells:\n  A:\n    layout: {type: node, id: box, calculatedSize: ["{w}", "{h}"]}\n'
    )
    return "simple.yaml"


def contents(tables: galley.Tables) -> dict:
    return {
        (name, table): getattr(variant, table).to_pylist()
        for name, variant in tables.items()
        for table in ("heights", "frames", "resources")
    }


def processes_of(text: object) -> dict[int, bytes]:
    """The command lines of the other processes that have a text, such as a directory, by their numbers."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes()
        except OSError:
            continue
        if str(text).encode() in command and path.parent.name != str(os.getpid()):
            found[int(path.parent.name)] = command
    return found


def wait_until(condition, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)
