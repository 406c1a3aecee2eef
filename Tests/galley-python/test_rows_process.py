"""Tests of the process that is kept for lists of rows, with a program that dies on request."""

import json
import random
import sys
from pathlib import Path

import pyarrow as pa
import pytest

import galley
from galley._rows_process import RowsProcess
from galley._variants import Variants

FAKE = Path(__file__).parent / "fake_program.py"


class Fixture:
    def __init__(self, directory: Path, variants: list) -> None:
        self.starts = directory / "starts"
        self.variants = variants
        self.process = RowsProcess([sys.executable, str(FAKE), str(self.starts), *variants], variants)

    def layout(self, rows: list) -> pa.Table:
        lines = [row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows]
        batches = self.process.layout(lines)
        return pa.Table.from_batches(batches)

    @property
    def number_of_starts(self) -> int:
        return len(self.starts.read_text().splitlines())


@pytest.fixture
def fake(tmp_path):
    fixture = Fixture(tmp_path, ["w320", "w390"])
    yield fixture
    fixture.process.close()


def rows_of(table: pa.Table, variant: str = "w390") -> list:
    return [row for row in table.to_pylist() if row["variant"] == variant]


def test_requests_of_any_size_return_their_own_rows_from_one_process(fake):
    random_numbers = random.Random(1)
    for _ in range(30):
        rows = [{"height": random_numbers.randrange(1000)} for _ in range(random_numbers.choice([0, 1, 2, 50, 4000]))]
        if not rows:
            assert fake.process.layout([]) == []
            continue
        table = fake.layout(rows)
        for variant in fake.variants:
            found = rows_of(table, variant)
            assert [row["height"] for row in found] == [row["height"] for row in rows]
            assert [row["row"] for row in found] == list(range(len(rows)))
            assert [row["id"] for row in found] == [str(index) for index in range(len(rows))]
    assert fake.number_of_starts == 1


def test_an_id_that_is_the_number_of_the_row_in_the_process_is_kept(fake):
    fake.layout([{}, {}])
    table = fake.layout([{"id": "2"}, {"id": 3}, {}, {"caption": "id \\ \"id\""}, b"nonsense \"id\""])
    assert [row["id"] for row in rows_of(table)] == ["2", "3", "2", "3", "4"]


@pytest.mark.parametrize("item", [b'"]"', b"[ ]"])
@pytest.mark.parametrize(("depth", "id"), [(1000, "2"), (1023, "2"), (1024, "0")])
def test_a_row_may_be_nested_more_deeply_than_python_reads(posts, depth, id, item):
    nested = b'{"text": "[{", "a": ' + b"[" * (depth - 1) + item + b"]" * (depth - 1) + b', "id": 2}'
    with RowsProcess.in_process("posts.yaml", Variants.of(390, 1, None)) as process:
        process.layout([b"{}", b"{}"])
        [batch] = process.layout([nested])
    assert batch["id"].to_pylist() == [id]
    assert ("too deep" in batch["error"][0].as_py()) == (id == "0")


def test_errors_state_the_line_of_the_request(fake):
    fake.layout([{}] * 5)
    table = fake.layout([{}, b"7", {}, b"nonsense"])
    errors = [row["error"] for row in rows_of(table)]
    assert errors == [None, "line 2: is not an object", None, "line 4: is not an object"]


def test_more_results_and_rows_than_pipes_hold_do_not_block(fake):
    rows = [{"frames": 40, "text": "x" * 100} for _ in range(10_000)]
    assert fake.layout(rows).num_rows == 20_000


def test_a_program_that_dies_once_gets_its_rows_again(fake, tmp_path):
    rows = [{"height": 1}, {"height": 2, "die_once": str(tmp_path / "died")}, {"height": 3}]
    assert [row["height"] for row in rows_of(fake.layout(rows))] == [1, 2, 3]
    assert fake.number_of_starts == 2


def test_a_row_that_ends_the_program_three_times_is_a_bad_row(fake):
    table = fake.layout([{"id": "killer", "die": True}])
    assert fake.number_of_starts == 3
    for row in table.to_pylist():
        assert (row["id"], row["height"], row["frames"], row["holds_for_width"]) == ("killer", 0, [], False)
        assert row["error"] == "line 1: ended the program 3 times: signal 9"


def test_the_error_of_a_row_that_ends_the_program_has_its_last_message(fake):
    table = fake.layout([{"die": True, "fail": "the font is damaged"}])
    assert set(table["error"].to_pylist()) == {"line 1: ended the program 3 times: the font is damaged"}


@pytest.mark.parametrize("seed", range(2))
def test_rows_beside_killing_rows_are_laid_out(fake, seed):
    random_numbers = random.Random(seed)
    count = random_numbers.randrange(2, 7)
    killers = set(random_numbers.sample(range(count), 1))
    rows = [{"height": index + 1, **({"die": True} if index in killers else {})} for index in range(count)]
    found = rows_of(fake.layout(rows))
    assert [row["row"] for row in found] == list(range(count))
    for row in found:
        assert row["height"] == (0 if row["row"] in killers else row["row"] + 1)
        assert (row["error"] is not None) == (row["row"] in killers)
    assert [row["height"] for row in rows_of(fake.layout([{"height": 7}]))] == [7]


def test_an_error_of_the_program_is_raised_at_once(fake):
    with pytest.raises(galley.Error, match="the disk is full"):
        fake.layout([{"fail": "the disk is full"}])
    assert fake.number_of_starts == 1
    assert fake.layout([{"height": 1}]).num_rows == 2


@pytest.mark.parametrize("line", [b"", b"  ", b"{}\n{}"])
def test_a_line_that_is_not_one_row_is_refused(fake, line):
    with pytest.raises(galley.WrongUse, match="is not one row"):
        fake.process.layout([b"{}", line])


def test_a_closed_process_starts_again(fake):
    fake.layout([{}])
    fake.process.close()
    assert [row["id"] for row in rows_of(fake.layout([{}]))] == ["0"]
    assert fake.number_of_starts == 2


def test_a_time_limit_of_the_caller_ends_a_request(time_limit):
    process = RowsProcess([sys.executable, "-c", "import time; time.sleep(60)"], ["w390"])
    with pytest.raises(TimeoutError, match="the limit of the caller"), time_limit(0.1):
        process.layout([b"{}"])
    assert process._process is None
