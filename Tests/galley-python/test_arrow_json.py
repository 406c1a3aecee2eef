"""Tests of columns of Arrow as JSON, against the JSON of each row."""

import datetime
import decimal
import json
import math
import random
import struct

import pyarrow as pa
import pytest

import galley
from galley._arrow_json import objects_of
from galley._json_lines import line_of, shortest
from galley._rows import RowsInput

TEXTS = ["", "a", 'say "hi"', "back\\slash", "line\nend\r\t", "\x00\x1f\x7f", "é 👏 \u2028", '\\"', "\\u0041"]


def random_type(numbers: random.Random, depth: int) -> pa.DataType:
    plain = [
        pa.string(), pa.large_string(), pa.int8(), pa.int64(), pa.uint64(), pa.float32(), pa.float64(), pa.bool_(),
        pa.decimal128(10, 2), pa.date32(), pa.timestamp("us"), pa.timestamp("ms", "UTC"), pa.null(),
        pa.dictionary(pa.int32(), pa.string()),
    ]  # fmt: skip
    kind = numbers.randrange(5) if depth < 3 else 4
    if kind == 0:
        return pa.struct([(f"f{index}", random_type(numbers, depth + 1)) for index in range(numbers.randrange(4))])
    if kind == 1:
        make = numbers.choice([pa.list_, pa.large_list, lambda items: pa.list_(items, 2)])
        return make(random_type(numbers, depth + 1))
    if kind == 2:
        return pa.map_(numbers.choice([pa.string(), pa.int32()]), random_type(numbers, depth + 1))
    return numbers.choice(plain)


def random_value(numbers: random.Random, kind: pa.DataType) -> object:
    if numbers.random() < 0.25:
        return None
    if pa.types.is_struct(kind):
        return {field.name: random_value(numbers, field.type) for field in kind}
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return [random_value(numbers, kind.value_type) for _ in range(numbers.randrange(4))]
    if pa.types.is_fixed_size_list(kind):
        return [random_value(numbers, kind.value_type) for _ in range(kind.list_size)]
    if pa.types.is_map(kind):
        keys = numbers.sample(TEXTS if kind.key_type == pa.string() else range(9), numbers.randrange(4))
        return [(key, random_value(numbers, kind.item_type)) for key in keys]
    if pa.types.is_integer(kind):
        return numbers.choice([0, 1, 127] if pa.types.is_unsigned_integer(kind) else [0, 1, -1, 127])
    if pa.types.is_floating(kind):
        return numbers.choice([0.0, -0.5, 1e20, 1.5e-7, float("nan"), float("inf"), float("-inf"), 1 / 3])
    if pa.types.is_boolean(kind):
        return numbers.random() < 0.5
    if pa.types.is_decimal(kind):
        return numbers.choice([decimal.Decimal("1.50"), decimal.Decimal("-3"), decimal.Decimal("0.01")])
    if pa.types.is_date(kind):
        return datetime.date(2026, 1, numbers.randrange(1, 29))
    if pa.types.is_timestamp(kind):
        zone = datetime.timezone.utc if kind.tz else None
        return datetime.datetime(2026, 1, 2, 3, 4, 5, numbers.choice([0, 6000]), zone)
    return None if pa.types.is_null(kind) else numbers.choice(TEXTS)


def model(value: object, kind: pa.DataType) -> object:
    """Returns what a value of Arrow is in JSON: without members that are null."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if value is None:
        return None
    if pa.types.is_struct(kind):
        members = {field.name: model(value[field.name], field.type) for field in kind}
        return {name: member for name, member in members.items() if member is not None}
    if pa.types.is_map(kind):
        return {str(key): model(item, kind.item_type) for key, item in value}
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return [model(item, kind.value_type) for item in value]
    return parsed(line_of(shortest(value, 4) if pa.types.is_float32(kind) else value))


def parsed(line: str | bytes) -> object:
    """Returns JSON with the texts of its numbers, which cells can show."""
    return json.loads(line, parse_float=str, parse_int=str)


@pytest.mark.parametrize("seed", range(60))
def test_rows_of_any_type_are_the_json_of_each_row(seed):
    numbers = random.Random(seed)
    kind = pa.struct([(name, random_type(numbers, 0)) for name in ["a", 'b"', "c.d"][: numbers.randrange(1, 4)]])
    rows = [random_value(numbers, kind) or {} for _ in range(numbers.randrange(1, 12))]
    array = pa.array(rows, kind)
    batch = pa.RecordBatch.from_struct_array(array)
    start = numbers.randrange(len(rows))
    for part in (batch, batch.slice(start, numbers.randrange(1, 5))):
        found = objects_of(part).to_pylist()
        assert len(found) == part.num_rows
        for text, row in zip(found, part.to_pylist()):
            assert "\n" not in text
            assert parsed(text) == model(row, kind)


@pytest.mark.parametrize(
    "values",
    [
        pa.array([100000.0, 1e15, 1e16, 1e-5, -0.0, 5e-324, float("inf")]),
        pa.array([0.1, 3, 1e10], pa.float32()),
        pa.array([[("a", {"b": [("c", 1)]})], []], pa.map_(pa.string(), pa.struct([("b", pa.map_(pa.string(), pa.int8()))]))),
        pa.array([[[("a", "x")], []]], pa.list_(pa.map_(pa.string(), pa.string()))),
        pa.array([[(datetime.datetime(2026, 1, 2), 1)]], pa.map_(pa.timestamp("s"), pa.int8())),
        pa.array([[(1.0, "a"), (float("nan"), "b"), (float("inf"), "c")]], pa.map_(pa.float64(), pa.string())),
        pa.array([b"0123456789abcdef"], pa.uuid()),
        pa.ExtensionArray.from_storage(pa.bool8(), pa.array([0, 1], pa.int8())),
    ],
    ids=lambda values: str(values.type),
)
def test_values_are_those_of_rows_of_other_tables(values):
    batch = pa.record_batch({"v": values})
    assert [line.decode() for line in RowsInput(batch).lines()] == objects_of(batch).to_pylist()


def test_numbers_of_32_bits_have_the_digits_that_they_were_written_with():
    numpy, pandas, polars = (pytest.importorskip(name) for name in ("numpy", "pandas", "polars"))
    numbers, line = pa.array([4.99, None, 16777216.0], pa.float32()), b'{"x":4.99,"l":[{"y":4.99}]}'
    table = pa.table({"x": numbers, "l": pa.array([[{"y": 4.99}]] * 3, pa.list_(pa.struct([("y", pa.float32())])))})
    arrow = table.to_pandas(types_mapper=pandas.ArrowDtype)
    for rows in (table, polars.from_arrow(table), arrow, objects_of(table.to_batches()[0]).to_pylist()):
        lines = list(RowsInput(rows).lines())
        assert lines[0] == line and b'"x":16777216.0,' in lines[2], type(rows)
    assert list(RowsInput(table.to_pandas()[["x"]]).lines())[0] == b'{"x":4.99}'
    assert list(RowsInput(polars.from_arrow(table)["l"][0]).lines()) == [b'{"y":4.99}']
    column = table.to_pandas()[["x"]]
    for kind in ("category", "Sparse[float32]"):
        assert list(RowsInput(column.astype(kind)).lines())[:2] == [b'{"x":4.99}', b'{"x":null}'], kind
    assert line_of([numpy.float32(4.99), numpy.array([4.99], "float16")]) == b"[4.99,[4.99]]"


@pytest.mark.parametrize("form", ["<e", "<f"])
def test_numbers_with_few_digits_are_the_stored_numbers(form):
    numbers, size = random.Random(1), struct.calcsize(form)
    for _ in range(20_000):
        (value,) = struct.unpack(form, numbers.randbytes(size))
        found = shortest(value, size)
        assert struct.pack(form, found) == struct.pack(form, value) and (value != value or len(repr(found)) <= len(repr(value)))


def test_intervals_are_durations_without_json():
    table = pa.table({"id": ["a"], "i": pa.array([pa.MonthDayNano([0, 1, 0])], pa.month_day_nano_interval())})
    rows = RowsInput(table)
    assert list(rows.lines()) == [b"null"]
    assert 'field "i": an interval has no JSON form' in rows.unwritable[0]
    with pytest.raises(galley.WrongUse, match='column "i" .*an interval has no JSON form'):
        objects_of(table.to_batches()[0])


def test_maps_of_a_column_of_pandas_are_objects():
    pandas = pytest.importorskip("pandas")
    values = pa.array([{"m": [("k", 1)]}], pa.struct([("m", pa.map_(pa.string(), pa.int8()))]))
    assert list(RowsInput(pandas.Series(values, dtype=pandas.ArrowDtype(values.type))).lines()) == [b'{"m":{"k":1}}']


def test_maps_of_pandas_are_objects():
    pandas = pytest.importorskip("pandas")
    maps = pa.table({"a": pa.array([[("x", 1)], None], pa.map_(pa.string(), pa.int8())), "b": [1, 2]})
    frame = maps.to_pandas(types_mapper=pandas.ArrowDtype)
    assert list(RowsInput(frame).lines()) == [b'{"a":{"x":1},"b":1}', b'{"a":null,"b":2}']


def test_maps_of_polars_are_objects():
    polars = pytest.importorskip("polars")
    maps = pa.array([[("id", 4.99)], None, [("ab", 1.0)]], pa.map_(pa.string(), pa.float32()))
    table = pa.table({"m": maps, "s": pa.array([{"m": value} for value in maps.to_pylist()], pa.struct([("m", maps.type)]))})
    lines = list(RowsInput(table).lines())
    assert lines[0] == b'{"m":{"id":4.99},"s":{"m":{"id":4.99}}}'
    assert list(RowsInput(polars.from_arrow(table)).lines()) == lines


def test_a_value_that_pandas_lacks_is_no_other_kind_of_mistake():
    pandas = pytest.importorskip("pandas")
    kinds = pa.struct([("y", pa.float32())]), pa.map_(pa.string(), pa.float32()), pa.month_day_nano_interval()
    for kind in kinds:
        rows = RowsInput(pandas.Series(pa.array([None], kind), dtype=pandas.ArrowDtype(kind)))
        assert list(rows.lines()) == [b"null"] and "but a row is a dict" in rows.unwritable[0]


def test_maps_in_runs_are_objects():
    maps = pa.array([[("a", 1)], [("b", 2)]], pa.map_(pa.string(), pa.int8()))
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([1, 3], pa.int32()), maps)
    assert objects_of(pa.RecordBatch.from_arrays([runs], ["m"])).to_pylist() == ['{"m":{"a":1}}'] + ['{"m":{"b":2}}'] * 2


def test_children_that_are_longer_than_their_struct_are_cut():
    children = pa.array(["a", "b", "c"])
    struct = pa.Array.from_buffers(pa.struct([("x", pa.string())]), 2, [None], children=[children])
    assert objects_of(pa.RecordBatch.from_arrays([struct], ["s"])).to_pylist() == ['{"s":{"x":"a"}}', '{"s":{"x":"b"}}']


def test_maps_in_lists_of_a_fixed_size_are_objects():
    kind = pa.list_(pa.map_(pa.string(), pa.int32()), 2)
    batch = pa.RecordBatch.from_pydict({"m": pa.array([[[("a", 1)], None], None, [[], [("b", 2)]]], kind)})
    assert objects_of(batch).to_pylist() == ['{"m":[{"a":1},null]}', "{}", '{"m":[{},{"b":2}]}']
    assert objects_of(batch.slice(2)).to_pylist() == ['{"m":[{},{"b":2}]}']


@pytest.mark.parametrize("items", [pa.null(), pa.struct([("n", pa.null())]), pa.list_(pa.null(), 2), pa.list_(pa.null(), 0)], ids=str)
def test_lists_of_a_fixed_size_can_have_nulls_alone(items):
    item = {"n": None} if pa.types.is_struct(items) else None if pa.types.is_null(items) else [None] * items.list_size
    batch = pa.RecordBatch.from_pydict({"x": pa.array([[item, None], None, [item, item]], pa.list_(items, 2))})
    for part in (batch, batch.slice(1), batch.slice(2)):
        assert list(map(parsed, objects_of(part).to_pylist())) == [model(row, pa.struct(list(part.schema))) for row in part.to_pylist()]


@pytest.mark.parametrize(
    ("key", "name"),
    [
        (datetime.date(2026, 1, 2), '"2026-01-02"'),
        (decimal.Decimal("1.50"), '"1.5"'),
        (True, '"true"'),
        (float("nan"), '"nan"'),
        (float("inf"), '"inf"'),
        ({"x": "a"}, '"{\\"x\\":\\"a\\"}"'),
    ],
    ids=str,
)
def test_keys_of_a_map_are_texts(key, name):
    maps = pa.array([[(key, 1)], None, []], pa.map_(pa.scalar(key).type, pa.int8()))
    assert objects_of(pa.RecordBatch.from_arrays([maps], ["m"])).to_pylist() == [f'{{"m":{{{name}:1}}}}', "{}", '{"m":{}}']


@pytest.mark.parametrize(("shape", "value"), [([2, 2], [[1.1, 1.1], [1.1, 1.1]]), ([2, 0], [[], []]), ([3], [1.1, 1.1, 1.1])], ids=str)
def test_tensors_are_nested_lists_by_their_shape(shape, value):
    kind = pa.fixed_shape_tensor(pa.float32(), shape)
    items = pa.array([[1.1] * math.prod(shape), None], kind.storage_type)
    batch = pa.RecordBatch.from_arrays([pa.ExtensionArray.from_storage(kind, items)], ["t"])
    assert [json.loads(row) for row in objects_of(batch).to_pylist()] == [{"t": value}, {}]
    assert json.loads(next(RowsInput(batch).lines())) == {"t": value}


def test_tensors_whose_dimensions_are_permuted_are_refused():
    kind = pa.fixed_shape_tensor(pa.int8(), [1, 2], permutation=[1, 0])
    tensors = pa.ExtensionArray.from_storage(kind, pa.array([[1, 2]], kind.storage_type))
    with pytest.raises(galley.WrongUse, match='column "t" .*: a tensor with a permutation has no JSON form; convert it to lists'):
        objects_of(pa.RecordBatch.from_arrays([tensors], ["t"]))


def test_two_members_of_one_name_are_refused():
    struct = pa.StructArray.from_arrays([pa.array([1]), pa.array([2])], ["x", "x"])
    batch = pa.RecordBatch.from_pydict({"a": pa.array([7]), "s": pa.StructArray.from_arrays([struct], ["t"])})
    with pytest.raises(galley.WrongUse, match='column "s.t" has two members of the name "x"; give one of them another name'):
        objects_of(batch)


def test_a_dictionary_has_values_of_any_type():
    values = pa.array([[("a", 1)], []], pa.map_(pa.dictionary(pa.int8(), pa.string()), pa.int8()))
    shared = pa.DictionaryArray.from_arrays(pa.array([1, 0, None]), pa.array([{"x": values[0]}, {"x": values[1]}]))
    assert objects_of(pa.RecordBatch.from_arrays([shared], ["d"])).to_pylist() == ['{"d":{"x":{}}}', '{"d":{"x":{"a":1}}}', "{}"]


@pytest.mark.parametrize(
    ("value", "column"),
    [
        (b"\x00", "photo"),
        ([b"\x00"], "photo"),
        ({"small": [{"data": b"\x00"}]}, "photo.small.data"),
    ],
    ids=str,
)
def test_a_type_without_a_json_form_is_refused_with_its_column(value, column):
    batch = pa.RecordBatch.from_pydict({"id": pa.array(["a"]), "photo": pa.array([value])})
    with pytest.raises(galley.WrongUse) as caught:
        objects_of(batch)
    reason = "it is a bytes, which has no JSON form; convert it to text or numbers"
    assert str(caught.value) == f'column "{column}" has values of type binary: {reason}'
