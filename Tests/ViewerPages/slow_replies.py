"""Checks of replies that are late: the page shows one layout of the list, and what the user does meanwhile counts."""

import json
import re
import time
from pathlib import Path
from urllib.parse import urlsplit

from browsers import TIMEOUT_SECONDS
from viewing import DRAWN, Page, View, check, same

CELLS = """version: 1
fonts: {{body: {{family: Inter, size: {size}}}}}
cells:
  A: {{layout: {{type: stack, direction: vertical, children: [
    {{type: text, id: title, text: "{{title}}", font: body}}, {{type: text, id: text, text: "{{text}}", font: body}}]}}}}
"""
REVISION = "document.getElementById('list').dataset.revision"
ROWS = 1000


class Files:
    """The rows and the cells file of a list that is watched. Its checks leave them as they were."""

    def __init__(self, work: Path):
        self.cells, self.rows = work / "slow.yaml", work / "slow.jsonl"
        self.save_cells(15)
        self.save_rows([])

    def save_cells(self, size: float, mistake: str = ""):
        self._save(self.cells, CELLS.format(size=size) + mistake)

    def save_rows(self, inserted: list[str]):
        """Saves rows, of which some ids are inserted before the others."""
        ids = inserted + [f"p-{number}" for number in range(ROWS)]
        self._save(self.rows, "".join(
            json.dumps({"id": id, "cell": "A", "title": f"Row {id}", "text": "word " * (3 + index * 7 % 40)}) + "\n"
            for index, id in enumerate(ids)))

    def _save(self, file: Path, text: str):
        new = file.with_suffix(".new")
        new.write_text(text)
        new.rename(file)


class Held:
    """Holds the requests of a page whose addresses match until `release`, with the replies of now if `is_replied`."""

    def __init__(self, page: Page, pattern: str, is_replied: bool = False):
        self.page, self.pattern, self.is_replied = page, re.compile(pattern), is_replied
        self.routes = []
        self.is_released = False
        page.tab.route(self.pattern, self._take)

    def _take(self, route):
        if self.is_released:
            return route.continue_()
        self.routes.append((route, route.fetch() if self.is_replied else None))

    def wait(self, count: int = 1):
        start = time.monotonic()
        while len(self.routes) < count:
            self.page.tab.wait_for_timeout(10)
            check(time.monotonic() - start < TIMEOUT_SECONDS, f"no request of {self.pattern.pattern}")

    def release(self):
        self.is_released = True
        for route, response in self.routes:
            if response is None:
                route.continue_()
            else:
                route.fulfill(response=response)


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
    page.tab.locator("#page tbody button").nth(1).click()
    page.wait_for("document.querySelector('#page tr.chosen th')?.textContent === 'text'")
    page.tab.wait_for_timeout(50)
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
    """The field keeps what one types, and the focus, when the row of an earlier search is found."""
    held = Held(page, "/find", is_replied=True)
    page.jump("p-700")
    held.wait()
    page.tab.keyboard.type("1")
    held.release()
    page.tab.wait_for_timeout(100)
    page.tab.keyboard.type("2tf2")
    seen = page.run("[document.getElementById('destination').value, document.getElementById('list').dataset.offset]")
    check(seen == ["p-70012tf2", "0"], f"after a late reply, the text of the field and the offset are {seen}")



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
    for condition in (
        "document.getElementById('status')?.textContent === 'the page is incomplete and is loaded again'",
        "document.getElementById('banner')?.hidden === false", "seen.firstCells > 0 && document.getElementById('banner').hidden",
    ):
        # Other than `wait_for`, it goes on while the page is loaded again.
        page.tab.wait_for_function(condition)
    page.jump("@30000")
    page.drawn()
    check(lost == set(), f"{lost} were not requested")


def check_address(page: Page, files: Files):
    """The page follows an address that is entered, and the link to the list leaves the place in it."""
    page.tab.evaluate("location.hash = '#row=700&variants=w390'")
    page.wait_for("document.querySelector('#variants [aria-pressed=true]').textContent.includes('390')")
    check(page.drawn()[0]["row"] == 700, "the row of the address is not at the top")
    address = page.run("location.hash")
    page.tab.locator(".skip").focus()
    page.tab.keyboard.press("Enter")
    page.wait_for("document.activeElement.id === 'list'")
    check(page.run("location.hash") == address, "the link to the list takes the place out of the address")
    page.tab.go_back()
    page.wait_for("document.querySelector('#variants [aria-pressed=true]').textContent.includes('320')")
    check(page.drawn()[0]["row"] == 0, "the row of the earlier address is not at the top")


def check_theme(page: Page, files: Files):
    """The key for light and dark draws the ranges in other colors."""
    ranges = "document.getElementById('ranges').toDataURL()"
    page.tab.wait_for_timeout(300)
    before = page.run(ranges)
    page.tab.keyboard.press("t")
    page.wait_for(f"{ranges} !== {json.dumps(before)}")


def check_parts_before_heights(page: Page, files: Files):
    """A part of the list, and its end, are those of the whole list also if its heights arrive later."""
    for variants in ("w320", "w320,w390"):
        for text, part in (("50%", 0.5), ("100%", 1)):
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


def check_focus(page: Page, files: Files):
    """What has the focus keeps it when it is drawn anew."""
    focus = "document.activeElement.value || document.activeElement.id"

    def relaid(size: float):
        revision = page.run(REVISION)
        files.save_cells(size)
        page.wait_for(f"{REVISION} !== '{revision}'")

    page.tab.locator("#variants button").nth(1).focus()
    page.tab.keyboard.press("Space")
    page.wait_for("document.querySelectorAll('#variants [aria-pressed=true]').length === 2")
    check(page.run(focus) == "w390", f"{page.run(focus)!r} has the focus after a variant was shown")
    page.tab.locator("#tab-heights").focus()
    relaid(20)
    check(page.run(focus) == "tab-heights", f"{page.run(focus)!r} has the focus of a tab after a new layout")
    page.wait_for("document.querySelectorAll('#page .row-list button').length > 3")
    button = page.tab.locator("#page .row-list button").nth(3)
    button.focus()
    row, old = page.run(focus), page.run("document.querySelector('#page .row-list').textContent")
    relaid(15)
    page.wait_for(f"document.querySelector('#page .row-list').textContent !== {json.dumps(old)}")
    check(page.run(focus) in (row, "page"), f"{page.run(focus)!r} has the focus of the list of rows after a new layout")
    page.tab.locator("#row-5 .cell").first.click()
    page.tab.locator("#page tbody button").nth(1).focus()
    page.tab.keyboard.press("Enter")
    page.wait_for("document.querySelector('#page .line-of-tree.chosen') !== null")
    check(page.run("document.activeElement.textContent") == "text", f"{page.run(focus)!r} has the focus of the list of frames")


def check_lost_fonts(page: Page, files: Files):
    """A font that could not be loaded is loaded again."""
    lost = []

    def lose(route):
        lost.append(route)
        return route.abort() if len(lost) < 3 else route.fallback()

    page.tab.route("**/fonts/**", lose)
    page.tab.reload(wait_until="commit")
    page.tab.wait_for_function("document.getElementById('banner')?.hidden === false")
    page.tab.wait_for_function("[...document.fonts].some(({ status }) => status === 'loaded')")
    page.wait_for("document.getElementById('banner').hidden")


CHECKS = [
    check_cell_of_one_layout, check_problem_of_files, check_typing_after_a_search, check_place_and_selection,
    check_pages_of_the_panel, check_lost_requests,
    check_address,
    check_theme,
    check_parts_before_heights,
    check_focus,
    check_lost_fonts,
]
