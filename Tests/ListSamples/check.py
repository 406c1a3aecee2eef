"""Runs the samples of the article WebLists in Chromium with the libraries themselves, with rows of the demo. Each list must be as high
as the table says, start at the stored position, jump to rows, keep its rows where they are when others are inserted, and move
nothing while it is scrolled."""

import argparse
import pathlib
import struct
import subprocess
import sys
import tempfile

import playwright.sync_api

HERE = pathlib.Path(__file__).parent
sys.path += [str(HERE.parent / name) for name in ("ChromiumCases", "WebTexts")]
import building  # noqa: E402
import chromium  # noqa: E402
import demo  # noqa: E402
import serving  # noqa: E402

ROWS = 10_000
VIEWPORT = {"width": 390, "height": 844}

# The row and the distance at which a list starts, and the rows that it jumps to.
ANCHOR, DISTANCE = 5000, 123
JUMPS = [9900, 60, 2500]

# The rows that harness.js holds back at first.
HELD = 50

# The pixels of a frame's scroll, and the frames.
STEP, FRAMES = 120, 140

# The pixels by which a row can be beside its place on the screen, as Chromium scrolls by whole pixels, and beside its place below
# the row before it, as lengths of CSS are 32-bit floats: those of five million pixels are multiples of a half.
TOLERANCE, ROW_TOLERANCE = 1, 1 / 2

# What the article states to be wrong: a height that the component assumes for inserted rows until it has rendered them, and a frame
# without rows when it is mounted again.
KNOWN = {("virtuoso-jsx", "height after insertion"), ("virtua-vue", "shift at insertion")}


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("galley", type=pathlib.Path, help="the program")
    arguments.add_argument("libraries", type=pathlib.Path, help="the directory of the packages, such as node_modules")
    arguments.add_argument("react", type=pathlib.Path, help="the directory that has react and react-dom")
    arguments.add_argument("samples", nargs="*", default=list(building.SAMPLES), help="samples to run, instead of all")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as scratch, playwright.sync_api.sync_playwright() as driver:
        work = pathlib.Path(scratch)
        rows, tables, css = demo.lay_out(options.galley, work, ROWS, VIEWPORT["width"])
        heights = read_heights(options.galley, tables, work)
        builder = building.Builder(options.libraries, options.react, work)
        server = serving.Server(builder.built, css, {"rows.jsonl": rows, "heights.arrow": tables / "heights.arrow"})
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", env=chromium.isolate_fonts(work), args=["--no-sandbox"])
        problems = [problem for sample in options.samples for problem in check(browser, server, builder.build(sample), heights)]
        browser.close()
    print(*problems, sep="\n")
    sys.exit(1 if problems else 0)


def read_heights(galley, tables, work):
    """Returns the offset of each row and that of the end of the list."""
    subprocess.run([galley, "export", tables, "--format", "f32", "--output", work / "heights.f32"], check=True)
    tops = [0.0]
    for (height,) in struct.iter_unpack("<f", (work / "heights.f32").read_bytes()):
        tops.append(tops[-1] + height)
    return tops


def check(browser, server, script, tops):
    """Prints how far a list is from the table, and returns what is not as it must be."""
    name, problems = script.removesuffix(".js"), []

    def compare(what, found, expected):
        if (name, what) not in KNOWN and (found is None or abs(found - expected) > TOLERANCE):
            problems.append(f"{name}: {what} is {found}, not {expected}")
        return f"{what} {'none' if found is None else f'{found - expected:+.2f}'}"

    with serving.Page(browser, server, script, VIEWPORT, row=ANCHOR, distance=DISTANCE) as page:
        start = page.call("settle")
        said = [compare("height", start["size"], tops[-1] - tops[HELD]), compare("start", top(start, ANCHOR), -DISTANCE)]
        shifts = page.call("scrollWatched", STEP, FRAMES) + page.call("scrollWatched", -STEP, FRAMES)
        said.append(compare("shift while scrolling", sum(shifts), 0))
        for row in JUMPS:
            place = page.call("jump", row)
            said.append(compare(f"jump to {row}", top(place, row), 0))
            said.append(compare("scroll bar", place["offset"], tops[row] - tops[HELD]))
            problems += [f"{name}: {problem}" for problem in check_rows(place, tops)]
        before = page.call("settle")
        said.append(compare("shift at insertion", sum(page.call("prepend")), 0))
        after = page.call("settle")
        row = before["rows"][0]["row"]
        said.append(compare("row after insertion", top(after, row), top(before, row)))
        said.append(compare("height after insertion", after["size"], tops[-1]))
        problems += [f"{name}: {error}" for error in page.errors]
    print(f"{name}: {', '.join(said)}", flush=True)
    return problems


def top(place, row):
    return next((found["top"] for found in place["rows"] if found["row"] == row), None)


def check_rows(place, tops):
    """Returns the rows on the screen that do not follow each other as in the table."""
    problems, rows = [], place["rows"]
    if rows[0]["top"] > TOLERANCE or rows[-1]["top"] + rows[-1]["height"] < place["viewport"] - TOLERANCE:
        problems.append(f"a part of the screen has no rows from row {rows[0]['row']} on")
    for one in rows:
        expected = tops[one["row"]] - tops[rows[0]["row"]] + rows[0]["top"]
        if abs(one["top"] - expected) > ROW_TOLERANCE or abs(one["height"] - tops[one["row"] + 1] + tops[one["row"]]) > ROW_TOLERANCE:
            problems.append(f"row {one['row']} is at {one['top']} and {one['height']} high, not at {expected}")
    return problems


if __name__ == "__main__":
    main()
