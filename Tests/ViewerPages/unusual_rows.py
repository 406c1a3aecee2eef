"""Checks of rows that few lists have: cells with thousands of nodes."""

import json
from pathlib import Path

from viewing import Page, View, check, no_errors

CELLS = """version: 1
fonts: {body: {family: Inter, size: 15}}
cells:
  A: {layout: {type: text, id: text, text: "{text}", font: body}}
  Many: {layout: {type: stack, direction: vertical, children: [{type: text, forEach: items, as: item, id: item, text: "{item}", font: body}]}}
"""


def check_unusual_rows(browser, galley: str, work: Path):
    check_large_cell(browser, galley, work)
    print("  unusual rows are shown, or the page says what is not")


def view_of(galley: str, work: Path, rows: list[dict], *options: str) -> View:
    """Returns a view of rows, with texts in the cell class A unless a row has another one."""
    cells, file = work / "unusual.yaml", work / "unusual.jsonl"
    cells.write_text(CELLS)
    file.write_text("".join(json.dumps({"cell": "A"} | row) + "\n" for row in rows))
    return View(galley, "--rows", file, "--cells", cells, "--width", "320", *options)


def check_large_cell(browser, galley: str, work: Path):
    """A cell with too many nodes shows the first ones, and says so wherever one scrolls in it. The panel lists some frames."""
    rows = [{"text": "before"}, {"cell": "Many", "items": [f"item {number}" for number in range(3000)]}, {"text": "after"}]
    with view_of(galley, work, rows) as view, Page(browser, view.address) as page:
        for place in ("1", "@30000"):
            page.jump(place)
            page.wait_for("document.querySelectorAll('#row-1 .node').length === 1000")
            page.wait_for("document.querySelector('#row-1 .undrawn')?.textContent === '2,000 of 6,000 nodes and lines are drawn'")
            page.wait_for("document.querySelector('.undrawn').getBoundingClientRect().top < innerHeight")
        page.tab.keyboard.press("Enter")
        page.wait_for("document.querySelectorAll('#page tbody tr').length === 100")
        page.wait_for("document.querySelectorAll('#page .line-of-tree').length === 100")
        no_errors(page)
