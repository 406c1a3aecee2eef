"""Runs the samples of the article WebLists in Chromium with the libraries themselves, with rows of the demo.

Each list must be as high as the table says, start at the stored position, jump to rows, keep its rows where they are when
others are inserted, appended or removed or the width changes, and move nothing while it is scrolled. A list that is shorter than
the screen must show all its rows.
"""

import argparse
import bisect
import pathlib
import struct
import subprocess
import sys
import tempfile

import playwright.sync_api

HERE = pathlib.Path(__file__).parent
sys.path += [str(HERE.parent / name) for name in ("ChromiumCases", "WebTexts")]
import building  # noqa: E402
import demo  # noqa: E402
import serving  # noqa: E402

ROWS = 10_000
VIEWPORT, OTHER_VIEWPORT = {"width": 390, "height": 844}, {"width": 412, "height": 844}

# The row and the distance at which a list starts, and the rows that it jumps to.
ANCHOR, DISTANCE = 5000, 123
JUMPS = [9900, 60, 2500]

# The height in pixels that the last of these rows gets.
EXPANDED = 700

# The rows below each heading, and the pixels of one; the frames in which a message gets longer.
GROUP, HEADING, WRITING_FRAMES = 25, 40, 30

# The milliseconds after which Legend List has sorted its elements, which moves some of them in the page.
SORTING_MILLISECONDS = 600

# The rows that harness.js holds back at first. As many are appended, and removed from this row on and inserted again.
HELD, REMOVED = 50, 100

# A list that is shorter than the screen: its rows, and those that harness.js holds back at first.
HIGH_VIEWPORT, SHORT_ROWS, SHORT_HELD = {"width": 390, "height": 9000}, 12, 4

# The pixels of a frame's scroll, and the frames.
STEP, FRAMES = 120, 140

# The pixels by which a row can be beside its place on the screen, as Chromium scrolls by whole pixels, and beside its place
# below the row before it, as lengths of CSS are 32-bit floats: those of five million pixels are multiples of a half.
TOLERANCE, ROW_TOLERANCE = 1, 1 / 2

# How rows are appended.
SAME, ANOTHER = "appending with the same anchor", "appending with another anchor"

# What the article states to be wrong: a height that the component assumes for new rows until it has rendered them, and frames
# without rows when it is mounted again.
ASSUMING = {"virtuoso-jsx": ["insertion", SAME], "virtua-jsx": [SAME], "virtua-vue": [SAME]}
REMOUNTING = {
    "virtuoso-jsx": ["removal", "insertion elsewhere", ANOTHER],
    "virtua-vue": ["insertion", "removal", "insertion elsewhere", ANOTHER],
}
KNOWN = {(name, f"{what} after {change}") for name in ASSUMING for change in ASSUMING[name] for what in ("height", "scroll bar")}
KNOWN |= {(name, f"shift at {change}") for name in REMOUNTING for change in REMOUNTING[name]}

# The changes at which lists lose the focus, and the list whose sample makes no other change than insertions at the top.
LOSES_FOCUS = {("vue-virtual-scroller-vue", change) for change in ("insertion", SAME, ANOTHER)}
LOSES_FOCUS |= {(name, change) for name in ("virtua-jsx", "virtua-vue") for change in ("insertion", ANOTHER)}
LOSES_FOCUS |= {("virtuoso-jsx", ANOTHER)}
ONLY_INSERTS = "content-visibility-js"


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("galley", type=pathlib.Path, help="the program")
    arguments.add_argument("libraries", type=pathlib.Path, help="the directory of the packages, such as node_modules")
    arguments.add_argument("react", type=pathlib.Path, help="the directory that has react and react-dom")
    arguments.add_argument("samples", nargs="*", default=list(building.SAMPLES), help="samples to run, instead of all")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as scratch, playwright.sync_api.sync_playwright() as driver:
        work = pathlib.Path(scratch)
        rows, [tables, others], css = demo.lay_out(options.galley, work, ROWS, VIEWPORT["width"], OTHER_VIEWPORT["width"])
        tops, other_tops = [read_heights(options.galley, variant, work) for variant in (tables, others)]
        builder = building.Builder(options.libraries, options.react, work)
        files = {"rows.jsonl": rows, "heights.arrow": tables / "heights.arrow", "other-heights.arrow": others / "heights.arrow"}
        server = serving.Server(builder.built, css, files)
        browser = serving.launch(driver, work)
        checks = {"sticky.jsx": check_sticky, "chat.jsx": check_chat}
        problems = [
            problem
            for sample in options.samples
            for script in [builder.build(sample)]
            for problem in checks.get(sample, check)(browser, server, script, tops, other_tops)
            + check_short(browser, server, script, tops)
        ]
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


def check(browser, server, script, tops, other_tops):
    """Prints how far a list is from the table, and returns what is not as it must be."""
    name, problems = script.removesuffix(".js"), []

    def compare(what, found, expected):
        if (name, what) not in KNOWN and (found is None or abs(found - expected) > TOLERANCE):
            problems.append(f"{name}: {what} is {found}, not {expected}")
        return f"{what} {'none' if found is None else f'{found - expected:+.2f}'}"

    with serving.Page(browser, server, script, VIEWPORT, rows=ROWS, held=HELD, row=ANCHOR, distance=DISTANCE) as page:
        start = page.call("settle")
        said = [compare("height", start["size"], tops[-1] - tops[HELD]), compare("start", top(start, ANCHOR), -DISTANCE)]
        shifts = page.call("scrollWatched", STEP, FRAMES) + page.call("scrollWatched", -STEP, FRAMES)
        said.append(compare("shift while scrolling", sum(shifts), 0))
        for row in JUMPS:
            place = page.call("jump", row)
            said.append(compare(f"jump to {row}", top(place, row), 0))
            said.append(compare("scroll bar", place["offset"], tops[row] - tops[HELD]))
            problems += [f"{name}: {problem}" for problem in check_rows(place, tops)]
        place = page.call("expand", JUMPS[-1], EXPANDED)
        longer = EXPANDED - tops[JUMPS[-1] + 1] + tops[JUMPS[-1]]
        tops = tops[: JUMPS[-1] + 1] + [top + longer for top in tops[JUMPS[-1] + 1 :]]
        said.append(compare("expanded row", top(place, JUMPS[-1]), 0))
        said.append(compare("height then", place["size"], tops[-1] - tops[HELD]))
        problems += [f"{name}, after expansion: {problem}" for problem in check_rows(place, tops, JUMPS[-1])]
        before, renewed = page.call("jump", JUMPS[0]), page.call("renew")
        said.append(compare("offset with a copy of the rows", renewed["offset"], before["offset"]))
        said += check_changes(page, name, compare, problems, before, tops, other_tops)
        problems += [f"{name}: {error}" for error in page.errors]
    print(f"{name}: {', '.join(said)}", flush=True)
    return problems


def check_changes(page, name, compare, problems, before, tops, other_tops):
    """Inserts and removes rows, and changes the width. The row at the top of the screen must stay there."""
    said, first = [], before["rows"][0]

    def compare_place(change, place, tops):
        said.append(compare(f"row after {change}", top(place, first["row"]), first["top"]))
        said.append(compare(f"height after {change}", place["size"], tops[-1]))
        said.append(compare(f"scroll bar after {change}", place["offset"], tops[first["row"]] - first["top"]))
        problems.extend(f"{name}, after {change}: {problem}" for problem in check_rows(place, tops))

    def compare_growth(change, grown, tops):
        said.append(compare(f"shift at {change}", sum(grown["shifts"]), 0))
        said.append(f"focus {'kept' if grown['focused'] else 'lost'}")
        if grown["focused"] == ((name, change) in LOSES_FOCUS):
            problems.append(f"{name}: {said[-1]} at {change}")
        compare_place(change, page.call("settle"), tops)

    compare_growth("insertion", page.call("prepend", True), tops)
    if name == ONLY_INSERTS:
        return said
    height = tops[REMOVED + HELD] - tops[REMOVED]
    said.append(compare("shift at removal", sum(page.call("remove", REMOVED, HELD)), 0))
    compare_place("removal", page.call("settle"), [top if top <= tops[REMOVED] else top - height for top in tops])
    said.append(compare("shift at insertion elsewhere", sum(page.call("insert", REMOVED)), 0))
    compare_place("insertion elsewhere", page.call("settle"), tops)
    place = page.call("jump", REMOVED)
    said.append(compare(f"jump to {REMOVED}", place["offset"], tops[REMOVED]))
    problems += [f"{name}, after insertion elsewhere: {problem}" for problem in check_rows(place, tops)]
    first = page.call("jump", JUMPS[0])["rows"][0]
    page.tab.set_viewport_size(OTHER_VIEWPORT)
    compare_place("change of width", page.call("widen", first["row"], first["top"]), other_tops)
    tops = other_tops
    for change, is_anchored in ((SAME, False), (ANOTHER, True)):
        first = page.call("jump", JUMPS[0])["rows"][0]
        tops = tops + [tops[-1] + top for top in tops[1 : HELD + 1]]
        page.tab.wait_for_timeout(SORTING_MILLISECONDS)
        compare_growth(change, page.call("append", HELD, is_anchored), tops)
        place = page.call("jump", len(tops) - 2)
        problems += [f"{name}, at the end after {change}: {problem}" for problem in check_rows(place, tops)]
    return said


def check_sticky(browser, server, script, tops, _):
    """Scrolls a list with a heading before each group of rows, of which the last one above must be at the top of the screen."""
    heights = [bottom - top for top, bottom in zip(tops, tops[1:])]
    tops, headings = [0.0], []
    for row, height in enumerate(heights):
        if row % GROUP == 0:
            headings.append(len(tops) - 1)
            tops.append(tops[-1] + HEADING)
        tops.append(tops[-1] + height)
    problems = []
    with serving.Page(browser, server, script, VIEWPORT, rows=ROWS, held=HELD, row=ANCHOR, distance=DISTANCE, group=GROUP) as page:
        place = page.call("settle")
        shifts = 0
        for step in [0, STEP, -STEP, -STEP]:
            shifts += sum(page.call("scrollWatched", step, FRAMES))
            place = page.call("settle")
            problems += check_rows(place, tops)
            top = tops[place["rows"][0]["row"]] - tops[HELD] - place["offset"]
            if abs(place["rows"][0]["top"] - top) > TOLERANCE:
                problems.append(f"row {place['rows'][0]['row']} is at {place['rows'][0]['top']}, not at {top}")
            first = bisect.bisect_right(tops, tops[HELD] + place["offset"]) - 1
            expected = [{"row": headings[bisect.bisect_right(headings, first) - 1], "top": 0}]
            found = page.call("sticky")
            if found != expected:
                problems.append(f"{found} stick to the top, not {expected}")
        # The first rows of the page have no heading above them.
        page.call("scrollTo", 0)
        if (found := page.call("sticky")) != []:
            problems.append(f"{found} stick to the top, where no heading is above")
        page.call("scrollTo", tops[ANCHOR])
        inserted, found = page.call("prepend", True), page.call("settle")
        if inserted["shifts"] or not inserted["focused"] or abs(found["size"] - tops[-1]) > TOLERANCE:
            problems.append(f"{inserted} at insertion, and {found['size']} high, not {tops[-1]}")
        problems += check_rows(found, tops)
        problems += page.errors
    if abs(place["size"] - tops[-1] + tops[HELD]) > TOLERANCE or shifts:
        problems.append(f"the list is {place['size']} high, not {tops[-1] - tops[HELD]}, or rows moved by {shifts}")
    print(f"sticky-jsx: {len(headings)} headings, shift while scrolling {shifts}", flush=True)
    return [f"sticky-jsx: {problem}" for problem in problems]


def check_chat(browser, server, script, tops, _):
    """Writes a message at the end of a list, which must stay there, or where it is if it is not at the end."""
    problems, said = [], []
    for back in (0, 2000):
        with serving.Page(browser, server, script, VIEWPORT, rows=ROWS, held=HELD, row=HELD, distance=0) as page:
            start = page.call("settle")
            if abs(start["rows"][-1]["top"] + start["rows"][-1]["height"] - start["viewport"]) > TOLERANCE:
                problems.append(f"the chat does not start at its end: {start['rows']}")
            page.call("scrollTo", start["offset"] - back)
            inserted = sum(page.call("prepend", True)["shifts"])
            written = page.call("write", WRITING_FRAMES)
            moved, beside = sum(written["shifts"]), max(written["ends"], default=0)
            if abs(written["missing"]) > TOLERANCE:
                problems.append(f"the list is {written['missing']} px lower than the table when the message is complete")
            said.append(
                f"{back} px before the end: shift at insertion {inserted:.2f}, while a message is written {moved:.2f}, "
                f"its end {beside:.2f}"
            )
            if inserted or (back and moved) or (not back and (beside > TOLERANCE or not written["ends"])):
                problems.append(said[-1])
            problems += page.errors
    print(f"chat-jsx: {', '.join(said)}", flush=True)
    return [f"chat-jsx: {problem}" for problem in problems]


def check_short(browser, server, script, tops):
    """Inserts and appends rows with the same anchor in a list that is shorter than the screen, and returns what it leaves out."""
    name = script.removesuffix(".js")
    query = {"rows": SHORT_ROWS, "held": SHORT_HELD, "row": SHORT_ROWS - 1, "distance": DISTANCE}
    with serving.Page(browser, server, script, HIGH_VIEWPORT, **query) as page:
        states = [("at the start", page.call("settle"), range(SHORT_HELD, SHORT_ROWS))]
        page.call("prepend", False)
        states.append(("after insertion", page.call("settle"), range(SHORT_ROWS)))
        if name != ONLY_INSERTS:
            page.call("append", SHORT_HELD, False)
            states.append(("after appending", page.call("settle"), range(SHORT_ROWS + SHORT_HELD)))
        errors = page.errors
    tops = tops[: SHORT_ROWS + 1] + [tops[SHORT_ROWS] + top for top in tops[1 : SHORT_HELD + 1]]
    problems = [f"{name}: {error}" for error in errors]
    for when, place, rows in states:
        found = [(row, top(place, row), tops[row] - tops[rows[0]]) for row in rows]
        beside = [row for row, place, expected in found if place is None or abs(place - expected) > TOLERANCE]
        if beside:
            problems.append(f"{name}, shorter than the screen {when}: rows {beside} are missing or in other places")
    return problems


def top(place, row):
    return next((found["top"] for found in place["rows"] if found["row"] == row), None)


def check_rows(place, tops, expanded=None):
    """Returns the rows on the screen that are not where the table has them. The content of `expanded` ends above its end."""
    problems, rows = [], place["rows"]
    if rows[0]["top"] > TOLERANCE or rows[-1]["top"] + rows[-1]["height"] < place["viewport"] - TOLERANCE:
        problems.append(f"a part of the screen has no rows from row {rows[0]['row']} on")
    for one in rows:
        expected = tops[one["row"]] - tops[rows[0]["row"]] + rows[0]["top"]
        height = one["height"] if one["row"] == expanded else tops[one["row"] + 1] - tops[one["row"]]
        if abs(one["top"] - expected) > ROW_TOLERANCE or abs(one["height"] - height) > ROW_TOLERANCE:
            problems.append(f"row {one['row']} is at {one['top']} and {one['height']} high, not at {expected}")
    return problems


if __name__ == "__main__":
    main()
