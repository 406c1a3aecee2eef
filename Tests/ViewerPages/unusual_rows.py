"""Checks of rows that few lists have: cells with thousands of nodes, rows of height 0, texts with both directions,
justified texts, attachments."""

import json
from pathlib import Path

from viewing import Page, View, check, no_errors

CELLS = """version: 1
fonts: {body: {family: Inter, size: 15}}
fallback: [Noto Sans Hebrew]
cells:
  Justified: {layout: {type: stack, children: [{type: text, id: text, text: "{text}", font: body, alignment: justified, style: {width: 150}}]}}
  Attached: {layout: {type: stack, children: [{type: text, id: text, font: body, alignment: "{alignment}", style: {width: 150},
    runs: [{text: "One "}, {attachment: [40, 14]}, {text: " two three four five six seven eight"}]}]}}
  Narrow: {layout: {type: stack, children: [{type: text, id: text, text: "{text}", font: body, style: {width: 50}}]}}
  A: {layout: {type: text, id: text, text: "{text}", font: body}}
  Wide: {layout: {type: stack, children: [{type: text, forEach: items, as: item, id: item, text: "{item}", font: body}]}}
  Many: {layout: {type: stack, direction: vertical, children: [{type: text, forEach: items, as: item, id: item, text: "{item}", font: body}]}}
"""


def check_unusual_rows(browser, galley: str, work: Path):
    check_large_cell(browser, galley, work)
    check_many_nodes(browser, galley, work)
    check_rows_of_height_0(browser, galley, work)
    check_typing_before_heights(browser, galley, work)
    check_directions(browser, galley, work)
    check_justified_lines(browser, galley, work)
    check_attachments(browser, galley, work)
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


def check_many_nodes(browser, galley: str, work: Path):
    """The page has a bound on its elements, and shows the first nodes of each row."""
    rows = [{"cell": "Wide", "items": [f"item {number}" for number in range(300)]}] * 100
    counts = "Array.from(document.querySelectorAll('.cell'), (cell) => cell.querySelectorAll('.node').length)"
    with view_of(galley, work, rows) as view, Page(browser, view.address, height=600) as page:
        for row in (0, 50, 40):
            page.jump_to(row)
            page.wait_for(f"{counts}.length > 20 && Math.min(...{counts}) >= 50")
            nodes = page.run(counts)
            check(min(nodes) == 50 and max(nodes) == 300, f"{min(nodes)} to {max(nodes)} nodes of rows are drawn")
            check(sum(nodes) <= 5000 + 50 * len(nodes), f"{sum(nodes)} nodes are drawn in {len(nodes)} rows")
            labels = page.run("document.querySelectorAll('.undrawn').length")
            check(labels == sum(count < 300 for count in nodes), f"{labels} rows have a label of what is not drawn")
        no_errors(page)


def check_rows_of_height_0(browser, galley: str, work: Path):
    """A label names the rows of height 0 wherever they are, and can be read after a jump to one of them."""
    good, bad = [{"text": "good"}] * 100, [{"cell": "Unknown"}] * 3
    labels = "Array.from(document.querySelectorAll('.row[data-hidden]'), (row) => row.dataset.hidden).join()"
    for rows, number, label in (
        (bad + good, 0, "rows 0 – 2 have height 0"), (good + bad[:1] + good, 100, "row 100 has height 0"),
        (good + bad, 102, "rows 100 – 102 have height 0"), (bad, 1, "rows 0 – 2 have height 0"),
    ):
        with view_of(galley, work, rows) as view, Page(browser, view.address, has_cells=rows != bad) as page:
            page.jump(str(number))
            page.wait_for(f"{labels} === {json.dumps(label)}")
            offset = page.run("""(() => {
              const row = document.querySelector('.row[data-hidden]')
              const list = document.getElementById('list').getBoundingClientRect()
              const top = row.getBoundingClientRect().top + parseFloat(getComputedStyle(row, '::after').top)
              return Math.min(top - list.top, list.bottom - top - 18)
            })()""")
            check(offset >= -0.5, f"{-offset} px of the label {label!r} are outside of the list")
            no_errors(page)


def check_typing_before_heights(browser, galley: str, work: Path):
    """The field keeps the focus if heights arrive after the first cells, while someone types a row in it."""
    held = []
    rows = [{"text": "good"}] * 200
    # With two variants, the page knows the size of the list only when all heights are there.
    with view_of(galley, work, rows, "--text-scale", "1,2") as view, Page(browser, view.address, has_cells=False) as page:
        page.tab.route("**/heights/**", lambda route: held.append(route))
        page.tab.reload()
        page.wait_for("seen.firstCells > 0")
        page.tab.keyboard.press("/")
        page.tab.keyboard.type("1")
        check(len(held) > 0, "the heights were requested under another address")
        for route in held:
            route.continue_()
        page.wait_for("!document.getElementById('list').classList.contains('unmeasured')")
        page.tab.keyboard.type("50")
        page.tab.keyboard.press("Enter")
        page.wait_for("document.getElementById('row-150')?.classList.contains('selected')")
        no_errors(page)


def check_directions(browser, galley: str, work: Path):
    """The directions in a line are those of the whole text, though only a part of it is in the line."""
    texts = (
        # Between Hebrew words, the minus is on the right of its number.
        ("Hi שלום -3 שלום", "3-"),
        # The overrides are in the first line.
        ("\u202dשלום עולם אב", "אב"), ("ש \u202ewords ab", "ba"),
    )
    with view_of(galley, work, [{"cell": "Narrow", "text": text} for text, _ in texts]) as view, Page(browser, view.address) as page:
        page.drawn()
        for row, (_, order) in enumerate(texts):
            lefts = page.run(f"""(() => {{
              const texts = document.createTreeWalker(document.querySelector('#row-{row} .node'), NodeFilter.SHOW_TEXT)
              const lefts = {{}}
              for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {{
                for (let index = 0; index < text.data.length; index += 1) {{
                  const range = document.createRange()
                  range.setStart(text, index)
                  range.setEnd(text, index + 1)
                  lefts[text.data[index]] = range.getBoundingClientRect().left
                }}
              }}
              return lefts
            }})()""")
            left, right = (lefts[letter] for letter in order)
            check(left < right, f"{order[0]!r} is at {left} and {order[1]!r} at {right}")
        no_errors(page)


def check_justified_lines(browser, galley: str, work: Path):
    """All lines of a justified text but the last one fill the text."""
    with view_of(galley, work, [{"cell": "Justified", "text": "some words of a text " * 5}]) as view, Page(browser, view.address) as page:
        lines = page.drawn()[0]["cells"][0]["nodes"][0]["lines"]
        check(len(lines) > 2, f"the text has {len(lines)} lines")
        for line in lines[:-1]:
            check(abs(line["x"] + line["width"] - 150) < 0.5, f"{line['text']!r} ends at {line['x'] + line['width']} of 150")
        no_errors(page)


def check_attachments(browser, galley: str, work: Path):
    """The words beside an attachment leave room for it, also in a justified line."""
    alignments = ("start", "justified")
    with view_of(galley, work, [{"cell": "Attached", "alignment": alignment} for alignment in alignments]) as view, \
            Page(browser, view.address) as page:
        page.drawn()
        for row, alignment in enumerate(alignments):
            before, after = page.run(f"""Array.from(document.querySelector('#row-{row} .line').childNodes)
              .filter((node) => node.textContent !== '').map((node) => node.getBoundingClientRect())""")
            room = after["left"] - before["right"]
            check(abs(room - 40) < 0.5, f"an attachment of 40 points has {room} in a line that is {alignment}")
        no_errors(page)
