"""Tests of the tables of a run."""

import io
import math
import random
from pathlib import Path

import pyarrow as pa
import pytest

import galley
from galley._heights import COLUMNS
from runs import contents, dicts, simple_cells


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
    Path("posts.yaml").write_text(Path("posts.yaml").read_text().replace("lineHeight: 20", "lineHeight: 24"))
    with pytest.warns(UserWarning, match="base, tables, is not used, and all rows were laid out; galley layout --base=tables states why"):
        galley.layout("posts.jsonl", cells="posts.yaml", width=390, base="tables")
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


def test_tables_of_a_replaced_directory_are_not_mixed(posts):
    first = galley.layout("posts.jsonl", cells="posts.yaml", width=390, output="tables")
    resources = first["w390"].resources
    galley.layout(dicts()[1:], cells="posts.yaml", width=390, output="tables", replace=True)
    assert first["w390"].resources is resources
    with pytest.raises(galley.Error, match="tables was replaced since its tables were opened; open it again"):
        first["w390"].frames  # noqa: B018


def test_tables_whose_permissions_are_changed_are_not_replaced(posts):
    tables = galley.layout("posts.jsonl", cells="posts.yaml", width=390, output="tables")
    Path("tables/manifest.json").chmod(0o600)
    assert tables["w390"].frames.num_rows == 38


def test_a_damaged_table_is_an_error_that_names_the_file(posts):
    galley.layout("posts.jsonl", cells="posts.yaml", width=200, lines=True, output="tables")
    path = Path("tables/w200/texts.arrow")
    intact = path.read_bytes()
    texts = pa.ipc.open_file(intact).read_all()
    name = "Marta Kovács".encode()

    def with_index(index):
        nodes = texts.column("node").combine_chunks()
        indices = pa.array([index] * len(nodes), pa.int32())
        damaged = pa.DictionaryArray.from_arrays(indices, nodes.dictionary, safe=False)
        found = io.BytesIO()
        with pa.ipc.new_file(found, texts.schema) as writer:
            writer.write_table(texts.set_column(1, texts.schema.field(1), damaged))
        return found.getvalue()

    damages = [
        with_index(1 << 30),
        intact.replace(name, b"\xff" * len(name)),
        intact.replace(b"truncation", b"\xff" * 10),
        intact[: len(intact) // 2],
    ]
    for damaged in damages:
        assert damaged != intact
        path.write_bytes(damaged)
        with pytest.raises(galley.Error, match=r"tables/w200/texts.arrow cannot be read \(.*\); lay out the rows again"):
            galley.open("tables")["w200"].lines(0, "name")


def test_heights_of_another_type_or_that_cannot_be_are_errors(posts):
    galley.layout("posts.jsonl", cells="posts.yaml", width=390, output="tables")
    heights = galley.open("tables")["w390"].heights
    assert {field.name: field.type for field in heights.schema} == COLUMNS

    def expect(damaged, message):
        with pa.ipc.new_file("tables/w390/heights.arrow", damaged.schema) as writer:
            writer.write_table(damaged)
        with pytest.raises(galley.Error) as raised:
            len(galley.open("tables")["w390"])
        assert str(raised.value).endswith(f"tables/w390/heights.arrow cannot be read ({message}); lay out the rows again")

    def replaced(name, values, type=None):
        index = heights.schema.get_field_index(name)
        return heights.set_column(index, name, pa.array(values, type or COLUMNS[name]))

    expect(heights.drop_columns(["y"]), "it has no column y")
    expect(replaced("height", [1, 2, 3, 4, 5], pa.float64()), "its column height is double, not float")
    expect(replaced("height", [156, None, 220, 311.5, 249.5]), "its column height has nulls")
    for height in (math.nan, math.inf, -1.0):
        expect(replaced("height", [156, 309.5, 220, 311.5, height]), f"the height of its row 4 is {height}")
    expect(replaced("y", [0, 156, math.nan, 685.5, 997]), "its row 2 is at nan, but the heights above add up to 465.5")
    expect(replaced("y", [1, 157, 466.5, 686.5, 998]), "its row 0 is at 1.0, but the heights above add up to 0.0")
    parts = pa.concat_tables([heights.slice(0, 2), heights.slice(2, 0), heights.slice(2)])
    for intact in (parts, parts.drop_columns(["margin_narrower", "margin_wider", "holds_for_width"]), heights.slice(0, 0)):
        with pa.ipc.new_file("tables/w390/heights.arrow", intact.schema) as writer:
            writer.write_table(intact)
        assert len(galley.open("tables")["w390"]) == len(intact)


def test_functions_use_no_files_of_tables_that_were_replaced(posts):
    first = galley.layout("posts.jsonl", cells="posts.yaml", width=390, output="tables")
    served = first["w390"]
    remaining = galley.prefetch(served, offset=0, viewport=10)["remaining"]
    second = galley.layout(dicts()[1:], cells="posts.yaml", width=390, output="tables", replace=True)
    for use in (
        lambda: galley.export(served, "json"),
        lambda: galley.arrange(served),
        lambda: galley.prefetch(served, offset=0, viewport=10, inverted=True),
        lambda: galley.diff(first, second),
        lambda: galley.layout("posts.jsonl", cells="posts.yaml", width=390, base=first),
    ):
        with pytest.raises(galley.Error, match="tables was replaced since its tables were opened; open it again"):
            use()
    # The process of an earlier query has the files of its run.
    assert galley.prefetch(served, offset=0, viewport=10)["remaining"] == remaining


def test_tables_are_those_of_their_directory_wherever_the_program_is(posts, monkeypatch):
    for name, rows in (("one", dicts()), ("two", dicts()[1:])):
        Path(name).mkdir()
        galley.layout(rows, cells="posts.yaml", width=390, output=f"{name}/tables")
    monkeypatch.chdir("one")
    tables = galley.open("tables")
    changes = galley.diff("tables", "../two/tables")
    exported, offset = galley.export(tables["w390"], "json"), changes.offset("p-3", 500)
    monkeypatch.chdir("../two")
    assert galley.export(tables["w390"], "json") == exported
    assert len(tables["w390"]) == 5
    assert changes.offset("p-3", 500) == offset


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


def test_rows_and_numbers_of_another_type_are_errors_that_name_the_parameter(posts):
    tables = galley.layout("posts.jsonl", cells="posts.yaml", width=390, lines=True)
    variant = tables["w390"]
    for row in ("1", 1.5, True, None, 5):
        for call in (variant.picture, lambda row: variant.height_of(row, 390), lambda row: variant.lines(row, "name")):
            with pytest.raises(galley.WrongUse, match=f"there is no row {row!r}; the table has 5 rows"):
                call(row)
    for call, message in (
        (lambda: tables.for_width("390"), "width is '390'; pass a number"),
        (lambda: tables.for_width(390, text_scale="1"), "text_scale is '1'; pass a number"),
        (lambda: variant.height_of(0, None), "width is None; pass a number"),
        (lambda: variant.row_at("1"), "offset is '1'; pass a number"),
        (lambda: variant.uncertain("1"), "within is '1'; pass a number"),
        (lambda: variant.uncertain(0), "within is 0; pass a length in points above 0"),
        (lambda: variant.uncertain(-0.5), "within is -0.5; pass a length in points above 0"),
        (lambda: galley.diff(tables, variant), "new is a Variant; pass tables, or the path of their directory"),
        (lambda: galley.diff(tables, tables).offset("p-1", float("nan")), "offset is nan; pass a finite number"),
    ):
        with pytest.raises(galley.WrongUse, match=message):
            call()
    assert variant.row_at(variant.y[2]) == 2
