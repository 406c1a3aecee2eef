"""Checks the page of galley view in headless browsers. Tests/Scripts/check-viewer runs it."""

import argparse
import json
import random
import subprocess
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from beside_the_list import check_every_state, check_images, check_replay, take_pictures
from browsers import launch
from slow_replies import check_slow_replies
from unusual_rows import check_unusual_rows
from viewing import Page, Tables, View, check, no_errors, same

MAX_ELEMENTS = 2000
FIRST_CELLS_MILLISECONDS = 500
LONG_TASK_MILLISECONDS = 50
# The advances of glyphs are rounded in other places than ours.
LINE_TOLERANCE = 1.0


def compare(page: Page, tables: dict[str, Tables], expects_texts: bool) -> int:
    """Compares the rows in the viewport with the tables, and returns the number of compared frames."""
    rows = page.drawn()
    frames = 0
    last = None
    for row in rows:
        number = row["row"]
        height = max(table.row_height(number) for table in tables.values())
        same(row["height"], height, f"the height of row {number}")
        if last is not None:
            same(row["top"], last["top"] + last["height"], f"the top of row {number}")
        last = row
        check({cell["variant"] for cell in row["cells"]} <= set(tables), f"row {number} shows other variants")
        for cell in row["cells"]:
            table = tables[cell["variant"]]
            place = f"row {number} in {cell['variant']}"
            same(cell["top"], 0, f"the top of the cell of {place}")
            same(cell["height"], table.row_height(number), f"the height of the cell of {place}")
            expected = table.frames_of(number)
            check(len(cell["nodes"]) == len(expected), f"{place} has {len(cell['nodes'])} nodes, not {len(expected)}")
            for node, frame in zip(cell["nodes"], expected):
                name = f"{node['name']} of {place}"
                check(node["name"] == frame["node"], f"{name} should be {frame['node']}")
                for side in ("x", "y", "width", "height"):
                    same(node[side], frame[side], f"{side} of {name}")
                frames += 1
                if expects_texts:
                    check(len(node["lines"]) == frame["lines"], f"{name} has {len(node['lines'])} lines, not {frame['lines']}")
                for line in node["lines"]:
                    # Spaces at the end of a line stand out of its text, as in the tables.
                    if line["text"] == line["text"].rstrip():
                        check(line["width"] <= frame["width"] + LINE_TOLERANCE, f"{line['text']!r} of {name} is too wide")
    elements = page.run("document.getElementsByTagName('*').length")
    check(elements < MAX_ELEMENTS, f"the page has {elements} elements")
    return frames


def no_surprises(page: Page):
    no_errors(page)
    seen = page.run("({shifts: seen.shifts, sizes: [...seen.sizes], most: seen.mostElements})")
    # Until its font has arrived, a part of a line may be as far off as the two fonts differ. Nothing else moves.
    shifts = [shift for shift in seen["shifts"] if not shift.endswith(": #text")]
    check(shifts == [], f"the layout of the page has shifted: {shifts}")
    check(len(seen["sizes"]) == 1, f"the size of the scroll bar has changed: {seen['sizes']}")
    check(seen["most"] < MAX_ELEMENTS, f"the page had {seen['most']} elements")


def check_stops(page: Page, tables: Tables, variant: str):
    """Goes to places of the list in all ways, and compares each with the tables."""
    viewport = page.run("document.getElementById('list').clientHeight")
    every = {variant: tables}
    last = tables.count - 1
    frames = compare(page, every, expects_texts=True)
    rows = [last, tables.count // 2, 1, *random.sample(range(tables.count), 6)]
    for row in rows:
        page.jump_to(row, str(row) if row % 2 == 0 else f"id:{tables.row_id(row)}")
        frames += compare(page, every, expects_texts=True)
        expected = min(tables.y(row), max(tables.height - viewport, 0))
        same(page.offset(), expected, f"the offset after a jump to row {row}", tolerance=0)
        drawn = next(found for found in page.drawn() if found["row"] == row)
        same(drawn["top"], tables.y(row) - expected, f"the place of row {row} in the viewport", tolerance=0.5)
    third = round(tables.height / 3)
    page.jump(f"@{third}")
    page.settle_within(third, third, "the offset after a jump to it")
    for key, expected in (("g", 0.0), ("G", tables.height - viewport), ("Home", 0.0), ("End", tables.height - viewport)):
        page.tab.keyboard.press(key)
        page.settle_within(expected, expected, f"the offset after {key}")
        frames += compare(page, every, expects_texts=True)
    print(f"  {frames} frames at {len(rows) + 5} places are those of the tables")


def check_wheel_and_keys(page: Page, tables: Tables):
    """A wheel, a key and the scroll bar move the list as far as in any other page."""
    middle = tables.count // 2
    page.jump_to(middle)
    before = page.settle_within(tables.y(middle), tables.y(middle), f"the offset after a jump to row {middle}")
    page.tab.mouse.move(400, 500)
    for delta in (100, 100, -300, 1000):
        page.tab.mouse.wheel(0, delta)
        before = page.settle_within(before + delta - 1, before + delta + 1, f"the offset after a wheel of {delta}")
    page.tab.keyboard.press("PageDown")
    viewport = page.run("document.getElementById('list').clientHeight")
    page.settle_within(before + 0.5 * viewport, before + viewport, "the offset after PageDown")
    page.run("(() => { const list = document.getElementById('list'); list.scrollTop = (list.scrollHeight - list.clientHeight) / 4 * 3 })()")
    # Where an element cannot be as high as the list, a part of the bar is only about the same part of the list.
    least, most = (0.7, 0.95) if tables.height > 4e6 else (0.74, 0.76)
    size = tables.height - viewport
    page.settle_within(least * size, most * size, "the offset at three quarters of the scroll bar")
    page.tab.keyboard.press("g")
    page.tab.keyboard.press("j")
    page.tab.keyboard.press("j")
    page.wait_for("document.querySelector('.row.selected')?.dataset.row === '1'")
    page.tab.keyboard.press("k")
    page.wait_for("document.querySelector('.row.selected')?.dataset.row === '0'")
    page.tab.keyboard.press("Enter")
    page.wait_for(f"document.querySelector('#page h2')?.textContent === {json.dumps(tables.row_id(0))}")
    page.wait_for("document.querySelectorAll('#page .line-of-tree').length > 0")
    page.tab.locator("#row-0 .node.text").first.click()
    page.tab.keyboard.press("End")
    page.wait_for("document.getElementById('row-0') === null")
    page.tab.keyboard.press("Home")
    page.wait_for("document.querySelector('#row-0 .node.chosen') !== null")
    page.tab.keyboard.press("?")
    page.wait_for("document.getElementById('help').open")
    page.tab.keyboard.press("Escape")
    page.wait_for("!document.getElementById('help').open")
    check(page.run("!document.body.classList.contains('without-panel')"), "Escape has closed the panel behind the help")
    print("  wheel, keys and scroll bar move the list by what they should")


def task_times(trace: bytes) -> list[tuple[float, float]]:
    """Returns the wall and processor time in milliseconds of the tasks of the page's main thread, the longest first."""
    events = json.loads(trace)["traceEvents"]
    main = {(event["pid"], event["tid"]) for event in events
            if event["name"] == "thread_name" and event["args"].get("name") == "CrRendererMain"}
    return sorted(((event["dur"] / 1000, event.get("tdur", event["dur"]) / 1000) for event in events
                   if event["name"] in ("RunTask", "ThreadControllerImpl::RunTask") and event.get("ph") == "X"
                   and (event["pid"], event["tid"]) in main), reverse=True)


def check_speed(browser, view: View, is_timed: bool):
    times = []
    for _ in range(3):
        with Page(browser, view.address) as page:
            page.drawn()
            times.append(page.run("seen.firstCells"))
            no_surprises(page)
    print(f"  first cells after {' '.join(f'{time:.0f}' for time in times)} ms")
    check(not is_timed or min(times) <= FIRST_CELLS_MILLISECONDS, "the first cells are late")
    with Page(browser, view.address) as page:
        # Chromium checks a font of 20 MB in the page's main thread, in 0.2 s.
        page.run("Promise.allSettled(Array.from(document.fonts, (face) => face.load()))")
        check_fling(browser, page)
        no_surprises(page)


def check_fling(browser, page: Page):
    """Flings, and measures the tasks of the page. Only the processor's time counts, as a busy machine adds waiting."""
    page.run("seen.frames.length = 0")
    browser.start_tracing(page=page.tab, categories=["toplevel", "disabled-by-default-devtools.timeline"])
    page.tab.mouse.move(400, 500)
    for _ in range(90):
        page.tab.mouse.wheel(0, 1800)
        time.sleep(1 / 60)
    for _ in range(90):
        page.tab.mouse.wheel(0, -1500)
        time.sleep(1 / 60)
    frames = page.run("seen.frames")
    tasks = task_times(browser.stop_tracing())
    page.settle()
    steps = sorted(after - before for before, after in zip(frames, frames[1:]))
    check(len(tasks) > 0, "the trace has no tasks")
    longest = max(processor for _, processor in tasks)
    print(f"  fling: {len(steps)} frames, {steps[len(steps) // 2]:.1f} ms in the middle, {steps[-1]:.1f} ms at most; "
          f"the longest task took {longest:.0f} ms of the processor and {tasks[0][0]:.0f} ms in all")
    check(longest <= LONG_TASK_MILLISECONDS, f"a task took {longest:.0f} ms of the processor")


def check_variants(browser, galley: str, work: Path, examples: Path, has_phones: bool = True):
    """Variants stand side by side, and a row is as tall as the tallest of its cells. Only Chromium can be a phone."""
    tables = work / "posts"
    rows, cells = examples / "posts.jsonl", examples / "posts.yaml"
    subprocess.run([galley, "layout", rows, "--cells", cells, "--width", "320,390", "--text-scale", "1,1.35", "--force",
                    "--output", tables, "--quiet"], check=True)
    with View(galley, tables, "--rows", rows, "--cells", cells) as view:
        with Page(browser, view.address, fragment="#variants=w320,w390,w390-t1.35", width=1900) as page:
            names = ["w320", "w390", "w390-t1.35"]
            chosen = {name: Tables(tables / name) for name in names}
            frames = compare(page, chosen, expects_texts=True)
            for row in page.drawn():
                check([cell["variant"] for cell in row["cells"]] == names, f"row {row['row']} has other columns")
            page.tab.keyboard.press("3")
            page.wait_for("document.querySelector('.row')?.querySelectorAll('.cell').length === 2")
            frames += compare(page, {name: chosen[name] for name in ("w320", "w390-t1.35")}, expects_texts=True)
            no_errors(page)
        if has_phones:
            check_phone(browser, view)
    print(f"  {frames} frames of variants side by side are those of the tables")


def check_phone(browser, view: View):
    with Page(browser, view.address, width=390, height=844) as page:
        check([cell["variant"] for cell in page.drawn()[0]["cells"]] == ["w390"], "a phone shows the variant of its width")
        check(page.run("document.documentElement.scrollWidth <= 390"), "the page is wider than a phone")
        page.tab.touchscreen.tap(200, 300)
        page.wait_for("document.getElementById('panel').getBoundingClientRect().width === 390")
        no_surprises(page)


def check_watching(browser, galley: str, work: Path, examples: Path, count: int):
    """The page follows the cells file, keeps its place, and shows an error without losing the list."""
    cells = work / "watched.yaml"
    good = (examples / "demo.yaml").read_text()
    cells.write_text(good)
    rows = work / "watched.jsonl"
    lines = (work / "demo.jsonl").read_text().splitlines(keepends=True)[:count]
    rows.write_text("".join(lines))

    def save(text: str, file: Path = cells):
        # A file that is written in place is empty for a moment, which can be long on a busy machine.
        new = work / "watched.new"
        new.write_text(text)
        new.rename(file)

    with View(galley, "--rows", rows, "--cells", cells, "--width", "390", "--watch") as view:
        with Page(browser, view.address) as page:
            row = len(lines) // 2
            page.jump_to(row)
            page.settle()
            page.drawn()
            before = page.offset()
            first = int(page.run("document.getElementById('list').dataset.revision"))
            start = time.monotonic()
            save(good.replace("lineHeight: 20", "lineHeight: 26"))
            page.wait_for(f"document.getElementById('list').dataset.revision === '{first + 1}'")
            seconds = time.monotonic() - start
            after = page.drawn()
            check(after[0]["row"] == row and abs(after[0]["top"]) <= 0.5, f"row {row} has lost its place: {after[0]['row']}")
            check(page.offset() > before, "the rows above have not become taller")
            save(good.replace("direction: vertical", "direction: sideways", 1))
            page.wait_for("!document.getElementById('banner').hidden")
            text = page.run("document.getElementById('banner').textContent")
            check("line" in text and "sideways" in text, f"the error is shown as {text!r}")
            check(page.drawn()[0]["row"] == row, "the last good list is not shown any more")
            save(good)
            page.wait_for("document.getElementById('banner').hidden")
            page.wait_for(f"document.getElementById('list').dataset.revision === '{first + 2}'")
            # The offset is noted when the list is drawn, one frame after the new layout has arrived.
            page.drawn()
            same(page.offset(), before, "the offset after the cells file is as before", tolerance=0.5)
            save("".join(lines[10:]), rows)
            page.wait_for(f"document.getElementById('list').dataset.revision === '{first + 3}'")
            check(page.drawn()[0]["row"] == row - 10, "the row at the top is another after rows above were removed")
            no_errors(page)
            # The row at the top is not found, which the browser reports as an error.
            save("", rows)
            page.wait_for("document.getElementById('status').textContent === 'no rows'")
    print(f"  {count} rows: {seconds:.2f} s from saving the cells file to the page")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("galley")
    parser.add_argument("work", type=Path)
    parser.add_argument("--rows", type=int, default=20000)
    parser.add_argument("--timed", action="store_true")
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    galley, work = options.galley, options.work
    print(f"seed {options.seed}")
    random.seed(options.seed)
    examples = work / "examples"
    subprocess.run([galley, "examples", examples], check=True, stdout=subprocess.DEVNULL)
    demo, rows = work / "demo", work / "demo.jsonl"
    subprocess.run([galley, "demo", "--rows", str(options.rows), "--width", "390", "--output", demo, "--keep-rows", rows,
                    "--quiet"], check=True)
    tables = Tables(demo / "w390")
    with sync_playwright() as playwright:
        for name in ("chromium", "firefox"):
            print(f" {name}")
            browser = launch(playwright, name)
            with View(galley, demo, "--rows", rows, "--cells", examples / "demo.yaml") as view:
                with Page(browser, view.address) as page:
                    check_stops(page, tables, "w390")
                    check_wheel_and_keys(page, tables)
                    compare(page, {"w390": tables}, expects_texts=True)
                    no_surprises(page)
                if name == "chromium":
                    check_speed(browser, view, options.timed)
                    check_every_state(browser, view)
                if options.pictures:
                    take_pictures(browser, view, options.pictures, name)
            check_variants(browser, galley, work, examples, has_phones=name == "chromium")
            if name == "chromium":
                check_images(browser, galley, work)
                check_replay(browser, galley, work, demo)
                check_unusual_rows(browser, galley, work)
                check_slow_replies(browser, galley, work)
                check_watching(browser, galley, work, examples, min(options.rows, 10000))
            browser.close()
    print("the page is right")


if __name__ == "__main__":
    main()
