"""Reads the tables of runs with pyarrow and polars, as their users do, and checks what every table promises."""

import json
import pathlib
import sys

import polars
import pyarrow
import pyarrow.ipc

HEIGHTS = {
    "row": "uint64", "id": "string", "cell": "dictionary<values=string, indices=int32, ordered=0>",
    "width": "float", "height": "float", "y": "double", "first_frame": "uint64", "frame_count": "uint32",
    "error": "string", "missing_glyphs": "uint16", "margin_narrower": "float", "margin_wider": "float",
    "holds_for_width": "bool",
}
FRAMES = {
    "row": "uint64", "node": "dictionary<values=string, indices=int32, ordered=0>",
    "type": "dictionary<values=string, indices=int8, ordered=0>", "parent": "int32", "x": "float", "y": "float",
    "width": "float", "height": "float", "lines": "uint16", "truncated": "bool",
}
RESOURCES = {
    "row": "uint64", "node": "dictionary<values=string, indices=int32, ordered=0>", "url": "string",
    "type": "dictionary<values=string, indices=int8, ordered=0>", "y": "double", "pixel_width": "uint32",
    "pixel_height": "uint32", "width": "float", "height": "float",
}


def read(path, schema):
    """The table's rows, read from a memory map without copying anything."""
    before = pyarrow.total_allocated_bytes()
    with pyarrow.memory_map(str(path)) as mapped:
        table = pyarrow.ipc.open_file(mapped).read_all()
        assert pyarrow.total_allocated_bytes() == before, f"{path} is not mapped as it is"
        table.validate(full=True)
        assert {field.name: str(field.type) for field in table.schema} == schema, table.schema
        rows = table.to_pylist()
    frame = polars.read_ipc(path)
    assert frame.columns == list(schema)
    assert frame.height == len(rows)
    assert all(frame[name].to_list() == [row[name] for row in rows] for name in schema), f"polars differs in {path}"
    return rows


def check(directory):
    manifest = json.loads((directory / "manifest.json").read_text())
    for variant in manifest["variants"]:
        place = directory / variant["name"]
        heights = read(place / "heights.arrow", HEIGHTS)
        frames = read(place / "frames.arrow", FRAMES)
        resources = read(place / "resources.arrow", RESOURCES)
        assert len(heights) == manifest["rows"] and len(frames) == variant["frames"]
        assert sum(row["error"] is not None for row in heights) == variant["errors"]
        missing = manifest.get("warnings", {}).get("missingGlyphs", {"rows": 0})["rows"]
        assert sum(row["missing_glyphs"] > 0 for row in heights) == missing
        top, first = 0.0, 0
        for number, row in enumerate(heights):
            assert row["row"] == number and row["y"] == top and row["first_frame"] == first
            top += row["height"]
            own = frames[first:first + row["frame_count"]]
            first += row["frame_count"]
            assert row["error"] is None or (row["height"] == 0 and not own and row["error"].startswith("line "))
            for index, frame in enumerate(own):
                assert frame["row"] == number and -1 <= frame["parent"] < index
        assert first == len(frames) and top == variant["height"]
        for resource in resources:
            assert resource["url"] and resource["pixel_width"] > 0 and resource["pixel_height"] > 0
            assert heights[resource["row"]]["y"] <= resource["y"]
    return manifest


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        manifest = check(pathlib.Path(argument))
        names = " ".join(variant["name"] for variant in manifest["variants"])
        print(f"read with pyarrow and polars: {manifest['rows']} rows, {names}")
