"""Tests of rows of Python as lines of JSON."""

import dataclasses
import datetime
import decimal
import enum
import json
import math
import pathlib
import random
import uuid

import pytest

from galley._json_lines import NotJSON, line_of


def parsed(row):
    line = line_of(row)
    assert b"\n" not in line
    return json.loads(line)


def random_value(numbers: random.Random, depth: int = 0):
    kinds = ["none", "bool", "int", "float", "text"] + (["list", "dict"] if depth < 4 else [])
    kind = numbers.choice(kinds)
    if kind == "list":
        return [random_value(numbers, depth + 1) for _ in range(numbers.randrange(4))]
    if kind == "dict":
        return {f"k{index}": random_value(numbers, depth + 1) for index in range(numbers.randrange(4))}
    text = "".join(chr(numbers.choice([9, 10, 13, 34, 92, 65, 0xE9, 0x2028, 0x65E5, 0x1F600])) for _ in range(5))
    values = {"none": None, "bool": True, "int": numbers.randrange(-(2**53), 2**53), "float": numbers.random(), "text": text}
    return values[kind]


def test_values_that_json_has_stay_the_same():
    numbers = random.Random(7)
    for _ in range(500):
        row = {"value": random_value(numbers)}
        assert parsed(row) == row


class Kind(enum.Enum):
    PHOTO = "photo"


@dataclasses.dataclass
class Author:
    name: str
    joined: datetime.date


class NaTType(datetime.datetime):
    """As the missing time of pandas, which is an instance of datetime."""


NAT = NaTType(1, 1, 1)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (math.nan, None),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (NAT, None),
        (datetime.date(2026, 11, 23), "2026-11-23"),
        (datetime.datetime(2026, 11, 23, 9, 5, tzinfo=datetime.timezone.utc), "2026-11-23T09:05:00+00:00"),
        (decimal.Decimal("19.5"), 19.5),
        (decimal.Decimal("20"), 20),
        (decimal.Decimal("123456789012345678901"), 123456789012345678901),
        (decimal.Decimal("1234567890123.4567"), 1234567890123.4568),
        (decimal.Decimal("NaN"), None),
        (Kind.PHOTO, "photo"),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (pathlib.PurePosixPath("a/b"), "a/b"),
        (Author("Ada", datetime.date(1815, 12, 10)), {"name": "Ada", "joined": "1815-12-10"}),
        ({3, 1}, [1, 3]),
        ((1, 2), [1, 2]),
        (range(3), [0, 1, 2]),
    ],
    ids=repr,
)
def test_other_values_have_a_json_form_wherever_they_are(value, expected):
    assert parsed({"v": value, "list": [value], "nan": math.nan}) == {"v": expected, "list": [expected], "nan": None}
    assert parsed({"v": value}) == {"v": expected}


class Field(str, enum.Enum):
    TEXT = "text"


class Level(enum.IntEnum):
    FIRST = 1


@pytest.mark.parametrize("other", [1, math.nan], ids=["no value to convert", "a value to convert"])
def test_the_keys_that_are_enumerations_become_their_values(other):
    row = {Field.TEXT: "hello", Kind.PHOTO: 2, Level.FIRST: {Field.TEXT: other}}
    assert parsed(row) == {"text": "hello", "photo": 2, "1": {"text": 1 if other == 1 else None}}
    with pytest.raises(NotJSON, match='field "1.text" is an object'):
        line_of({Level.FIRST: {Field.TEXT: object()}})


@pytest.mark.filterwarnings("error::UserWarning")
def test_a_masked_value_of_numpy_is_null():
    numpy = pytest.importorskip("numpy")
    values = numpy.ma.array([1.5, 2.0], mask=[False, True])
    assert line_of({"a": values, "v": values[1]}) == b'{"a":[1.5,null],"v":null}'


def test_values_of_numpy_are_numbers_and_lists():
    numpy = pytest.importorskip("numpy")
    row = {"i": numpy.int64(3), "f": numpy.float32(0.5), "n": numpy.float64("nan"), "a": numpy.array([1, 2]), "b": numpy.bool_(True)}
    assert parsed(row) == {"i": 3, "f": 0.5, "n": None, "a": [1, 2], "b": True}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"comments": [{"date": object()}]}, r'field "comments.0.date" is an object'),
        ({"photo": b"\xff"}, r'field "photo" is a bytes'),
        (object(), "it is an object"),
    ],
)
def test_a_value_without_a_json_form_is_named(row, message):
    with pytest.raises(NotJSON, match=message):
        line_of(row)


def test_a_row_that_contains_itself_has_no_json_form():
    row: dict = {}
    row["self"] = row
    with pytest.raises(NotJSON, match="contains itself"):
        line_of(row)


def test_a_lone_surrogate_is_left_to_the_program():
    assert line_of({"text": "a\ud800"}) == b'{"text":"a\\ud800"}'
