"""Tests of pools that are kept, and of connections to running ones."""

import asyncio
import json
import os
import random
import signal
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import galley
from galley import _stream_tables
from runs import contents, dicts

WIDTHS = [320, 390]


@pytest.fixture(scope="module")
def pool():
    with galley.Pool(workers=2) as pool:
        yield pool


def without_texts(row: dict, numbers: random.Random) -> object:
    """A row that may lack its id or be bad."""
    row = dict(row)
    kind = numbers.randrange(6)
    if kind == 0:
        row.pop("id")
    elif kind == 1:
        row["id"] = numbers.randrange(30)
    elif kind == 2:
        row.pop("avatar")
    elif kind == 4:
        row["text"] += "\U0010fffd\U0010fffe"
    return b"[1]" if kind == 3 and numbers.random() < 0.3 else row


def test_small_calls_have_the_tables_of_a_run_of_their_own(posts, pool):
    numbers, missing = random.Random(11), 0
    for _ in range(12):
        rows = [without_texts(numbers.choice(dicts()), numbers) for _ in range(numbers.choice([1, 2, 50]))]
        small = pool.layout(rows, cells="posts.yaml", width=WIDTHS)
        whole = galley.layout(rows, cells="posts.yaml", width=WIDTHS, workers=1)
        assert contents(small) == contents(whole)
        assert small["w390"].heights.schema == whole["w390"].heights.schema
        assert small["w390"].frames.schema == whole["w390"].frames.schema
        assert small["w390"].resources.schema == whole["w390"].resources.schema
        assert small.errors == whole.errors
        missing += sum(small["w390"].heights["missing_glyphs"].to_pylist())
        for key in ("rows", "errors", "format", "version"):
            assert small.manifest[key] == whole.manifest[key]
        for mine, other in zip(small.manifest["variants"], whole.manifest["variants"]):
            assert mine.items() <= other.items()
    assert missing > 0


def test_resources_of_nodes_with_one_name_have_the_sizes_of_their_nodes(posts, pool):
    def picture(type: str, width: float, *more: str) -> str:
        return f"        - {{type: {type}, id: pic, style: {{width: {width}, height: {width / 2}}}, {', '.join(more)}}}\n"

    images = ["when: m", 'images: [{url: "https://m/1"}, {url: "https://m/2", width: 600, height: 300}]']
    Path("cells.yaml").write_text(
        "version: 1\ncells:\n"
        + "".join(
            f"  {name}:\n    layout:\n      type: stack\n      direction: {direction}\n      alignItems: start\n      children:\n"
            + picture("networkImage", 40, 'url: "{u?}"')
            + picture("networkImage", 100, 'url: "{v?}"')
            + picture("video", 60, 'url: "{w}"', 'posterUrl: "{p}"')
            + picture("multiplexImage", 70.3, *images)
            for name, direction in (("Below", "vertical"), ("Beside", "horizontal"))
        )
    )
    given = {"u": "https://a/1", "v": "https://a/2", "w": "https://a/3", "p": "https://a/4"}
    rows = [{**given, "cell": cell} for cell in ("Below", "Beside")]
    rows += [{**rows[0], "u": None}, {**rows[1], "u": None}, {**rows[0], "m": 1}]
    small = pool.layout(rows, cells="cells.yaml", width=390, scale=[1, 3])
    assert contents(small) == contents(galley.layout(rows, cells="cells.yaml", width=390, scale=[1, 3], workers=1))
    assert small["w390@3x"].resources["width"].to_pylist()[:4] == [40, 100, 60, 60]


def test_small_calls_keep_one_process(posts, pool):
    pool.layout(dicts(), cells="posts.yaml", width=77)
    kept = [process for process in pool._kept._idle if "--width=77" in process._command]
    pool.layout(dicts(), cells="posts.yaml", width=77)
    assert [process for process in pool._kept._idle if "--width=77" in process._command] == kept
    assert len(kept) == 1


def test_all_forms_of_calls_give_the_same_tables(posts, pool):
    rows = dicts() * 500
    Path("many.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    expected = contents(galley.layout("many.jsonl", cells="posts.yaml", width=390))
    assert contents(pool.layout(rows, cells="posts.yaml", width=390)) == expected
    assert contents(pool.layout(iter(rows), cells="posts.yaml", width=390)) == expected
    assert contents(pool.layout("many.jsonl", cells="posts.yaml", width=390, output="out")) == expected
    blank = [b"", *Path("posts.jsonl").read_bytes().splitlines(), b"no json"]
    tables = pool.layout(blank, cells="posts.yaml", width=390)
    assert [error.error.partition(": ")[0] for error in tables.errors] == ["line 7"]
    heights = pool.layout(dicts(), cells="posts.yaml", width=390, columns="heights")["w390"]
    whole = galley.layout("posts.jsonl", cells="posts.yaml", width=390, columns="heights")["w390"]
    assert (heights.heights, heights.resources) == (whole.heights, whole.resources)
    with pytest.raises(galley.Error, match="w390 has no frames"):
        heights.frames  # noqa: B018
    assert len(pool.layout([], cells="posts.yaml", width=390)["w390"]) == 0
    assert sum(batch.num_rows for batch in pool.stream(rows, cells="posts.yaml", width=390, priority=3)) == 2500


def test_a_changed_cells_file_is_read_again(posts, pool):
    def height() -> float:
        return pool.layout(dicts()[:1], cells="posts.yaml", width=390)["w390"].height

    before = height()
    text = Path("posts.yaml").read_text()
    Path("posts.yaml").write_text(text.replace("lineHeight: 20", "lineHeight: 40"))
    assert height() > before
    Path("posts.yaml").write_text(text)
    assert height() == before


def test_a_cells_file_that_is_changed_within_its_size_and_time_is_read_again(posts, pool):
    def height() -> float:
        return pool.layout(dicts()[:1], cells="posts.yaml", width=390)["w390"].height

    before, times = height(), os.stat("posts.yaml")
    Path("posts.yaml").write_text(Path("posts.yaml").read_text().replace("lineHeight: 20", "lineHeight: 40"))
    os.utime("posts.yaml", ns=(times.st_atime_ns, times.st_mtime_ns))
    assert height() > before


@pytest.mark.parametrize("name", ["font.otf", "&f font.otf", "!!str font.otf", r'"\x66ont.otf"', "&f !!str 'font.otf'"])
def test_a_changed_font_file_is_read_again(posts, pool, name):
    fonts = subprocess.check_output(["fc-list", ":", "file"], text=True).split("\n")
    files = sorted(line.strip(": ") for line in fonts if line.strip(": ").endswith((".ttf", ".otf")))
    small, large = (next(path for path in files if name in path) for name in ("Inter-Regular", "NotoSans-Regular"))
    Path("font.otf").write_bytes(Path(small).read_bytes())
    Path("cells.yaml").write_text(
        f"version: 1\nfonts:\n  body: {{file: {name}, size: 15}}\ncells:\n  A:\n    layout: {{type: text, text: abc, font: body}}\n"
    )

    def height() -> float:
        return pool.layout([{}], cells="cells.yaml", width=390)["w390"].height

    before = height()
    Path("new.otf").write_bytes(Path(large).read_bytes())
    Path("new.otf").rename("font.otf")
    assert height() != before


@pytest.mark.parametrize(
    ("variable", "value"), [("GALLEY_PLATFORM", "web"), ("GALLEY_TABLE_COLUMNS", "heights"), ("GALLEY_QUIET", "1")]
)
def test_variables_of_options_count_as_for_other_calls(posts, monkeypatch, variable, value):
    monkeypatch.setenv(variable, value)
    with galley.Pool(workers=1) as pool:
        found = pool.layout(dicts(), cells="posts.yaml", width=390)
    expected = galley.layout(dicts(), cells="posts.yaml", width=390)
    assert [(name, found[name].heights) for name in found] == [(name, expected[name].heights) for name in expected]


def test_a_changed_hyphenation_dictionary_is_read_again(posts, pool):
    Path("My # words, en.dic").write_text("UTF-8\nLEFTHYPHENMIN 2\nRIGHTHYPHENMIN 2\nx1y\n")
    Path("cells.yaml").write_text(
        "version: 1\nfonts: {body: {family: Inter, size: 15}}\nhyphenation: {en-US: 'My # words, en.dic'}\ncells:\n"
        "  A: {layout: {type: text, text: ab abcabcab abcab, font: body, hyphens: auto, lang: en-US}}\n"
    )

    def height() -> float:
        return pool.layout([{}], cells="cells.yaml", width=80)["w80"].height

    before = height()
    Path("My # words, en.dic").write_text("UTF-8\nLEFTHYPHENMIN 2\nRIGHTHYPHENMIN 2\nab1c\n")
    changed = height()
    assert changed == galley.layout([{}], cells="cells.yaml", width=80)["w80"].height != before


def test_the_same_name_in_another_directory_is_another_cells_file(posts, pool, monkeypatch):
    first = pool.layout(dicts()[:1], cells="posts.yaml", width=390)["w390"].height
    Path("other").mkdir()
    Path("other/posts.yaml").write_text(Path("posts.yaml").read_text().replace("lineHeight: 20", "lineHeight: 40"))
    rows = dicts()[:1]
    monkeypatch.chdir("other")
    assert pool.layout(rows, cells="posts.yaml", width=390)["w390"].height > first


def test_threads_call_at_once_and_get_their_own_rows(posts, pool):
    rows = dicts()

    def call(seed: int) -> bool:
        numbers = random.Random(seed)
        chosen = [{**numbers.choice(rows), "id": f"{seed}-{index}"} for index in range(20)]
        ids = pool.layout(chosen, cells="posts.yaml", width=390, priority=seed % 2)["w390"].heights["id"].to_pylist()
        return ids == [row["id"] for row in chosen]

    with ThreadPoolExecutor(6) as threads:
        assert all(threads.map(call, range(40)))


def test_bad_rows_and_mistakes_are_those_of_a_run(posts, pool):
    with pytest.raises(galley.BadRows, match="^line 2: .*avatar") as caught:
        pool.layout([dicts()[0], {"id": "x"}, {"id": "y"}], cells="posts.yaml", width=390, strict=True)
    assert [error.id for error in caught.value.errors] == ["x", "y"]
    with pytest.raises(galley.BadRows) as of_run:
        galley.layout([dicts()[0], {"id": "x"}, {"id": "y"}], cells="posts.yaml", width=390, strict=True)
    assert str(of_run.value) == str(caught.value)
    with pytest.warns(galley.RowsWarning):
        tables = pool.layout([{"a": object()}, dicts()[0]], cells="posts.yaml", width=390)
    assert [error.row for error in tables.errors] == [0]
    assert "cannot be written as JSON" in tables.errors[0].error
    Path("bad.yaml").write_text("version: 1\ncells:\n  A:\n    layout:\n      type: stakc\n")
    with pytest.raises(galley.CellsFileError) as mistakes:
        pool.layout(dicts(), cells="bad.yaml", width=390)
    assert (mistakes.value.line, mistakes.value.column) == (5, 7)
    with pytest.raises(galley.WrongUse, match='width has "wide"'):
        pool.layout(dicts(), cells="posts.yaml", width="wide")


def test_an_error_of_the_rows_of_the_caller_keeps_its_cause(pool):
    def rows():
        yield {"cell": "PostCell"}
        raise galley.Error("mine") from ValueError("the cause")

    with pytest.raises(galley.Error, match="^mine$") as failure:
        pool.layout(rows(), cells="posts.yaml", width=390)
    assert isinstance(failure.value.__cause__, ValueError)


def test_rows_of_another_format_are_the_error_of_a_run(posts, pool):
    for text, message in (
        (json.dumps(dicts(), indent=1), "is a JSON array, not JSON Lines; pass the list that json.load returns"),
        ("id,text\n1,a\n2,b\n", "is CSV, not JSON Lines"),
    ):
        Path("rows").write_text(text)
        for caller in (galley, pool):
            with pytest.raises(galley.RowsError, match=message):
                caller.layout(open("rows"), cells="posts.yaml", width=390)


def test_the_path_of_the_directory_of_temporary_files_may_have_any_characters(posts, monkeypatch):
    with tempfile.TemporaryDirectory(dir="/tmp") as short:
        directory = Path(short) / ("\u00fc" * 42)
        directory.mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(directory))
        with galley.Pool(workers=1) as pool:
            assert len(pool.layout(dicts(), cells="posts.yaml", width=390)["w390"]) == 5


def test_tables_of_small_calls_can_be_prefetched_compared_and_drawn(posts, pool):
    small = pool.layout(dicts(), cells="posts.yaml", width=390)
    whole = galley.layout(dicts()[1:], cells="posts.yaml", width=390)
    answer = galley.prefetch(small["w390"], offset=200, viewport=200)
    expected = galley.prefetch(galley.layout(dicts(), cells="posts.yaml", width=390)["w390"], offset=200, viewport=200)
    assert answer == expected
    assert galley.diff(small, whole)["w390"].counts["removed"] == 1
    assert small["w390"].picture(2).svg.startswith("<svg")
    small.close()
    bad = pool.layout([{}], cells="posts.yaml", width=390)
    assert (bad["w390"].frames.num_rows, bad["w390"].resources.num_rows) == (0, 0)
    assert galley.prefetch(bad["w390"], offset=0, viewport=200)["resources"] == []
    assert galley.diff(bad, whole)["w390"].counts["inserted"] == 4


def test_the_files_of_a_small_call_are_complete(posts, pool, monkeypatch):
    tables = pool.layout(dicts(), cells="posts.yaml", width=WIDTHS)
    write = _stream_tables._write

    def write_part(table, path) -> None:
        path.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(_stream_tables, "_write", write_part)
    with pytest.raises(galley.Error, match="cannot be written into .*No space left on device"):
        tables["w390"].directory  # noqa: B018
    monkeypatch.setattr(_stream_tables, "_write", lambda table, path: (time.sleep(0.01), write(table, path)))
    with ThreadPoolExecutor(4) as threads:
        directories = set(threads.map(lambda _: tables["w390"].directory.parent, range(4)))
    assert len(directories) == 1
    assert list(galley.open(*directories)) == list(tables)


def test_progress_of_a_small_call_is_reported(posts, pool):
    reports = []
    pool.layout(dicts(), cells="posts.yaml", width=390, on_progress=lambda *report: reports.append(report))
    assert reports == [(5, 5)]


def test_a_call_of_asyncio(posts, pool):
    tables = asyncio.run(pool.layout_async(dicts(), cells="posts.yaml", width=390))
    assert tables["w390"].height == 1246.5


def test_ctrl_c_ends_a_call_and_not_the_pool(posts, pool):
    def interrupted():
        yield dicts()[0]
        signal.raise_signal(signal.SIGINT)
        yield dicts()[0]

    with pytest.raises(KeyboardInterrupt):
        pool.layout(interrupted(), cells="posts.yaml", width=390)
    assert len(pool.layout(dicts(), cells="posts.yaml", width=390)["w390"]) == 5
