"""Tests of the errors of calls."""

import itertools
from pathlib import Path

import pytest

import galley


def test_mistakes_of_a_cells_file_have_lines_and_columns(posts):
    Path("bad.yaml").write_text("version: 1\ncells:\n  A:\n    layout:\n      type: stakc\n  B:\n    layout: {type: txt}\n")
    with pytest.raises(galley.CellsFileError) as caught:
        galley.layout("posts.jsonl", cells="bad.yaml", width=390)
    error = caught.value
    assert (error.path, error.line, error.column) == ("bad.yaml", 5, 7)
    assert error.message.startswith('cells.A.layout.type: "stakc" is not an element type')
    assert [(mistake.line, mistake.column) for mistake in error.mistakes] == [(5, 7), (7, 14)]


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({"cells": "none.yaml"}, galley.CellsFileError, "none.yaml: cannot be read"),
        ({"rows": "none.jsonl"}, galley.RowsError, "none.jsonl: cannot be read"),
        ({"rows": ["posts.jsonl", {}]}, galley.WrongUse, "has the path 'posts.jsonl' and .* only paths, or only rows"),
        ({"rows": ["", "posts.jsonl", "{}"]}, galley.WrongUse, "only paths, or only rows"),
        ({"rows": [Path("none.jsonl"), "{}"]}, galley.WrongUse, "only paths, or only rows"),
        ({"rows": ["none.jsonl", "more.jsonl"]}, galley.RowsError, "none.jsonl: cannot be read"),
        ({"rows": {}}, galley.WrongUse, "one dict"),
        ({"rows": 3}, galley.WrongUse, "rows is an int"),
        ({"rows": "-"}, galley.WrongUse, "sys.stdin.buffer"),
        ({"rows": '{"id": 1}'}, galley.WrongUse, "rows is a str with JSON"),
        ({"rows": '[{"id": 1}]'}, galley.WrongUse, "rows is a str with JSON"),
        ({"rows": "{}\n{}\n"}, galley.WrongUse, "pass rows.splitlines"),
        ({"rows": ""}, galley.WrongUse, "rows is an empty path"),
        ({"rows": "a\0"}, galley.WrongUse, "no file can have"),
        ({"rows": [b"\x1f\x8b"]}, galley.WrongUse, "gzip.open"),
        ({"width": "abc"}, galley.WrongUse, 'width has "abc", which is neither a number nor a range'),
        ({"width": True}, galley.WrongUse, "width is True"),
        ({"width": b"390"}, galley.WrongUse, "width is b'390'; pass a number"),
        ({"width": 10**400}, galley.WrongUse, "width is 1000"),
        ({"width": "nan"}, galley.WrongUse, 'width has "nan"'),
        ({"width": 1e7}, galley.WrongUse, "above 0 and below 10,000,000"),
        ({"width": itertools.count(1)}, galley.WrongUse, "more than 256"),
        ({"platform": "android"}, galley.WrongUse, "rounds to device pixels and needs their number"),
        ({"text_scale": "a"}, galley.WrongUse, 'text_scale has "a"'),
        ({"scale": [2, 101]}, galley.WrongUse, 'scale has "101"; pass a number above 0 and at most 100'),
        ({"text_size": "XL"}, galley.WrongUse, "text_size has 'XL'; the text sizes of iOS are XS, S, M, L, xL"),
        ({"text_size": 17}, galley.WrongUse, "text_size is 17; pass a text size"),
        ({"text_size": []}, galley.WrongUse, "text_size is empty"),
        ({"width": []}, galley.WrongUse, "width is empty"),
        ({"width": None}, galley.WrongUse, "width is None"),
        ({"width": -1}, galley.WrongUse, "pass a number above 0"),
        ({"workers": 0}, galley.WrongUse, "workers is 0; pass a number from 1 to 1024"),
        ({"workers": True}, galley.WrongUse, "workers is True"),
        ({"resume": True}, galley.WrongUse, "resume has no meaning without output"),
        ({"output": "-"}, galley.WrongUse, "use galley.stream"),
        ({"output": Path("./-")}, galley.WrongUse, "use galley.stream"),
        ({"output": 3}, galley.WrongUse, "output is an int"),
        ({"base": 3}, galley.WrongUse, "base is an int; pass tables, or the path of their directory"),
        ({"on_progress": 3}, galley.WrongUse, "on_progress is 3; pass a function"),
        ({"replace": True}, galley.WrongUse, "without output"),
        ({"cells": 3}, galley.WrongUse, "cells is an int"),
        ({"output": "."}, galley.Error, "exists already"),
    ],
    ids=str,
)
def test_errors_have_types_and_messages(posts, options, kind, message):
    with pytest.raises(kind, match=message):
        galley.layout(**{"rows": "posts.jsonl", "cells": "posts.yaml", "width": 390, **options})


@pytest.mark.parametrize("contents", [b"[{}]", b"PAR1", b"\x1f\x8b\x08\x00", None], ids=str)
def test_a_file_that_is_no_rows_file_is_an_error_of_the_rows(posts, contents):
    path = posts / "other"
    if contents is None:
        path.mkdir()
    else:
        path.write_bytes(contents)
    with pytest.raises(galley.RowsError, match=f"^{path}: "):
        galley.layout(path, cells="posts.yaml", width=390)
    with pytest.raises(galley.RowsError, match=f"^{path}: "):
        list(galley.stream(path, cells="posts.yaml", width=390))


def test_there_is_no_program(posts, monkeypatch):
    monkeypatch.setenv("GALLEY", "/none/galley")
    with pytest.raises(galley.ProgramNotFound, match="GALLEY is /none/galley, which is no program"):
        galley.layout("posts.jsonl", cells="posts.yaml", width=390)
    monkeypatch.delenv("GALLEY")
    monkeypatch.setenv("PATH", "/none")
    with pytest.raises(galley.ProgramNotFound, match="set GALLEY to its path"):
        galley.layout("posts.jsonl", cells="posts.yaml", width=390)


def test_another_version_of_the_program_is_a_warning(posts, monkeypatch):
    monkeypatch.setattr(galley, "__version__", "0.0.1")
    monkeypatch.setattr("galley._program._checked_versions", set())
    with pytest.warns(galley.VersionWarning, match="and the Python package has 0.0.1"):
        galley.layout("posts.jsonl", cells="posts.yaml", width=390)
