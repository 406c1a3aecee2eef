"""Checks of replies that are late or lost: the page shows one layout of the list, and what the user does meanwhile counts."""

import json
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Error

from keyboard_and_address import check_address, check_focus, check_theme
from viewing import DRAWN, Page, View, check, same
from watched import REVISION, Files, Held


def check_slow_replies(browser, galley: str, work: Path):
    files = Files(work)
    with View(galley, "--rows", files.rows, "--cells", files.cells, "--width", "320,390", "--watch") as view:
        for one in CHECKS:
            with Page(browser, view.address, fragment="#row=0&variants=w320") as page:
                page.wait_for("!document.getElementById('list').classList.contains('unmeasured')")
                one(page, files)
                failures = [error for error in page.errors if not error.startswith("Failed to load resource")]
                check(failures == [], f"the page has errors: {failures}")
    print("  late replies change nothing that the user did meanwhile")


def check_cell_of_one_layout(page: Page, files: Files):
    """A node that is chosen while the cell of a new layout is awaited is shown in that layout."""
    page.tab.locator("#row-5 .cell").click(position={"x": 300, "y": 1})
    page.wait_for("document.querySelector('#page .line-of-tree') !== null")
    held = Held(page, r"/cells/w320\?first=5&end=6&")
    files.save_cells(30)
    held.wait()
    with page.tab.expect_event("requestfinished", lambda request: "/inspect/" in request.url):
        page.tab.locator("#page tbody button").nth(1).click()
    page.wait_for("document.querySelector('#page tr.chosen th')?.textContent === 'text'")
    page.run("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    check(page.run("document.querySelector('#page .line-of-tree') === null"), "the tree of a new layout is below an earlier cell")
    held.release()
    page.wait_for("document.querySelector('#page .line-of-tree.chosen') !== null")
    width, height = page.run("Array.from(document.querySelectorAll('#page tr.chosen td.number'), (cell) => cell.textContent)")[2:]
    tree = page.run("document.querySelector('#page .line-of-tree.chosen').textContent")
    check(f" {width}x{height} at" in tree, f"a frame of {width} × {height} is beside {tree!r}")
    files.save_cells(15)


def check_problem_of_files(page: Page, files: Files):
    """The banner shows the problem that the cells file has now, whatever is shown, and whenever a layout arrives."""
    banner = "document.getElementById('banner')"
    files.save_cells(15, "mistake: 1")
    page.wait_for(f"{banner}.textContent.includes('mistake')")
    for count, key in ((2, "2"), (1, "1")):
        page.tab.keyboard.press(key)
        page.wait_for(f"document.querySelectorAll('#variants [aria-pressed=true]').length === {count}")
        check(page.run(f"!{banner}.hidden"), "the mistake of the cells file is not shown with other variants")
    held = Held(page, "/heights/")
    revision = page.run(REVISION)
    files.save_cells(18)
    held.wait()
    page.wait_for(f"{banner}.hidden")
    files.save_cells(18, "mistake: 1")
    page.wait_for(f"!{banner}.hidden")
    held.release()
    page.wait_for(f"{REVISION} !== '{revision}'")
    check(page.run(f"!{banner}.hidden"), "a layout from before a mistake hides it")
    files.save_cells(15)
    page.wait_for(f"{banner}.hidden")


def check_typing_after_a_search(page: Page, files: Files):
    """The field keeps what one types, and the focus, as an earlier search is given up. A search takes no focus from another element."""
    held = Held(page, "/find", is_replied=True)
    page.jump("p-700")
    held.wait()
    with page.tab.expect_event("requestfailed", lambda request: "/find" in request.url):
        page.tab.keyboard.type("1")
    held.release()
    page.tab.keyboard.type("2tf2")
    seen = page.run("[document.getElementById('destination').value, document.getElementById('list').dataset.offset]")
    check(seen == ["p-70012tf2", "0"], f"after a late reply, the text of the field and the offset are {seen}")
    held = Held(page, r"/find\?id=p-800", is_replied=True)
    page.tab.fill("#destination", "p-800")
    page.tab.keyboard.press("Enter")
    held.wait()
    page.tab.keyboard.press("Tab")
    focus = page.run("document.activeElement.id")
    held.release()
    page.wait_for("document.getElementById('row-800')?.classList.contains('selected')")
    check(page.run("document.activeElement.id") == focus != "list", f"a late reply takes the focus of {focus!r}")


def check_place_and_selection(page: Page, files: Files):
    """A layout that arrives late is shown where one is then, with the row selected that was."""
    page.tab.keyboard.press("j")
    page.wait_for("document.querySelector('.row.selected')?.dataset.row === '0'")
    held = Held(page, r"/cells/w320\?first=0&end=1&")
    revision = page.run(REVISION)
    files.save_rows(["new-1", "new-2"])
    held.wait()
    page.jump("@20000")
    page.wait_for("document.getElementById('list').dataset.offset === '20000'")
    before = page.run(DRAWN)[0]["row"]
    held.release()
    page.wait_for(f"{REVISION} !== '{revision}'")
    check(page.drawn()[0]["row"] == before, f"row {before} at the top is another one in a late layout")
    page.jump("@0")
    page.wait_for("document.querySelector('.row.selected')?.textContent.startsWith('Row p-0')")
    files.save_rows([])


def check_pages_of_the_panel(page: Page, files: Files):
    """The panel shows nothing of another page or variant while a reply is awaited, and the ranges of the viewport."""
    text = "document.getElementById('page').innerText"
    page.tab.click("#tab-problems")
    page.wait_for(f"{text} === 'All rows are good.'")
    tallest = Held(page, "/tallest/")
    page.tab.click("#tab-heights")
    tallest.wait()
    check(page.run(text) == "Reading …", "the panel shows another page than the one that is open")
    page.tab.click("#tab-problems")
    page.wait_for(f"{text} === 'All rows are good.'")
    tallest.release()
    page.tab.click("#tab-prefetch")
    page.wait_for(f"{text}.includes('Ranges in w320')")
    before = page.run("document.querySelector('#page tbody').innerText")
    page.tab.set_viewport_size({"width": 1440, "height": 400})
    page.wait_for(f"document.querySelector('#page tbody').innerText !== {json.dumps(before)}")
    ranges = Held(page, "/prefetch/")
    page.tab.keyboard.press("2")
    page.tab.keyboard.press("1")
    page.wait_for("document.querySelector('#variants [aria-pressed=true]').textContent.includes('390')")
    page.wait_for(f"{text} === 'Reading …'")
    ranges.release()
    page.wait_for(f"{text}.includes('Ranges in w390')")


def wait_over_loads(page: Page, condition: str):
    """Waits until an expression is true, also while the page is loaded again."""
    while True:
        try:
            page.wait_for(condition)
            return
        except Error as error:
            if "Execution context was destroyed" not in str(error):
                raise


def check_lost_requests(page: Page, files: Files):
    """A page whose first requests all get no reply shows the list nevertheless, and nothing of what is over."""
    lost = {"/galley.js", "/list.json", "/heights/w320", "/cells/w320"}

    def lose(route):
        path = urlsplit(route.request.url).path
        if path not in lost:
            return route.fallback()
        lost.remove(path)
        return route.abort()

    page.tab.route("**/*", lose)
    page.tab.reload(wait_until="commit")
    # The module that is lost first has the page loaded again.
    wait_over_loads(page, "document.getElementById('banner')?.hidden === false")
    wait_over_loads(page, "seen.firstCells > 0 && document.getElementById('banner').hidden")
    page.jump("@30000")
    page.drawn()
    check(lost == set(), f"{lost} were not requested")


def check_parts_before_heights(page: Page, files: Files):
    """A part of the list, and its end, are those of the whole list also if its heights arrive later."""
    for variants, text, part in (("w320", "50%", 0.5), ("w320,w390", "100%", 1)):
        page.tab.goto("about:blank")
        held = Held(page, "/heights/")
        page.tab.goto(f"{page.address}/#row=0&variants={variants}")
        page.wait_for("seen.firstCells > 0")
        page.jump(text)
        if variants == "w320":
            page.wait_for("document.getElementById('status').textContent.startsWith('reading the heights · ')")
        held.release()
        page.wait_for("!document.getElementById('list').classList.contains('unmeasured')")
        page.drawn()
        size, viewport = page.run("[document.getElementById('list').scrollHeight, document.getElementById('list').clientHeight]")
        same(page.offset(), min(size * part, size - viewport), f"the offset after a jump to {text} of {variants}", tolerance=1)


def check_lost_fonts(page: Page, files: Files):
    """A font that could not be loaded is loaded again."""
    lost = []

    def lose(route):
        lost.append(route)
        return route.abort() if len(lost) < 3 else route.fallback()

    page.tab.route("**/fonts/**", lose)
    page.tab.reload(wait_until="commit")
    wait_over_loads(page, "document.getElementById('banner')?.hidden === false")
    page.wait_for("[...document.fonts].some(({ status }) => status === 'loaded')")
    page.wait_for("document.getElementById('banner').hidden")


CHECKS = [
    check_cell_of_one_layout, check_problem_of_files, check_typing_after_a_search, check_place_and_selection,
    check_pages_of_the_panel, check_parts_before_heights, check_lost_requests, check_lost_fonts, check_address, check_theme, check_focus,
]
