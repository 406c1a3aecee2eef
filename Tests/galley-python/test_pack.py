"""Tests of packs: a cells file and its fonts in one file."""

import os
from pathlib import Path

import pytest

import galley
from galley._cells import CellsState


def test_a_pack_needs_no_fonts(posts, monkeypatch):
    galley.pack("posts.yaml", "posts.galley")
    expected = galley.layout("posts.jsonl", cells="posts.yaml", width=390)["w390"]
    Path("empty.conf").write_text("<fontconfig></fontconfig>")
    monkeypatch.setenv("FONTCONFIG_FILE", os.path.abspath("empty.conf"))
    with pytest.raises(galley.CellsFileError):
        galley.layout("posts.jsonl", cells="posts.yaml", width=390)
    tables = galley.layout("posts.jsonl", cells="posts.galley", width=390)["w390"]
    assert tables.heights == expected.heights
    assert tables.frames == expected.frames


def test_the_state_of_a_pack_is_that_of_its_file_only(posts):
    galley.pack("posts.yaml", "posts.galley")
    assert list(CellsState("posts.galley")._files) == ["posts.galley"]
    assert len(CellsState("posts.yaml")._files) > 1


@pytest.mark.parametrize(
    "text",
    [
        "# The app's fonts\nfonts: {body: {file: 'fonts/A.ttf', size: 15}}\n",
        "text: it's {n}\nfile: \"fonts/A.ttf\"  # it's\n",
        "fonts: {body: {file: fonts/A.ttf, size: 15}}\n",
        "file:\n  fonts/A.ttf # a font\n",
        "fonts: {'body': {'file': 'fonts/A.ttf'}}\n",
    ],
)
def test_a_file_is_observed_however_it_is_written(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path in (Path("fonts/A.ttf"), Path("fonts/Bob's #1, A.ttf"), Path("cells.yaml")):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert "fonts/A.ttf" in CellsState("cells.yaml")._files
    Path("cells.yaml").write_text("file: fonts/Bob's #1, A.ttf\n")
    assert "fonts/Bob's #1, A.ttf" in CellsState("cells.yaml")._files


def test_a_changed_pack_is_read_again(posts):
    cells = "version: 1\ncells: {A: {layout: {type: spec, style: {height: 10}}}}\n"
    Path("cells.yaml").write_text(cells)
    galley.pack("cells.yaml", "cells.galley")
    with galley.Pool(workers=1) as pool:

        def height():
            tables = pool.layout([{"id": "a"}], cells="cells.galley", width=390)
            return tables["w390"].heights.column("height").to_pylist()

        assert height() == [10]
        Path("cells.yaml").write_text(cells.replace("10", "20"))
        assert height() == [10]
        galley.pack("cells.yaml", "cells.galley", force=True)
        assert height() == [20]


def test_a_pack_is_replaced_only_by_force(posts):
    galley.pack("posts.yaml", "posts.galley")
    packed = Path("posts.galley").read_bytes()
    with pytest.raises(galley.Error, match="exists already; choose another file"):
        galley.pack("posts.yaml", "posts.galley")
    galley.pack("posts.yaml", "posts.galley", force=True)
    assert Path("posts.galley").read_bytes() == packed


def test_a_damaged_pack_is_an_error_of_the_cells_file(posts):
    galley.pack("posts.yaml", "posts.galley")
    packed = Path("posts.galley").read_bytes()
    Path("posts.galley").write_bytes(packed[:-1])
    with pytest.raises(galley.CellsFileError, match="is a pack that is cut off"):
        galley.layout("posts.jsonl", cells="posts.galley", width=390)
