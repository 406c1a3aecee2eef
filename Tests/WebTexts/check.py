"""Renders cells in headless Chromium from their frames and texts, and compares every text's height with the table's."""

import argparse
import collections
import json
import math
import pathlib
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

# What Chromium calculates with: 1/64 pixel.
UNIT = 1 / 64


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("galley", help="the program")
    arguments.add_argument("directory", type=pathlib.Path, help="has NAME.jsonl, NAME.yaml and the tables NAME")
    arguments.add_argument("--each", action="store_true", help="also count the texts that each change of the CSS affects")
    arguments.add_argument("--picture", type=pathlib.Path, help="a PNG file for a picture of the first cells of each NAME")
    options = arguments.parse_args()
    paths = sorted(options.directory.glob("*.yaml"))
    examples = {path: read_cells(path, path.with_suffix("")) for path in paths}
    otherwise = [name for path, own in examples.items() for name in inspected(options.galley, path, own)]
    cells = [cell for own in examples.values() for cell in own]
    faces = font_faces(paths)
    if options.picture:
        take_picture(cells, faces, options.picture)
    failed = report(cells, faces) or bool(otherwise)
    print(f"{len(otherwise)} cells have other frames or texts in galley inspect", *otherwise[:SHOWN])
    if options.each:
        for change in changes.CHANGES:
            counts, _ = compare(cells, render(cells, faces, changes.changed(change)))
            print(f"{counts['differ']:6} of {counts['texts']} differ {changes.described(change)}")
    sys.exit(failed)


def inspected(galley, path, cells):
    """Returns the names of the cells of the first variant that `galley inspect` shows otherwise."""
    return inspection.mismatches(galley, path, [cell for cell in cells if cell["variant"] == cells[0]["variant"]])


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
        "text_scale": variant["textScale"], "scale": variant["scale"], "fallback": template.get("fallback", []),
    }  # fmt: skip


def font_faces(paths):
    fonts, fallback = [], []
    for path in paths:
        template = yaml.safe_load(path.read_text())
        fonts += [cell_texts.font({"font": name}, template, [], None) for name in template["fonts"]]
        fallback += template.get("fallback", [])
    return styles.font_faces(fonts, fallback)


def render(cells, faces, change=changes.right):
    """Returns what Chromium says of each frame of each cell; `change` changes the CSS of texts."""
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        environment = chromium.isolate_fonts(scratch)
        results = []
        for first in range(0, len(cells), CELLS_PER_PAGE):
            page = write_page(scratch, cells[first : first + CELLS_PER_PAGE], faces, change)
            results += chromium.read_results(page, scratch, environment)
    return results


def write_page(scratch, cells, faces, change):
    page = scratch / "page.html"
    shown = [{**cell, "frames": [shown_frame(cell, frame, change) for frame in cell["frames"]]} for cell in cells]
    # JSON within a script: only "<" could end it.
    content = PAGE.read_text().replace("/*CSS*/", faces)
    page.write_text(content.replace("/*CELLS*/[]", json.dumps(shown).replace("<", "\\u003c")))
    return page


def shown_frame(cell, frame, change):
    shown = {name: frame[name] for name in ("x", "y", "width", "height")}
    if "text" not in frame:
        return shown
    text, scale, fallback = frame["text"], cell["text_scale"], cell["fallback"]
    css = change(styles.text_css(text, frame, scale, fallback))

    def spans(runs):
        return [
            {
                "text": content,
                "css": "" if len(text.runs) == 1 else styles.declarations(change(styles.font_css(font, scale, fallback))),
                "attachment": font.attachment and styles.declarations(styles.attachment_css(font, scale)),
            }
            for content, font in runs
        ]

    shown |= {"css": styles.declarations(css), "lang": text.css.get("lang", "en"), "runs": spans(text.runs)}
    shown["floats"] = [styles.declarations(styles.float_css(rectangle)) for rectangle in text.exclusions]
    if text.has_paragraphs:
        shown["paragraphs"] = [
            {"css": styles.declarations(styles.paragraph_css(text, index)), "runs": spans(runs)}
            for index, runs in enumerate(text.paragraphs)
        ]
    return shown


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


def report(cells, faces):
    """Prints what differs, and returns whether anything does, or whether the comparison finds no difference where there is one."""
    counts, differences = compare(cells, render(cells, faces))
    default, _ = compare(cells, render(cells, faces, changes.fonts_only))
    print(f"{counts['cells']} cells, {counts['frames']} frames, {counts['moved']} of them elsewhere than in the tables")
    print(f"{counts['texts']} texts with the CSS of the article: {counts['differ']} have another height than in the tables")
    print(f"  {counts['equal']} have it to the last bit, {counts['stretched']} have their lines but are stretched by the layout")
    print(f"{default['texts']} texts with only their fonts set: {default['differ']} have another height than in the tables")
    for cell, frame, rect, kind in differences[:SHOWN]:
        stated = {name: frame[name] for name in ("x", "y", "width", "height", "lines", "truncated")}
        print(f"{cell['name']} {frame['node']}: {kind} is {rect}, table has {stated}", file=sys.stderr)
        if "text" in frame:
            print(f"  {[content for content, _ in frame['text'].runs]}", file=sys.stderr)
    return bool(differences) or default["differ"] == 0 or counts["texts"] == 0


def take_picture(cells, faces, path):
    """Writes a picture of the first cells of each example in the first variant that is 300 points wide or more."""
    shown = collections.defaultdict(list)
    for cell in cells:
        name = cell["name"].split()[0]
        if cell["width"] >= 300 and len(shown[name]) < CELLS_IN_PICTURE:
            shown[name].append(cell)
    chosen = [cell for group in shown.values() for cell in group]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        environment = chromium.isolate_fonts(scratch)
        page = write_page(scratch, chosen, faces, changes.right)
        height = sum(int(cell["height"]) + 9 for cell in chosen)
        chromium.run(
            scratch, environment, f"--screenshot={path.resolve()}", f"--window-size=700,{height}", page.as_uri() + "#picture"
        )


if __name__ == "__main__":
    main()
