"""Compares what `verify` of galley.js writes to the console with what was done to cells."""

import json
import pathlib
import re

import styles
import tables

HERE = pathlib.Path(__file__).parent
NOTES = 60

# The most rows of a list that `verify` reports.
MOST_REPORTS = 20


def check_verification(browser, server, work, galley):
    """Makes notes of CSS boxes, of which exactly those are reported that were made wrong."""
    notes, css = lay_out_notes(work, galley)
    longest = max(range(len(notes)), key=lambda row: len(notes[row]["text"]))
    font = styles.font_file("Inter")
    faces = f"""@font-face {{ font-family: "Absent"; src: url("/fonts/absent.otf") }}
    @font-face {{ font-family: "Wide"; src: url("file://{font}"); size-adjust: 120% }}"""
    with Notes(browser, server, work, notes, css) as page:
        problems = [f"verify says of a right row: {warning}" for warning in page.warnings]
        print(f"verify: {len(notes)} cells of CSS boxes, {len(page.warnings)} reported")
        page.call("enlarge", longest)
        page.call("endVerification")
        page.call("enlarge", 0)
        print("with a larger font in one of them, later:")
        problems += unexpected(page.warnings, rf"row n-{longest} is \d+ px high, the table says \d+: \.text is \d+ lines, not \d+")
    with Notes(browser, server, work, notes, css) as page:
        metrics = {"width": 800, "height": 900, "deviceScaleFactor": 1.25, "mobile": False}
        page.tab.context.new_cdp_session(page.tab).send("Emulation.setDeviceMetricsOverride", metrics)
        page.call("enlarge", longest)
        print("the same on a screen with another scale:")
        note = r" \(devicePixelRatio is 1\.25: zoom, or the scale of the screen\?\)"
        problems += unexpected(page.warnings, rf"row n-{longest} is [0-9.]+ px high, .*: \.text is \d+ lines, not \d+{note}")
    with Notes(browser, server, work, notes, f"{css} .note {{ transform: scale(0.9) }}") as page:
        print(f"with a transform of all of them {len(page.warnings)} reported")
        problems += [f"verify says of a row with a transform: {warning}" for warning in page.warnings]
    print("with another font in one of them:")
    for family, note in (("Absent", r" \(font Absent 400 not loaded\?\)"), ("Nowhere", r" \(font Nowhere 400 not loaded\?\)"), ("Wide", "")):
        rule = f'.note:nth-child({longest + 1}) .text {{ font-family: "{family}", "Wide" }}'
        with Notes(browser, server, work, notes, f"{css} {faces} {rule}") as page:
            pattern = rf"row n-{longest} is \d+ px high, the table says \d+: \.text is \d+ lines, not \d+{note}"
            problems += unexpected(page.warnings, pattern)
    with Notes(browser, server, work, notes, f"{css} .note .text {{ line-height: 22px }}") as page:
        print(f"with another line height in all of them {len(page.warnings)} reported:", page.warnings[-1], sep="\n  ")
        if len(page.warnings) != MOST_REPORTS or not page.warnings[-1].endswith(". Further rows are not reported"):
            problems.append(f"verify says {len(page.warnings)} times that the line height is wrong")
    heights = [row["height"] for row in tables.read(work, "notes", "heights")]
    fixed = "".join(f".note:nth-child({row + 1}) {{ height: {height}px }}" for row, height in enumerate(heights))
    for prefix, expected in (("NoteCell-", " .t"), ("Note", ". No element has the name of a text: ")):
        with Notes(browser, server, work, notes, f"{css} {fixed} .note > * {{ letter-spacing: 6px }}", [prefix]) as page:
            print(f"with other letter spacing in texts of classes such as {prefix}text:", page.warnings[:1], sep="\n  ")
            if len(page.warnings) != MOST_REPORTS or not all(expected in warning for warning in page.warnings):
                problems.append(f"verify says {page.warnings[:1]} of {len(page.warnings)} texts with classes such as {prefix}text")
    with Notes(browser, server, work, notes, f"{css} .note:nth-child({longest + 1}) {{ height: 9px }}") as page:
        print("with a row that is too low:")
        problems += unexpected(page.warnings, rf"row n-{longest} is 24 px high, the table says \d+: \.title is 0 px high, not 20")
    with Notes(browser, server, work, notes, f"{css} .note {{ width: 350px !important }}") as page:
        print("in a narrower list:", page.warnings[0], sep="\n  ")
        if not page.warnings[0].endswith(". It is 350 px wide, the table is for 390"):
            problems.append(f"verify says {page.warnings[0]} of a narrower list")
    page = tables.open_page(browser, server, work, "posts", f'{faces} .cell:nth-child(3) .body {{ font-family: "Absent", "Wide" }}')
    page.call("drawAll")
    page.tab.close()
    print("with another font in one drawn cell:")
    pattern = r"row 2 is as high as in the table, but line 1 of \.text is [0-9.]+ px wide, not [0-9.]+ \(font Absent 400 not loaded\?\)"
    return problems + unexpected(page.warnings, pattern)


def lay_out_notes(work, galley):
    """Lays out notes with the words of the demo, and returns them with the CSS that makes them."""
    rows = [json.loads(line) for line in (work / "demo.jsonl").read_text().splitlines()][:NOTES]
    notes = [{"id": f"n-{row}", "title": title(row, post), "text": text(row, post)} for row, post in enumerate(rows)]
    (work / "notes.jsonl").write_text("".join(json.dumps(note) + "\n" for note in notes))
    (work / "notes.yaml").write_bytes((HERE / "notes.yaml").read_bytes())
    tables.layout(galley, work, "notes")
    return notes, (HERE / "notes.css").read_text()


def title(row, post):
    """Returns a title, of which every third is cut."""
    return f"{post['userName']} " * 20 if row % 3 == 0 else post["userName"]


def text(row, post):
    """Returns a text, of which every fourth has an empty line."""
    words = post.get("caption") or "No words"
    return f"{words}\n\n{words}" if row % 4 == 0 else words


class Notes:
    """A page with notes that are verified, until it is closed."""

    def __init__(self, browser, server, work, notes, css, prefixes=("", "NoteCell-")):
        self.page = tables.open_page(browser, server, work, "notes", css)
        self.page.call("noteAll", notes, prefixes)

    def __enter__(self):
        return self.page

    def __exit__(self, *error):
        self.page.tab.close()


def unexpected(warnings, pattern):
    """Prints the warnings, and returns a problem unless there is exactly one, which matches a pattern."""
    for warning in warnings:
        print(f"  {warning}")
    return [] if len(warnings) == 1 and re.fullmatch(pattern, warnings[0]) else [f"verify says {warnings}, not what matches {pattern}"]
