"""Tests of what Spark, Ray and Dask share, without an engine."""

import json
import os
import pickle
import random
import signal
import subprocess
import sys
import time

import pyarrow as pa
import pytest

import galley
from galley import _engine
from galley._arrow_values import PythonObjects
from galley._cells_file import SentCells, directory_of_process, path_in_process
from galley._engine import Plan, layout_partition, wrong_table
from galley._variants import Variants

VARIANTS = {"width": [320, 390], "text_scale": 1, "scale": 2}
POST = {"cell": "PostCell", "userName": "Ada", "handle": "ada", "avatar": "a", "text": "", "reposts": 1, "likes": 2}


def layout(
    batches: list, row: str | None = "json", keep: tuple = (), columns=None, strict: bool = False, cells="posts.yaml", **variants
) -> list:
    plan = Plan.of(batches[0].schema.names, row, keep, Variants.of(**(VARIANTS | variants)), columns=columns, strict=strict)
    return [record for batch in layout_partition(plan, cells, batches) for record in batch.to_pylist()]


@pytest.fixture(autouse=True)
def ends_programs():
    yield
    _engine._close()


def random_row(numbers: random.Random, number: int) -> object:
    kind = numbers.randrange(8)
    if kind == 0:
        return numbers.choice(["null", "7", "{", '{"cell":"Nope"}', '{"cell":"PostCell"}'])
    row = POST | {"text": " ".join(["lorem"] * numbers.randrange(40))} | ({} if kind == 1 else {"id": f"p{number}"})
    return json.dumps(row, indent=numbers.choice([None, 1]))


@pytest.mark.parametrize("seed", range(4))
def test_records_are_those_of_the_stream_however_rows_are_divided(posts, monkeypatch, seed):
    numbers = random.Random(seed)
    rows = [random_row(numbers, number) for number in range(numbers.randrange(1, 200))]
    expected = [
        record | {"error": record["error"] and record["error"].partition(": ")[2]}
        for batch in galley.stream([row.replace("\n", " ") for row in rows], cells="posts.yaml", width=[320, 390])
        for record in batch.to_pylist()
    ]
    expected.sort(key=lambda record: (record["variant"], record["row"]))
    monkeypatch.setattr(_engine, "_ROWS_OF_REQUEST", numbers.choice([1, 7, 100]))
    table = pa.table({"json": rows, "n": range(len(rows))})
    for size in (len(rows), numbers.randrange(1, 50)):
        found = layout(table.to_batches(size), keep=("n",))
        found.sort(key=lambda record: (record["variant"], record["row"]))
        assert [record.pop("n") for record in found] == [record["row"] for record in found]
        assert found == expected


def test_variants_have_the_platforms_and_directions_of_the_stream(posts):
    variants = VARIANTS | {"platform": ["texture", "android"], "scale": [2, 3], "layout_direction": "ltr,rtl"}
    rows = [json.dumps(POST | {"id": "a", "text": "lorem ipsum " * 20})]
    stream = galley.stream(rows, cells="posts.yaml", **variants)
    expected = [record for batch in stream for record in batch.to_pylist()]
    assert layout([pa.record_batch({"json": rows})], **variants) == expected
    assert expected[-1]["variant"] == "android-w390-rtl@3x"
    assert expected[0]["height"] != expected[8]["height"]


def test_a_repeated_partition_has_the_same_order(posts):
    batches = pa.table({"json": [json.dumps(POST)] * 500}).to_batches(300)
    order = [(record["variant"], record["row"]) for record in layout(batches)]
    assert order == [(v, row) for rows in (range(300), range(300, 500)) for v in ("w320", "w390") for row in rows]


def test_fields_are_the_columns_without_those_that_are_null(posts):
    rows = [POST | {"id": "a", "location": None, "quoted": {"userName": "Lin", "text": "hi"}}, POST | {"location": "Rome"}]
    from_fields = layout(pa.Table.from_pylist([{"location": None, "quoted": None} | row for row in rows]).to_batches(), row=None)
    assert from_fields == layout(pa.table({"json": [json.dumps(row) for row in rows]}).to_batches())
    assert all(record["error"] is None for record in from_fields)


def test_rows_that_are_null_or_blank_are_bad_rows(posts):
    found = layout([pa.record_batch({"json": [None, " ", json.dumps(POST)]})], width=320)
    assert [record["error"] for record in found] == ["is null, but a row is an object"] * 2 + [None]


def test_a_row_that_cannot_be_written_is_a_bad_row(posts, monkeypatch):
    monkeypatch.setattr(_engine, "_ROWS_OF_REQUEST", 2)
    rows = pa.Table.from_pylist([POST] * 5).append_column("date", pa.array([0, 1, None, 3_000_000, 2], pa.date32()))
    found = layout(rows.to_batches(), row=None)
    error = 'cannot be written as JSON: field "date": OverflowError: date value out of range'
    assert [record["error"] for record in found if record["variant"] == "w390"] == [None, None, None, error, None]
    with pytest.raises(galley.BadRows, match=f'row 3 of the partition, with id "3": {error}'):
        layout(rows.to_batches(), row=None, strict=True)


def test_objects_of_a_column_are_converted_one_by_one(posts):
    texts = ["a", 5, b"", None, float("nan"), 2**70]
    batch = pa.record_batch([["0", "1", "2", "3", "4", "5"], PythonObjects.array(texts)], ["id", "text"])
    lines, unwritable = _engine._objects(batch)
    expected = [{"id": "0", "text": "a"}, {"id": "1", "text": 5}, {"id": "3"}, {"id": "4"}, {"id": "5", "text": 2**70}]
    assert [json.loads(line) for line in lines[:2] + lines[3:]] == expected
    assert list(unwritable) == [2] and 'field "text" is a bytes, which has no JSON form' in unwritable[2]


def test_a_row_that_cannot_be_written_changes_no_other_row(posts):
    # A null is left out of a row, where a null in JSON would be an explicit one.
    rows = [{"id": "a", "empty": None, "date": day} for day in (1, 3_000_000, 2)]
    # Arrow has no `take` for views of texts.
    schema = pa.schema([("id", pa.string_view()), ("empty", pa.string()), ("date", pa.date32())])
    batch = pa.record_batch([pa.array([row[name] for row in rows], kind) for name, kind in zip(schema.names, schema.types)], schema)
    lines, unwritable = _engine._objects(batch)
    assert list(unwritable) == [1] and [json.loads(line) for line in (lines[0], lines[2])] == [
        {"id": "a", "date": "1970-01-02"},
        {"id": "a", "date": "1970-01-03"},
    ]


def test_a_line_end_within_a_string_stays_a_mistake(posts):
    good, bad = '{\n"id": "\\"",\n"cell": "Nope"}', '{"id": "a\nb", "cell": "Nope"}'
    found = layout([pa.record_batch({"json": [good, bad]})], width=320)
    assert found[0]["error"] == 'cell "Nope" is not in the cells file; there is PostCell'
    assert found[1]["error"].startswith("is not JSON")


def test_a_row_of_many_lines_becomes_one_line():
    items = ["x", 'say "hi" \\', "\\\\"] * 15_000
    text = json.dumps(items, indent=1).encode()
    begin = time.process_time()
    line = _engine._one_line(text)
    assert time.process_time() - begin < 5  # 0.03 s; half a minute if each line were joined to all those before it.
    assert b"\n" not in line and json.loads(line) == items


def test_heights_have_no_frames(posts):
    batches = [pa.record_batch({"json": [json.dumps(POST)]})]
    [with_frames], [without] = layout(batches, width=320), layout(batches, width=320, columns="heights")
    with_frames.pop("frames")
    assert with_frames == without


def test_the_columns_of_a_list_are_those_of_the_result_and_frames_are_made_only_for_them(posts):
    batches = [pa.record_batch({"json": [json.dumps(POST), "{"], "n": [5, 6]})]
    chosen = layout(batches, width=320, columns=["height", "id"], keep=("n",))
    whole = layout(batches, width=320, keep=("n",))
    assert chosen == [{name: record[name] for name in ("height", "id", "n")} for record in whole]
    assert [key[3] for key in _engine._kept] == ["heights", None]
    with pytest.raises(galley.BadRows, match="row 1 of the partition"):
        layout(batches, width=320, columns=["height"], strict=True)


def test_a_bad_row_is_an_exception_with_strict(posts):
    with pytest.raises(galley.BadRows, match='row 1 of the partition, with id "b": cell "Nope" is not') as raised:
        layout([pa.record_batch({"json": [json.dumps(POST), '{"id":"b","cell":"Nope"}']})], strict=True)
    error = pickle.loads(pickle.dumps(raised.value))
    assert str(error) == str(raised.value) and error.errors[0].row == 1


def test_all_partitions_of_a_process_have_one_program_which_starts_again(posts):
    batches = [pa.record_batch({"json": [json.dumps(POST)]})]
    first = layout(batches)
    [process] = _engine._kept.values()
    pid = process._process.pid
    assert layout(batches) == first
    assert process._process.pid == pid
    os.kill(pid, signal.SIGKILL)
    assert layout(batches) == first
    assert len(_engine._kept) == 1 and process._process.pid != pid


def test_a_process_keeps_the_programs_that_were_used_last(posts, monkeypatch):
    monkeypatch.setattr(_engine, "_MOST_KEPT", 2)
    batches = [pa.record_batch({"json": [json.dumps(POST)]})]
    children = []
    for width in (100, 200, 100, 300):
        layout(batches, width=width)
        children.append(next(reversed(_engine._kept.values()))._process)
    assert [child.poll() is None for child in children] == [True, False, True, True]
    assert [key[2].width for key in _engine._kept] == ["100", "300"]


PLAN = {"row": "json", "keep": (), "variants": Variants.of(**VARIANTS), "columns": None, "strict": False}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"row": "jsn"}, 'row has "jsn", which is no column; the columns are json, id'),
        ({"keep": ("no",)}, 'keep has "no", which is no column'),
        ({"keep": ("id",)}, 'keep has "id", which is a column of the results'),
        ({"keep": ("json", "json")}, 'keep has "json" twice'),
        ({"keep": "json"}, 'keep is the text "json"'),
        ({"columns": "frames"}, "columns is 'frames'"),
        ({"columns": ["id", "hight"]}, "a list of columns of the results: variant, row"),
    ],
)
def test_arguments_that_cannot_be_used_are_refused_before_anything_runs(arguments, message):
    with pytest.raises(galley.WrongUse, match=message):
        Plan.of(["json", "id"], **(PLAN | arguments))


def test_two_columns_of_one_name_are_refused_where_they_are_used():
    message = 'two columns of the rows have the name "s"; give one of them another name'
    for names, arguments in ((["s", "json", "s"], {"row": None}), (["json", "s", "s"], {"keep": ("s",)}), (["s", "s"], {"row": "s"})):
        with pytest.raises(galley.WrongUse, match=message):
            Plan.of(names, **(PLAN | arguments))
    assert Plan.of(["json", "s", "s"], **PLAN).inputs == ["json"]


def test_a_table_that_is_none_of_the_engine_is_named():
    for table, kind in ((pa.table({}), "a Table of pyarrow"), ([], "a list")):
        assert str(wrong_table("ds", table, "a Dataset of Ray")) == f"ds is {kind}; pass a Dataset of Ray"


def test_columns_that_have_numbers_as_names_are_listed():
    with pytest.raises(galley.WrongUse, match="the columns are 0, 1$"):
        Plan.of([0, 1], **PLAN)


def test_a_column_of_numbers_is_no_row(posts):
    with pytest.raises(galley.WrongUse, match='column "n" is int64'):
        layout([pa.record_batch({"n": [1]})], row="n")


def test_a_cells_file_is_sent_by_its_contents(posts, tmp_path):
    sent = SentCells.of("posts.yaml")
    (posts / "copy.yaml").write_bytes((posts / "posts.yaml").read_bytes())
    assert SentCells.of(posts / "copy.yaml") == sent
    (posts / "copy.yaml").write_text((posts / "posts.yaml").read_text().replace("size: 15", "size: 16"))
    assert SentCells.of("copy.yaml").name != sent.name
    path = sent.write(directory_of_process())
    assert sent.write(directory_of_process()) == path
    assert open(path, "rb").read() == sent.contents


def test_a_process_that_is_killed_leaves_no_cells_file(tmp_path):
    code = "import os, signal; from galley import _cells_file as file; sent = file.SentCells('a', b'cells')\n"
    code += "print(open(file.path_in_process('a', lambda: sent), 'rb').read()); os.kill(os.getpid(), signal.SIGKILL)"
    command = [sys.executable, "-u", "-c", code]
    done = subprocess.run(command, env=os.environ | {"TMPDIR": str(tmp_path)}, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (-signal.SIGKILL, b"b'cells'\n")
    assert not list(tmp_path.iterdir())


def test_a_process_receives_a_cells_file_once_and_its_programs_can_open_it(posts):
    sent, received = SentCells.of("posts.yaml"), []
    paths = {path_in_process(sent.name, lambda: received.append(sent) or sent) for _ in range(2)}
    assert len(paths) == len(received) == 1
    rows = [pa.record_batch({"json": [json.dumps(POST)]})]
    assert layout(rows, cells=paths.pop()) == layout(rows)


def test_a_cells_file_with_mistakes_is_not_sent(posts):
    (posts / "bad.yaml").write_text("version: 1\ncells: {A: {layout: {type: stak}}}\n")
    with pytest.raises(galley.CellsFileError) as raised:
        SentCells.of("bad.yaml")
    assert raised.value.line == 2
    assert pickle.loads(pickle.dumps(raised.value)).line == 2


def test_a_cells_file_is_packed_with_its_fonts(posts, monkeypatch):
    program = posts / "program"
    program.write_text('#!/bin/sh\n[ "$1 $2 $3" = "pack posts.yaml --output" ] && echo packed > "$4"\n')
    program.chmod(0o755)
    monkeypatch.setenv("GALLEY", str(program))
    sent = SentCells.of("posts.yaml")
    assert sent.contents == b"packed\n"
    assert sent.name.endswith(".galley")
