"""Tests of rows of any kind of object: each is laid out or a bad row, whatever its values do."""

import collections
import datetime
import decimal
import enum
import fractions
import itertools
import json
import random
import struct
import sys
import types
import warnings

import pyarrow as pa
import pytest

import galley
from galley._json_lines import NotJSON, line_of
from galley._rows import RowsInput

GOOD = {"cell": "A", "w": 10, "h": 20}


@pytest.fixture
def cells(tmp_path) -> str:
    path = tmp_path / "cells.yaml"
    path.write_text('version: 1\ncells:\n  A:\n    layout: {type: node, id: box, calculatedSize: ["{w}", "{h}"]}\n')
    return str(path)


def heights(rows, cells: str) -> tuple[list, list]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", galley.RowsWarning)
        tables = galley.layout(rows, cells=cells, width=100, workers=1)
    return tables["w100"].heights["height"].to_pylist(), [error.row for error in tables.errors]


class Raising:
    """An object of which everything that a conversion may use fails."""

    def __init__(self, error: type[Exception]) -> None:
        self._error = error

    def tolist(self) -> object:
        raise self._error("no list")

    def __repr__(self) -> str:
        raise self._error("no text")


class RaisingMapping(collections.UserDict):
    def __iter__(self):
        raise RuntimeError("the connection is closed")


class RaisingKey:
    def __str__(self) -> str:
        raise LookupError


class Itself:
    def tolist(self) -> object:
        return self


class Kind(enum.Enum):
    ITSELF = object()


def odd_values() -> list:
    """Values that json does not know, or that fail when they are converted."""
    contained: dict = {}
    contained["self"] = [contained]
    deep: list = []
    for _ in range(5000):
        deep = [deep]
    numpy = pytest.importorskip("numpy")
    return [
        *(10**5000, -(10**5000), {"n": [10**5000]}, decimal.Decimal("1e999999999"), decimal.Decimal("sNaN"), fractions.Fraction(1, 3)),
        *(Raising(ValueError), Raising(TypeError), Raising(RecursionError), {Raising(KeyError)}, {"a", 1, Raising(OSError)}),
        *(RaisingMapping(a=1), {RaisingKey(): 1}, {None: 1, True: 2, 3: 4, (5, 6): 7, 8.5: 9, b"k": 10}, Itself(), Kind.ITSELF),
        *(contained, deep, range(10**30), range(10**9), itertools.count(), (value for value in [1]), lambda: 1, int, types, Ellipsis),
        *(b"bytes", bytearray(b"b"), memoryview(b"m"), 1j, datetime.timedelta(1), datetime.timezone.utc, "\ud800", "\x00", {"\udfff": 1}),
        *(numpy.int64(3), numpy.float32(0.5), numpy.float16("inf"), numpy.longdouble(1.5), numpy.bool_(True), numpy.str_("s")),
        *(numpy.bytes_(b"b"), numpy.datetime64("2026-11-23"), numpy.datetime64("NaT"), numpy.timedelta64(1, "ns"), numpy.complex64(1)),
        *(numpy.array([1, 2]), numpy.array(3), numpy.array(["2026", "NaT"], "datetime64[ns]"), numpy.void(b"v"), numpy.ma.masked),
        *(numpy.broadcast_to(numpy.int8(1), (10**6, 10**6)), numpy.array([None, object()], dtype=object), pa.scalar(1), pa.array([1])),
    ]


def random_value(numbers: random.Random, odd: list, depth: int = 0) -> object:
    kind = numbers.randrange(7 if depth < 3 else 4)
    if kind < 2:
        return numbers.choice([None, True, 0, -1.5, float("nan"), float("inf"), "text", "a\nb", "", 2**70])
    if kind < 4:
        return numbers.choice(odd)
    count = numbers.randrange(4)
    if kind == 4:
        return [random_value(numbers, odd, depth + 1) for _ in range(count)]
    if kind == 5:
        return tuple(random_value(numbers, odd, depth + 1) for _ in range(count))
    return {numbers.choice(["a", "b", 1, None, 2.5]): random_value(numbers, odd, depth + 1) for _ in range(count)}


@pytest.mark.parametrize("seed", range(3))
def test_any_object_becomes_a_line_or_has_no_json_form(seed):
    numbers, odd = random.Random(seed), odd_values()
    for value in [*odd, *(random_value(numbers, odd) for _ in range(400))]:
        for row in (value, {**GOOD, "extra": value}):
            try:
                line = line_of(row)
            except NotJSON as error:
                assert str(error)
            else:
                assert b"\n" not in line
                json.loads(line)


def test_any_object_is_laid_out_or_a_bad_row_and_others_are_not_affected(cells):
    numbers, odd = random.Random(5), odd_values()
    values = [value for value in odd if not isinstance(value, (bytes, bytearray, memoryview, str))]
    values += [[random_value(numbers, odd)] for _ in range(40)]
    rows = list(itertools.chain.from_iterable((value, {**GOOD, "id": index, "extra": value}, GOOD) for index, value in enumerate(values)))
    found, bad = heights(rows, cells)
    assert len(found) == len(rows)
    assert found[2::3] == [20] * len(values)
    assert set(range(0, len(rows), 3)) <= set(bad) and not set(bad) & set(range(2, len(rows), 3))
    assert all((height == 0) == (row in bad) for row, height in enumerate(found))


def test_a_number_that_python_does_not_write_is_a_bad_row_that_names_its_field(cells):
    with pytest.warns(galley.RowsWarning, match='Row 1 cannot be written as JSON: field "likes.0" is a number with more digits'):
        tables = galley.layout([GOOD, {**GOOD, "likes": [10**5000]}], cells=cells, width=100, workers=1)
    assert [error.row for error in tables.errors] == [1]
    with galley.Pool(workers=1) as pool, pytest.warns(galley.RowsWarning):
        assert pool.layout([GOOD, {"likes": 10**5000}], cells=cells, width=100).errors[0].row == 1


def test_a_row_of_a_table_whose_conversion_fails_is_a_bad_row(cells):
    polars = pytest.importorskip("polars")
    dates = pa.table({"cell": ["A"] * 3, "w": [10] * 3, "h": [20] * 3, "date": pa.array([0, 3_000_000, 1], pa.date32())})
    broken = pa.StringArray.from_buffers(2, pa.py_buffer(struct.pack("iii", 0, 1, 2)), pa.py_buffer(b"a\xff"))
    texts = pa.table({"cell": ["A"] * 2, "w": [10] * 2, "h": [20] * 2, "text": broken})
    for rows, expected in (
        (dates, ([20, 0, 20], [1])),
        (polars.from_arrow(dates), ([20, 0, 20], [1])),
        (pa.RecordBatchReader.from_batches(dates.schema, dates.to_batches()), ([20, 0, 20], [1])),
        (texts, ([20, 0], [1])),
    ):
        assert heights(rows, cells) == expected
    with pytest.warns(galley.RowsWarning, match='Row 1 cannot be written as JSON: field "date": OverflowError: date'):
        galley.layout(dates, cells=cells, width=100, workers=1)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("numpy.float16(1.5)", 1.5),
        ("numpy.longdouble(0.25)", 0.25),
        ("numpy.bool_(False)", False),
        ("numpy.str_('s')", "s"),
        ("numpy.uint64(2**64 - 1)", 2**64 - 1),
        ("numpy.datetime64('2026-11-23')", "2026-11-23"),
        ("numpy.datetime64('2026-11-23T09:05:00')", "2026-11-23T09:05:00"),
        ("numpy.datetime64('2026-11-23T09:05:00.123456789')", "2026-11-23T09:05:00.123456789"),
        ("numpy.array(['2026-11-23', 'NaT'], 'datetime64[ns]')", ["2026-11-23T00:00:00.000000000", None]),
        ("numpy.timedelta64('NaT')", None),
        ("numpy.array([[1, 2], [3, 4]])", [[1, 2], [3, 4]]),
    ],
)
def test_scalars_and_arrays_of_numpy_become_what_they_hold(value, expected):
    numpy = pytest.importorskip("numpy")
    assert json.loads(line_of({"v": eval(value, {"numpy": numpy})})) == {"v": expected}  # noqa: S307


def test_scalars_and_arrays_of_arrow_have_the_json_of_their_columns():
    short = pa.float32()
    for value, expected in (
        (pa.scalar(4.99, short), 4.99),
        (pa.scalar([4.99], pa.list_(short)), [4.99]),
        (pa.scalar({"a": 4.99}, pa.struct({"a": short})), {"a": 4.99}),
        (pa.scalar([("a", 4.99)], pa.map_(pa.string(), short)), {"a": 4.99}),
        (pa.array([4.99, None], short), [4.99, None]),
        (pa.scalar(None, short), None),
        (pa.scalar(4.99), 4.99),
    ):
        assert json.loads(line_of({"v": value})) == {"v": expected}


def test_columns_of_other_libraries_are_rows(cells):
    numpy, pandas, polars = (pytest.importorskip(name) for name in ("numpy", "pandas", "polars"))
    lines = [json.dumps(GOOD), json.dumps({**GOOD, "h": 40})]
    dicts = [GOOD, {**GOOD, "h": 40}]
    columns = [pandas.Series(lines), pandas.Series(dicts), polars.Series(lines), polars.Series(dicts)]
    columns += [numpy.array(lines), numpy.array(dicts), numpy.array(lines, dtype="S")]
    columns += [pa.array(lines), pa.array(dicts), pa.chunked_array([lines[:1], lines[1:]])]
    for column in columns:
        assert heights(column, cells) == ([20, 40], []), type(column)
    assert heights(pandas.Series([lines[0], None, lines[1]]), cells) == ([20, 0, 40], [1])


def test_tables_of_a_class_of_the_caller_are_rows(cells):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    dicts = [{**GOOD, "any": "a"}, {**GOOD, "h": 40, "any": 1}]
    for table in (pandas.DataFrame, polars.DataFrame, pandas.Series):
        kind = type("Own", (table,), {"__module__": "own"})
        options = {"strict": False} if table is polars.DataFrame else {}
        assert heights(kind(dicts, **options), cells) == ([20, 40], []), table


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["", json.dumps(GOOD)], ([20], [])),
        (["\n", json.dumps(GOOD) + "\n"], ([20], [])),
        (["no json", json.dumps(GOOD)], ([0, 20], [0])),
        (["no json\n"], ([0], [0])),
        (["", " \n"], ([], [])),
    ],
    ids=repr,
)
def test_a_line_of_a_list_may_be_blank_or_no_json_wherever_it_is(cells, rows, expected):
    assert heights(rows, cells) == expected


def test_a_picture_is_that_of_the_row_beside_blank_lines_and_items_of_several_lines(cells):
    def layout(rows) -> galley.Variant:
        return galley.layout(rows, cells=cells, width=100, workers=1)["w100"]

    dicts = [{**GOOD, "h": height} for height in range(1, 5)]
    lines = [*map(json.dumps, dicts), "no json"]
    expected = [layout([line.encode()]).picture().svg for line in lines]
    for items in (
        ["", lines[0], f"{lines[1]}\n{lines[2]}\n", *lines[3:]],
        [lines[0].encode(), "\n", *lines[1:3], dicts[3], lines[4]],
        pa.array([f"\n{lines[0]}\n{lines[1]}", "", *lines[2:]]),
        lines,
    ):
        variant = layout(items)
        assert [variant.picture(row).svg for row in range(5)] == expected


def test_a_byte_order_mark_on_a_line_of_its_own_is_no_row(cells):
    rows = [b"\xef\xbb\xbf", GOOD, {**GOOD, "h": b"20"}, GOOD]
    assert heights(iter(rows), cells) == ([20, 0, 20], [1])
    tables = galley.layout(rows[:2], cells=cells, width=100, workers=1)
    assert tables["w100"].picture(0).svg == galley.layout([GOOD], cells=cells, width=100, workers=1)["w100"].picture(0).svg


def test_a_null_id_is_the_number_of_the_row(cells):
    ids = [None, float("nan"), "x", 7]
    tables = galley.layout([{**GOOD, "id": id} for id in ids], cells=cells, width=100, workers=1)
    assert tables["w100"].heights["id"].to_pylist() == ["0", "1", "x", "7"]


def test_a_lone_surrogate_is_laid_out_as_the_replacement_character(cells):
    tables = galley.layout([{**GOOD, "id": "a\ud800"}], cells=cells, width=100, workers=1)
    assert tables["w100"].heights.select(["id", "height", "error"]).to_pylist() == [{"id": "a\ufffd", "height": 20, "error": None}]


def test_the_limit_of_digits_of_this_interpreter_counts():
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        assert len(line_of({"n": 10**5000})) > 5000
    finally:
        sys.set_int_max_str_digits(limit)


def test_columns_of_one_name_are_refused(posts):
    table = pa.table([["PostCell"], ["a"], ["b"]], names=["cell", "v", "v"])
    for rows in (table, table.to_batches()[0], table.to_reader()):
        with pytest.raises(galley.WrongUse, match='^two columns of the rows have the name "v"; give one of them another name$'):
            galley.layout(rows, cells="posts.yaml", width=390)


def test_columns_whose_names_are_one_text_are_refused():
    pandas = pytest.importorskip("pandas")
    for names, text in (((0, "0"), "0"), ((True, "true"), "true"), ((None, "null"), "null"), ((True, 1), "true")):
        with pytest.raises(galley.WrongUse, match=f'^two columns of the rows have the name "{text}"'):
            RowsInput(pandas.DataFrame([[1, 2]], columns=pandas.Index(names, dtype=object)))
