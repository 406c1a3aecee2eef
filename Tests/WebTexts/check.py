"""Renders cells in headless Chromium from their frames and texts, and compares every text's height with the table's."""

import argparse
import collections
import itertools
import json
import math
import pathlib
import re
import sys
import tempfile

import pyarrow.ipc
import yaml

import cell_texts
import changes
import inspection
import styles

sys.path.append(str(pathlib.Path(__file__).parent.parent / "ChromiumCases"))
import chromium  # noqa: E402

PAGE = pathlib.Path(__file__).with_name("page.html")
CELLS_PER_PAGE = 1000

# Cells of each example in a picture, and differences that are printed.
CELLS_IN_PICTURE = 2
SHOWN = 20

# The number of an item in the name of a node.
ITEM = re.compile(r"(\.\d+)+$")

# What Chromium calculates with: 1/64 pixel.
UNIT = 1 / 64


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("galley", help="the program")
    arguments.add_argument("directory", type=pathlib.Path, help="has NAME.jsonl, NAME.yaml and the tables NAME")
    arguments.add_argument("--each", action="store_true", help="also count the texts that each change of the CSS affects")
    arguments.add_argument("--pictures", type=pathlib.Path, help="a directory for pictures of the first cells of each NAME")
    options = arguments.parse_args()
    paths = sorted(options.directory.glob("*.yaml"))
    examples = {path: read_cells(path, path.with_suffix("")) for path in paths}
    otherwise = [name for path, own in examples.items() for name in inspected(options.galley, path, own)]
    # Chromium shows characters without a glyph in fonts of the machine.
    cells = [cell for own in examples.values() for cell in own if cell["missing_glyphs"] == 0]
    print(f"{sum(map(len, examples.values())) - len(cells)} cells with characters that no font has are not compared")
    sheets = {path.stem: read_sheet(options.galley, path) for path in paths}
    if options.pictures:
        take_pictures(cells, sheets, options.pictures)
    failed = report(cells, sheets) or bool(otherwise)
    print(f"{len(otherwise)} cells have other frames or texts in galley inspect", *otherwise[:SHOWN])
    if options.each:
        for change in changes.CHANGES:
            counts, _ = compare(cells, render(cells, sheets, changes.css(change)))
            print(f"{counts['differ']:6} of {counts['texts']} differ {changes.described(change)}")
    sys.exit(failed)


def inspected(galley, path, cells):
    """Returns the names of the cells of the first variant that `galley inspect` shows otherwise."""
    return inspection.mismatches(galley, path, [cell for cell in cells if cell["variant"] == cells[0]["variant"]])


def read_sheet(galley, path):
    """Returns the style sheet of an example."""
    return styles.sheet(galley, path, path.with_suffix(".jsonl"), path.parent / f"{path.stem}-fonts")


def read_cells(path, tables):
    """Returns the cells of all variants of one example, each with its frames and its texts."""
    template = yaml.safe_load(path.read_text())
    rows = [json.loads(line) for line in path.with_suffix(".jsonl").read_text().split("\n") if line.strip()]
    found = []
    for variant in json.loads((tables / "manifest.json").read_text())["variants"]:
        heights = read_table(tables / variant["name"] / "heights.arrow")
        frames = read_table(tables / variant["name"] / "frames.arrow")
        for row, record in zip(rows, heights, strict=True):
            first = record["first_frame"]
            found.append(cell(path.stem, template, variant, row, record, frames[first : first + record["frame_count"]]))
    return found


def read_table(path):
    with pyarrow.memory_map(str(path)) as mapped:
        return pyarrow.ipc.open_file(mapped).read_all().to_pylist()


def cell(name, template, variant, row, record, frames):
    texts = cell_texts.texts(template, row)
    for frame in frames:
        if frame["type"] == "text":
            frame["text"] = texts[frame["node"]]
    return {
        "name": f"{name} {variant['name']} {record['id']}", "variant": variant["name"], "list_width": variant["width"],
        "width": record["width"], "height": record["height"], "frames": frames,
        "text_scale": variant["textScale"], "scale": variant["scale"], "missing_glyphs": record["missing_glyphs"],
    }  # fmt: skip


def render(cells, sheets, change=""):
    """Returns what Chromium says of each frame of each cell; `change` is further CSS of texts."""
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        environment = chromium.isolate_fonts(scratch)
        results = []
        for name, own in itertools.groupby(cells, key=example_of):
            own = list(own)
            for first in range(0, len(own), CELLS_PER_PAGE):
                page = write_page(scratch, own[first : first + CELLS_PER_PAGE], sheets[name] + change)
                results += chromium.read_results(page, scratch, environment)
        return results


def example_of(cell):
    """Returns the name of the example of a cell."""
    return cell["name"].split()[0]


def write_page(scratch, cells, css):
    page = scratch / "page.html"
    shown = [{**cell, "frames": [shown_frame(cell, frame) for frame in cell["frames"]]} for cell in cells]
    # JSON within a script: only "<" could end it.
    content = PAGE.read_text().replace("/*CSS*/", css)
    page.write_text(content.replace("/*CELLS*/[]", json.dumps(shown).replace("<", "\\u003c")))
    return page


def shown_frame(cell, frame):
    """Returns what the page shows of a frame: its class in the style sheet, and what the sheet leaves to the page."""
    shown = {name: frame[name] for name in ("x", "y", "width", "height")}
    if "text" not in frame:
        return shown
    text = frame["text"]
    name = f"{text.cell}-{ITEM.sub('', frame['node'])}"

    def parts(runs):
        return [
            {"text": content, "class": f"{name}-run-{index}" if text.has_parts else "", "isAttachment": bool(font.attachment)}
            for content, font, index in runs
        ]

    # A text that its height cuts has fewer lines than its maximumNumberOfLines.
    is_cut = frame["truncated"] and frame["lines"] != text.maximum_number_of_lines
    css = f"display: -webkit-box; -webkit-box-orient: vertical; overflow: hidden; -webkit-line-clamp: {frame['lines']}" if is_cut else ""
    shown |= {"class": name, "css": css, "lang": text.css.get("lang", "en")}
    shown["floats"] = [styles.float_css(rectangle) for rectangle in text.exclusions]
    if text.has_paragraphs:
        return shown | {"paragraphs": [parts(runs) for runs in text.paragraphs]}
    return shown | {"parts": parts(text.numbered_runs)}


def content_height(cell, frame):
    """Returns the height of a text's lines; None if it depends on the fonts of its lines."""
    text = frame["text"]
    if text.exclusions or text.font.line_height == "normal" or any(
        font.line_height != text.font.line_height or font.baseline_offset or font.attachment for _, font in text.runs
    ):
        return None
    around = text.insets[0] + text.insets[2] + (len(text.paragraphs) - 1) * text.gap
    return around + frame["lines"] * text.font.line_height * cell["text_scale"] + max(0, frame["lines"] - 1) * text.line_spacing


def without_spacing(frame, rect):
    """Returns the rectangle of an element without the half of `lineSpacing` above its first and below its last line."""
    x, y, width, height = rect
    spacing = frame["text"].line_spacing if "text" in frame else 0
    return [x, y + spacing / 2, width, max(0, height - spacing)]


def is_stretched(cell, frame):
    """Returns whether the layout makes a text higher than its lines are, as `alignItems: stretch` does."""
    height = content_height(cell, frame)
    return height is not None and frame["height"] > ceil_pixel(height, cell["scale"]) + UNIT


def has_height(cell, frame, height):
    """Returns whether a text element is as high as the table says, but for the rounding of lengths.

    It is as high as its lines, for which the frame has room. A frame is rounded up to a whole pixel, and Chromium rounds the height of each line up or down by at most 1/32 pixel.
    """
    expected = content_height(cell, frame)
    # An element with a position of its own is as high as its floats.
    if height == max((path.get("y", 0) + path["height"] for path in frame["text"].exclusions), default=None):
        return frame["height"] <= height
    if expected is None:
        return abs(frame["height"] - height) < 1 / cell["scale"]
    is_room = frame["height"] >= ceil_pixel(expected, cell["scale"]) - UNIT
    return is_room and abs(expected - height) <= 2 * UNIT * (frame["lines"] + 1)


def ceil_pixel(length, scale):
    """Returns a length rounded up to a whole pixel, as layouts round sizes."""
    return math.ceil((length - 1.2e-7) * scale) / scale


def compare(cells, results):
    """Returns the counts of what was compared, and the differences."""
    counts, differences = collections.Counter(), []
    for cell, rects in zip(cells, results, strict=True):
        counts["cells"] += 1
        for frame, rect in zip(cell["frames"], rects, strict=True):
            rect = without_spacing(frame, rect)
            counts["frames"] += 1
            box = [frame["x"], frame["y"], frame["width"]] + ([] if "text" in frame else [frame["height"]])
            if any(abs(stated - found) > UNIT for stated, found in zip(box, rect)):
                counts["moved"] += 1
                differences.append((cell, frame, rect, "frame"))
            if "text" not in frame:
                continue
            counts["texts"] += 1
            counts["stretched"] += is_stretched(cell, frame)
            counts["equal"] += rect[3] == frame["height"]
            if not has_height(cell, frame, rect[3]):
                counts["differ"] += 1
                differences.append((cell, frame, rect, "height"))
    return counts, differences


def report(cells, sheets):
    """Prints what differs, and returns whether anything does, or whether the comparison finds no difference where there is one."""
    counts, differences = compare(cells, render(cells, sheets))
    default, _ = compare(cells, render(cells, sheets, changes.FONTS_ONLY))
    print(f"{counts['cells']} cells, {counts['frames']} frames, {counts['moved']} of them elsewhere than in the tables")
    print(f"{counts['texts']} texts with the style sheet of galley css: {counts['differ']} have another height than in the tables")
    print(f"  {counts['equal']} have it to the last bit, {counts['stretched']} have their lines but are stretched by the layout")
    print(f"{default['texts']} texts with only their fonts set: {default['differ']} have another height than in the tables")
    for cell, frame, rect, kind in differences[:SHOWN]:
        stated = {name: frame[name] for name in ("x", "y", "width", "height", "lines", "truncated")}
        print(f"{cell['name']} {frame['node']}: {kind} is {rect}, table has {stated}", file=sys.stderr)
        if "text" in frame:
            print(f"  {[content for content, _ in frame['text'].runs]}", file=sys.stderr)
    return bool(differences) or default["differ"] == 0 or counts["texts"] == 0


def take_pictures(cells, sheets, directory):
    """Writes a picture of the first cells of each example in the first variant that is 300 points wide or more."""
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        environment = chromium.isolate_fonts(scratch)
        for name, own in itertools.groupby(cells, key=example_of):
            chosen = [cell for cell in own if cell["width"] >= 300][:CELLS_IN_PICTURE]
            page = write_page(scratch, chosen, sheets[name])
            height = sum(int(cell["height"]) + 9 for cell in chosen)
            picture = f"--screenshot={(directory / name).resolve()}.png"
            chromium.run(scratch, environment, picture, f"--window-size=700,{height}", page.as_uri() + "#picture")


if __name__ == "__main__":
    main()
