"""The figures of compare.py as lines, as tables of Markdown, and as a page of HTML."""

import html

POSITIONS = {
    "list": ("list", str),
    "heights": ("heights", str),
    "height": ("content at the start", lambda value: percent(value)),
    "restored": ("row at the start", lambda value: pixels(value)),
    "thumb": ("scroll bar then", lambda value: percent(value)),
    "stored": ("stored offset", lambda value: pixels(value)),
    "jump": ("jump to a row", lambda value: pixels(value)),
    "down": ("shifts down", lambda value: pixels(value)),
    "downFrames": ("frames", str),
    "up": ("shifts up", lambda value: pixels(value)),
    "upFrames": ("frames", str),
}
COSTS = {
    "list": ("list", str),
    "heights": ("heights", str),
    "start": ("start, ms", lambda value: f"{value:,.0f}"),
    "layouts": ("layouts", lambda value: f"{value:,.0f}"),
    "layoutTime": ("layout, ms", lambda value: f"{value:,.0f}"),
    "scriptTime": ("script, ms", lambda value: f"{value:,.0f}"),
    "taskTime": ("all tasks, ms", lambda value: f"{value:,.0f}"),
    "longTasks": ("long tasks", lambda value: f"{value:,.0f}"),
    "heap": ("heap, MB", lambda value: f"{value / 1e6:.1f}"),
    "nodes": ("DOM nodes", lambda value: f"{value:,.0f}"),
    "bytes": ("script, bytes", lambda value: f"{value:,}"),
}

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Lists with known and with measured heights</title>
<style>
  :root {{ color-scheme: light dark }}
  body {{ max-width: 72rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif }}
  .wide {{ overflow-x: auto }}
  table {{ border-collapse: collapse; font-variant-numeric: tabular-nums }}
  td {{ white-space: nowrap }}
  th, td {{ padding: .25rem .6rem; text-align: right; border-bottom: 1px solid #8884; vertical-align: bottom }}
  :is(th, td):nth-child(-n + 2) {{ text-align: left }}
  tr.tables {{ background: #3a83 }}
</style>
<h1>Lists with known and with measured heights</h1>
<p>Rows of the demo's feed in Chromium {chromium}, in a viewport of 390 × 844. A list has the heights of the tables, or measures
each row when it renders it, and assumes an estimate for the others: the mean of all heights, or a bad one.</p>
<h2>Positions</h2>
<p>Differences from the table: of the height of the content, of the row in the middle of the list to which a list scrolls when
it starts, of the scroll bar then, of what a list shows at a stored offset of this row, and of a row to which it jumps. Shifts
are the pixels by which rows moved on the screen beyond what was scrolled, added up over the frames in which they did, while
the list was scrolled by 20 screens in 140 frames.</p>
<div class="wide">{positions}</div>
<h2>Costs</h2>
<p>The time until a list stands still after its start, and what it costs to scroll it down by 20 screens with the processor
slowed down to a quarter; medians of three runs. The script is that of the list with its library and galley.js but without
React, compressed with gzip. Lists with heights also load {heights:,} bytes of heights.</p>
<div class="wide">{costs}</div>
</html>
"""


def pixels(value):
    return f"{abs(value):,.0f} px" if abs(value) >= 1 else "0"


def percent(value):
    return f"{value:+.1%}" if abs(value) >= 0.0005 else "0"


def line(result):
    """Returns a result in one line."""
    columns = {**POSITIONS, **COSTS}
    return ", ".join(f"{title} {form(result[name])}" for name, (title, form) in columns.items())


def markdown(results):
    """Returns the tables of positions and of costs."""
    tables = []
    for columns in (POSITIONS, COSTS):
        rows = [[title for title, _ in columns.values()], ["---"] * len(columns)]
        rows += [[form(result[name]) for name, (_, form) in columns.items()] for result in results]
        tables.append("\n".join(f"| {' | '.join(row)} |" for row in rows))
    return "\n\n".join(tables)


def page(results, about):
    """Returns a page without any other file."""

    def table(columns):
        head = "".join(f"<th>{html.escape(title)}</th>" for title, _ in columns.values())
        rows = []
        for result in results:
            cells = "".join(f"<td>{html.escape(form(result[name]))}</td>" for name, (_, form) in columns.items())
            rows.append(f"<tr class=\"{result['heights'].split()[0]}\">{cells}</tr>")
        return f"<table><tr>{head}</tr>{''.join(rows)}</table>"

    return PAGE.format(positions=table(POSITIONS), costs=table(COSTS), **about)
