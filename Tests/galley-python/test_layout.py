"""Tests of layouts of rows in all forms."""

import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

import galley
from runs import contents, dicts, simple_cells

WIDTHS = [320, 390]


def test_rows_in_all_forms_give_the_same_tables(posts):
    rows = dicts()
    text = Path("posts.jsonl").read_text()
    forms = {
        "path": "posts.jsonl",
        "Path": Path("posts.jsonl"),
        "paths": ["posts.jsonl"],
        "dicts": rows,
        "iterator of dicts": iter(rows),
        "lines": text.splitlines(),
        "lines with ends": text.splitlines(keepends=True),
        "lines of bytes": text.encode().splitlines(),
        "file": open("posts.jsonl", "rb"),
        "text of bytes": text.encode(),
        "view of bytes": memoryview(text.encode()),
        "arrow": pa.Table.from_pylist([{"json": json.dumps(row)} for row in rows]).column("json").to_pylist(),
    }
    expected = contents(galley.layout("posts.jsonl", cells="posts.yaml", width=WIDTHS))
    assert len(expected["w390", "heights"]) == 5
    for name, form in forms.items():
        assert contents(galley.layout(form, cells="posts.yaml", width=WIDTHS)) == expected, name


def test_tables_of_other_libraries_are_rows(posts):
    cells = simple_cells()
    rows = [{"w": 10, "h": 20.5}, {"w": 30, "h": 40.0}]
    tables = [pa.Table.from_pylist(rows), pa.RecordBatch.from_pylist(rows), pa.table({"w": [10, 30], "h": [20.5, 40]}).to_reader()]
    for library in ("pandas", "polars"):
        module = sys.modules.get(library) or pytest.importorskip(library)
        tables.append(module.DataFrame(rows))
    for table in tables:
        assert galley.layout(table, cells=cells, width=100)["w100"].heights.column("height").to_pylist() == [20.5, 40]


def test_importing_the_package_imports_no_other_library(posts):
    code = "import sys, galley; print([n for n in ('pandas', 'polars', 'tqdm', 'rich', 'pyspark', 'ray', 'dask') if n in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_the_variants_have_the_names_of_the_program(posts):
    cells = simple_cells()
    options = {"width": "320-330/5, 390.5", "text_scale": [1, 1.35], "scale": (2, 3)}
    tables = galley.layout([{"w": 1, "h": 2}], cells=cells, **options)
    from galley._variants import Variants

    assert list(tables) == Variants.of(**options).names()
    assert (tables["w325-t1.35@3x"].width, tables["w325-t1.35@3x"].text_scale, tables["w325-t1.35@3x"].scale) == (325, 1.35, 3)
    options = {"width": [320, 390], "text_scale": [1, 1.35], "text_size": ["L", "AX1"], "layout_direction": ["ltr", "rtl"]}
    tables = galley.layout([{"w": 1, "h": 2}], cells=cells, **options)
    assert list(tables) == Variants.of([320, 390], [1, 1.35], 2, "L, AX1", layout_direction="ltr,rtl").names()
    assert list(tables)[-1] == "w390-t1.35-tAX1-rtl"
    last, plain = tables["w390-t1.35-tAX1-rtl"], galley.layout([], cells=cells, width=1)["w1"]
    assert (last.text_size, last.layout_direction) == ("AX1", "rtl")
    assert (plain.text_size, plain.layout_direction) == (None, "ltr")
    assert tables.for_width(400, text_scale=1.35, text_size="AX1", layout_direction="rtl") is last
    assert [tables.for_width(width, text_size="AX1").width for width in (-1e308, 355, 355.1, 1e308)] == [320, 320, 390, 390]


def test_bad_rows_are_errors_of_the_tables(posts):
    rows = [*dicts(), b"no json", {"cell": "Other"}, {"when": object()}, 7]
    with pytest.warns(galley.RowsWarning, match='2 of the rows.*Row 7.*field "when" is an object'):
        tables = galley.layout(rows, cells="posts.yaml", width=WIDTHS)
    assert [error.row for error in tables.errors] == [5, 6, 7, 8]
    assert [error.error.partition(": ")[0] for error in tables.errors] == ["line 6", "line 7", "line 8", "line 9"]
    assert 'cannot be written as JSON: field "when" is an object' in tables.errors[2].error
    assert all(error.variants == ("w320", "w390") for error in tables.errors)
    assert tables["w390"].heights.column("error")[7].as_py() == tables.errors[2].error
    assert tables["w390"].heights.column("height").to_pylist()[5:] == [0] * 4


@pytest.mark.parametrize(
    ("row", "message"),
    [(b"no json", "line 7: is not JSON"), ({"when": object()}, 'line 7: cannot be written as JSON: field "when" is an object')],
    ids=["no json", "no form"],
)
def test_a_bad_row_is_an_exception_if_strict(posts, row, message):
    options = {"cells": "posts.yaml", "width": 390, "strict": True}
    rows = ["\n", *dicts(), row, {"when": object()}]
    with pytest.raises(galley.BadRows, match=message):
        galley.layout(iter(rows), **options)
    with pytest.raises(galley.BadRows, match=message):
        list(galley.stream(iter(rows), **options))


@pytest.mark.parametrize("rows", [[1, 2], iter([None, None]), {3, 4}], ids=["numbers", "nothing", "set"])
def test_rows_that_are_no_dicts_are_bad_rows(posts, rows):
    with pytest.warns(galley.RowsWarning, match="Row 0 cannot be written as JSON: it is of type"):
        tables = galley.layout(rows, cells="posts.yaml", width=390)
    assert all("but a row is a dict" in error.error for error in tables.errors)
    assert len(tables.errors) == 2
