"""Tests of the tables of rows in all forms."""

import asyncio
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import types
from pathlib import Path

import pyarrow as pa
import pytest

import galley

WIDTHS = [320, 390]


def dicts() -> list:
    return [json.loads(line) for line in open("posts.jsonl", encoding="utf-8")]


def contents(tables: galley.Tables) -> dict:
    return {
        (name, table): getattr(variant, table).to_pylist()
        for name, variant in tables.items()
        for table in ("heights", "frames", "resources")
    }


def processes_of(directory) -> list:
    """The processes whose command lines name a directory."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes()
        except OSError:
            continue
        if str(directory).encode() in command and path.parent.name != str(os.getpid()):
            found.append(command)
    return found


def wait_until(condition, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


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


def simple_cells() -> str:
    Path("simple.yaml").write_text(
        "version: 1\nfonts:\n  body: {family: Inter, size: 15, lineHeight: 20}\n"
        'cells:\n  A:\n    layout: {type: node, id: box, calculatedSize: ["{w}", "{h}"]}\n'
    )
    return "simple.yaml"


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


def naive_row_at(heights: list, offset: float) -> int:
    top = 0.0
    for row, height in enumerate(heights):
        if height > 0 and top <= max(offset, 0) < top + height:
            return row
        top += height
    return len(heights) - 1


def test_row_at_finds_the_row_that_covers_an_offset(posts):
    cells = simple_cells()
    numbers = random.Random(3)
    heights = [numbers.choice([0, 0, 10, 25.5, 100]) for _ in range(200)]
    variant = galley.layout([{"w": 1, "h": height} for height in heights], cells=cells, width=100)["w100"]
    for _ in range(500):
        offset = numbers.choice([numbers.uniform(-10, variant.height + 10), sum(heights[: numbers.randrange(201)])])
        assert variant.row_at(offset) == naive_row_at(heights, offset), offset
    assert variant.y.to_pylist() == [sum(heights[:row]) for row in range(200)]


def test_bad_rows_are_errors_of_the_tables(posts):
    rows = [*dicts(), b"no json", {"cell": "Other"}, {"when": object()}, 7]
    with pytest.warns(galley.RowsWarning, match='2 of the rows.*Row 7.*field "when" is a object'):
        tables = galley.layout(rows, cells="posts.yaml", width=WIDTHS)
    assert [error.row for error in tables.errors] == [5, 6, 7, 8]
    assert [error.error.partition(": ")[0] for error in tables.errors] == ["line 6", "line 7", "line 8", "line 9"]
    assert 'cannot be written as JSON: field "when" is a object' in tables.errors[2].error
    assert all(error.variants == ("w320", "w390") for error in tables.errors)
    assert tables["w390"].heights.column("error")[7].as_py() == tables.errors[2].error
    assert tables["w390"].heights.column("height").to_pylist()[5:] == [0] * 4


@pytest.mark.parametrize(
    ("row", "message"),
    [(b"no json", "line 7: is not JSON"), ({"when": object()}, 'line 7: cannot be written as JSON: field "when" is a object')],
    ids=["no json", "no form"],
)
def test_a_bad_row_is_an_exception_if_strict(posts, row, message):
    options = {"cells": "posts.yaml", "width": 390, "strict": True}
    rows = ["\n", *dicts(), row, {"when": object()}]
    with pytest.raises(galley.BadRows, match=message):
        galley.layout(iter(rows), **options)
    with pytest.raises(galley.BadRows, match=message):
        list(galley.stream(iter(rows), **options))


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
        ({"rows": 3}, galley.WrongUse, "rows is a int"),
        ({"rows": "-"}, galley.WrongUse, "sys.stdin.buffer"),
        ({"rows": '{"id": 1}'}, galley.WrongUse, "rows is a str with JSON"),
        ({"rows": '[{"id": 1}]'}, galley.WrongUse, "rows is a str with JSON"),
        ({"rows": "{}\n{}\n"}, galley.WrongUse, "pass rows.splitlines"),
        ({"rows": ""}, galley.WrongUse, "rows is an empty path"),
        ({"rows": "a\0"}, galley.WrongUse, "no file can have"),
        ({"rows": [b"\x1f\x8b"]}, galley.WrongUse, "gzip.open"),
        ({"width": "abc"}, galley.WrongUse, 'width has "abc", which is neither a number nor a range'),
        ({"width": True}, galley.WrongUse, "width is True"),
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
        ({"output": 3}, galley.WrongUse, "output is a int"),
        ({"base": 3}, galley.WrongUse, "the run is a int"),
        ({"replace": True}, galley.WrongUse, "without output"),
        ({"cells": 3}, galley.WrongUse, "cells is a int"),
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


def test_temporary_tables_are_removed_and_remain_readable(posts):
    with galley.layout("posts.jsonl", cells="posts.yaml", width=390) as tables:
        heights = tables["w390"].heights
        directory = tables["w390"].directory.parent
        assert (directory / "manifest.json").exists()
    assert not directory.parent.exists()
    assert heights.column("height").to_pylist()[0] == 156
    unused = galley.layout("posts.jsonl", cells="posts.yaml", width=390)
    directory = unused["w390"].directory.parent
    variant = unused["w390"]
    del unused
    assert variant.frames.num_rows == 38
    del variant
    assert not directory.parent.exists()


def test_output_is_kept_and_can_be_opened_and_replaced(posts):
    first = galley.layout("posts.jsonl", cells="posts.yaml", width=390, output="tables")
    first.close()
    assert contents(galley.open("tables")) == contents(first)
    second = galley.layout(dicts()[1:], cells="posts.yaml", width=390, output="tables", replace=True, base="tables")
    assert second.manifest["takenRows"] == 4
    with pytest.raises(galley.Error, match="posts.yaml has no manifest.json"):
        galley.open("posts.yaml")


def test_tables_without_frames_have_the_same_heights(posts):
    everything = galley.layout("posts.jsonl", cells="posts.yaml", width=390)["w390"]
    variant = galley.layout("posts.jsonl", cells="posts.yaml", width=390, columns="heights")["w390"]
    for name in ("height", "y", "error"):
        assert variant.heights.column(name) == everything.heights.column(name)
    assert variant.resources == everything.resources
    with pytest.raises(galley.Error, match="w390 has no frames; lay out the rows again without columns"):
        variant.frames  # noqa: B018
    with pytest.raises(galley.WrongUse, match='pass "heights"'):
        galley.layout("posts.jsonl", cells="posts.yaml", width=390, columns="frames")


def test_an_interrupted_run_is_resumed(posts):
    rows = [{**dicts()[0], "id": str(number)} for number in range(5000)]
    options = {"cells": "posts.yaml", "width": 390, "output": posts / "tables", "workers": 1}

    def interrupted():
        yield from rows[:4000]
        wait_until(lambda: list(posts.glob("tables.journal/*")))
        time.sleep(0.5)
        raise RuntimeError("the database is gone")

    with pytest.raises(RuntimeError):
        galley.layout(interrupted(), **options)
    assert list(posts.glob("tables.journal/*"))
    with pytest.raises(galley.Error, match="run again without resume=True"):
        galley.layout(rows, **{**options, "width": 320}, resume=True)
    tables = galley.layout(rows, **options, resume=True)
    assert tables["w390"].heights["id"].to_pylist() == [row["id"] for row in rows]
    assert not list(posts.glob("tables.journal"))


def test_an_error_of_the_iterator_leaves_no_file_thread_or_process(posts):
    def rows():
        yield from dicts() * 100
        raise RuntimeError("the database is gone")

    def state() -> tuple[int, int, int]:
        threads = [thread for thread in threading.enumerate() if thread.name.startswith("galley")]
        children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
        return len(os.listdir("/proc/self/fd")), len(threads), len(children)

    def fails(run) -> None:
        with pytest.raises(RuntimeError, match="the database is gone"):
            run()

    galley.layout("posts.jsonl", cells="posts.yaml", width=390)
    with galley.Pool(workers=1) as pool:
        pool.layout(dicts(), cells="posts.yaml", width=390)
        before = state()
        for caller in (galley, pool):
            options = {"cells": "posts.yaml", "width": 390}
            fails(lambda: caller.layout(rows(), **options))
            fails(lambda: list(caller.stream(rows(), **options)))
            fails(lambda: asyncio.run(caller.layout_async(rows(), **options)))
            wait_until(lambda: state() == before, seconds=5)


def test_an_error_of_the_iterator_ends_the_run_without_tables(posts):
    def rows():
        yield from dicts() * 200
        raise RuntimeError("the database is gone")

    with pytest.raises(RuntimeError, match="the database is gone"):
        galley.layout(rows(), cells="posts.yaml", width=390, output=posts / "tables")
    assert not (posts / "tables").exists()
    assert processes_of(posts) == []


def test_a_broken_pipe_of_the_iterator_is_no_end_of_the_rows(posts):
    def rows():
        yield from dicts()
        raise BrokenPipeError("the source is gone")

    with pytest.raises(BrokenPipeError, match="the source is gone"):
        galley.layout(rows(), cells="posts.yaml", width=390)
    with pytest.raises(BrokenPipeError, match="the source is gone"):
        list(galley.stream(rows(), cells="posts.yaml", width=390))


def test_a_killed_program_is_an_error_with_its_signal(posts):
    def rows():
        yield from dicts()
        wait_until(lambda: kill(posts / "tables"))
        time.sleep(0.2)
        yield dicts()[0]

    def kill(directory) -> bool:
        found = [path for path in Path("/proc").glob("[0-9]*/cmdline") if is_program(path, directory)]
        for path in found:
            os.kill(int(path.parent.name), signal.SIGKILL)
        return bool(found)

    def is_program(path, directory) -> bool:
        try:
            command = path.read_bytes().split(b"\0")
        except OSError:
            return False
        return command[0] != b"/bin/sh" and f"--output={directory}".encode() in command

    with pytest.raises(galley.Error, match="^the program ended by signal 9; "):
        galley.layout(rows(), cells="posts.yaml", width=390, output=posts / "tables")


def test_ctrl_c_ends_the_run_and_leaves_no_process(posts):
    def rows():
        yield from dicts()
        wait_until(lambda: processes_of(posts / "tables"))
        # Python loses an interrupt that comes while a finalizer runs, such as those of threads that are just created.
        time.sleep(0.3)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        while True:
            yield dicts()[0]

    with pytest.raises(KeyboardInterrupt):
        galley.layout(rows(), cells="posts.yaml", width=390, output=posts / "tables")
    assert not (posts / "tables").exists()
    wait_until(lambda: not processes_of(posts / "tables"))


def test_a_killed_caller_leaves_no_process_and_no_tables(posts):
    code = (
        "import galley, itertools, sys\n"
        "print('begins', flush=True)\n"
        f"galley.layout(itertools.repeat({{}}), cells='posts.yaml', width=390, output={str(posts / 'tables')!r})\n"
    )
    caller = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL)
    wait_until(lambda: any(b"layout" in command and b"import" not in command for command in processes_of(posts / "tables")))
    caller.kill()
    caller.wait()
    wait_until(lambda: not processes_of(posts / "tables"))
    assert not (posts / "tables" / "manifest.json").exists()


def test_progress_reports_all_rows(posts):
    reports = []
    rows = dicts() * 1000
    galley.layout(rows, cells="posts.yaml", width=390, on_progress=lambda done, total: reports.append((done, total)))
    assert reports[-1] == (5000, 5000)
    assert [done for done, _ in reports] == sorted(done for done, _ in reports)


def test_tables_of_a_replaced_directory_are_not_mixed(posts):
    first = galley.layout("posts.jsonl", cells="posts.yaml", width=390, output="tables")
    resources = first["w390"].resources
    galley.layout(dicts()[1:], cells="posts.yaml", width=390, output="tables", replace=True)
    assert first["w390"].resources is resources
    with pytest.raises(galley.Error, match="tables was replaced since its tables were opened; open it again"):
        first["w390"].frames  # noqa: B018


class Bar:
    """A bar as rich has it."""

    shown: list = []
    updates: list = []

    def __enter__(self) -> "Bar":
        self.start()
        return self

    def __exit__(self, *error) -> None:
        self.stop()

    def start(self) -> None:
        self.shown.append(self)

    def stop(self) -> None:
        self.shown.remove(self)

    def add_task(self, name, total) -> int:
        return 7

    def update(self, task, **numbers) -> None:
        self.updates.append(numbers)


def test_a_bar_ends_with_its_run_also_if_the_run_fails(posts, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setitem(sys.modules, "rich.progress", types.SimpleNamespace(Progress=Bar))
    monkeypatch.setitem(sys.modules, "rich", types.SimpleNamespace(progress=None))
    galley.layout(dicts(), cells="posts.yaml", width=390, progress=True)
    assert Bar.updates[-1] == {"completed": 5, "total": 5}
    assert Bar.shown == []
    with pytest.raises(galley.CellsFileError):
        galley.layout(dicts(), cells="none.yaml", width=390, progress=True)
    assert Bar.shown == []
    with pytest.raises(galley.WrongUse, match="exclude each other"):
        galley.layout(dicts(), cells="posts.yaml", width=390, output=posts / "tables", progress=True, on_progress=print)
    assert processes_of(posts) == []


def test_an_error_of_the_progress_function_ends_the_run(posts):
    def stop(done, total):
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        galley.layout(dicts(), cells="posts.yaml", width=390, on_progress=stop)
    wait_until(lambda: not processes_of(posts))


def test_a_picture_is_that_of_the_row(posts):
    tables = galley.layout("posts.jsonl", cells="posts.yaml", width=390)
    from_dicts = galley.layout(dicts(), cells="posts.yaml", width=390)
    picture = tables["w390"].picture(row=3)
    assert picture._repr_svg_().startswith("<svg")
    assert picture.svg == from_dicts["w390"].picture(3).svg != tables["w390"].picture(0).svg
    picture.save("row.svg")
    assert Path("row.svg").read_text() == picture.svg
    with pytest.raises(galley.WrongUse, match="there is no row 5"):
        tables["w390"].picture(5)
    with pytest.raises(galley.Error, match="came from an iterator"):
        galley.layout(iter(dicts()), cells="posts.yaml", width=390)["w390"].picture()
    Path("posts.jsonl").write_text("{}\n")
    with pytest.raises(galley.Error, match="posts.jsonl has changed"):
        tables["w390"].picture()


def test_other_libraries_take_the_tables(posts):
    variant = galley.layout("posts.jsonl", cells="posts.yaml", width=390)["w390"]
    for library, convert in (("polars", variant.to_polars), ("pandas", variant.to_pandas)):
        pytest.importorskip(library)
        assert list(convert()["height"]) == variant.heights.column("height").to_pylist()
        assert len(convert("frames")) == 38
    assert "<td>w390</td><td>5</td><td>1246.5</td>" in variant._repr_html_()


def test_prefetching_and_arranging_pass_their_parameters_on(posts):
    tables = galley.layout("posts.jsonl", cells="posts.yaml", width=390, output="tables")
    variant = tables["w390"]
    end = {"offset": 846.5, "viewport": 400, "resources": False}
    assert galley.prefetch(variant, **end, velocity=2) == galley.prefetch(variant, **end) | {"remaining_time": 0}
    for parameters in ({"fetching": True}, {"hidden": True}, {"inverted": True, "direction": "down"}):
        assert not galley.prefetch(variant, **end, **parameters)["fetch_next_batch"]
    assert galley.prefetch(variant, **end, content_margins=(47, 0, 34, 0))["remaining"] == 81
    page = {"offset": 390, "viewport": 390, "mode": "visibleOnly", "horizontal": True}
    assert galley.prefetch(variant, **page)["visible"] == [1, 2]
    assert galley.prefetch(variant, **page, right_to_left=True)["visible"] == [3, 4]
    placed = galley.arrange(variant, wrap=True, justify=True, content_margins=(47, 8, 0, 0))
    assert (placed.column("x")[0].as_py(), placed.column("y")[0].as_py()) == (8, 47)
    with pytest.raises(galley.Error, match="add arrangement=False$"):
        galley.prefetch(variant, **page)
    galley.arrange(variant, headers=["PostCell"], footers=["Footer"], pin_headers=True)
    assert galley.prefetch(variant, offset=100, viewport=1)["visible"] == [[0, 1]]
    with pytest.raises(galley.WrongUse, match="^content_margins needs four numbers"):
        galley.prefetch(variant, **page, content_margins=(1, 2, 3))
    with pytest.raises(galley.WrongUse, match=r"^rows is range\(-3, -1\); pass consecutive rows"):
        galley.skeleton(variant, range(-3, -1))
    with pytest.raises(galley.WrongUse, match="^pin_headers needs headers$"):
        galley.arrange(variant, pin_headers=True)


def test_prefetching_has_the_answers_of_the_program(posts):
    tables = galley.layout("posts.jsonl", cells="posts.yaml", width=390, output="tables")
    numbers = random.Random(5)
    for _ in range(100):
        query = {"offset": numbers.uniform(-100, 1400), "viewport": numbers.choice([1, 100, 844])}
        query |= {"direction": numbers.choice(["down", "up"]), "mode": numbers.choice(["full", "minimum", "visibleOnly", "lowMemory"])}
        answer = galley.prefetch(tables["w390"], **query)
        bottom = query["offset"] + query["viewport"]
        heights = zip(tables["w390"].y.to_pylist(), tables["w390"].heights.column("height").to_pylist())
        visible = [row for row, (y, height) in enumerate(heights) if y < bottom and y + height > query["offset"]]
        if visible:  # An empty range states the row at which it would begin.
            assert answer["visible"] == [visible[0], visible[-1] + 1], query
    command = ["prefetch", "tables/w390", "--offset", "300", "--viewport", "200"]
    from galley._program import run_program

    assert json.loads(run_program(command)[1]) == galley.prefetch(tables["w390"], offset=300, viewport=200)
    with pytest.raises(galley.WrongUse, match="^viewport is -1.0; write 0 or more points"):
        galley.prefetch(tables["w390"], offset=0, viewport=-1)
    tables.close()
    assert galley.prefetch(tables["w390"], offset=0, viewport=1)["visible"] == [0, 1]
    tables.close()
    wait_until(lambda: not processes_of(posts))
