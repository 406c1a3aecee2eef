"""A running galley view, its page in a browser, and the tables that the page should show."""

import json
import subprocess
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.ipc
from browsers import TIMEOUT_SECONDS, wait_for

# Chromium lays out in units of 1/64 px.
FRAME_TOLERANCE = 1 / 32
REFUSED_FONTS = ("no supported glyph data table(s) present", "rejected by sanitizer")

# Runs before the page: notes when the first cells are drawn, long tasks and layout shifts.
OBSERVERS = """
  window.seen = {firstCells: 0, longTasks: [], shifts: [], frames: [], mostElements: 0, sizes: new Set()}
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.longTasks.push(Math.round(entry.duration))
  }).observe({type: 'longtask', buffered: true})
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const moved = entry.sources.map(({node}) => node?.id || node?.className || node?.nodeName)
      if (!entry.hadRecentInput) seen.shifts.push(`${entry.value}: ${moved.join(', ')}`)
    }
  }).observe({type: 'layout-shift', buffered: true})
  const look = (time) => {
    if (seen.firstCells === 0 && document.querySelector('.cell:not(.waiting) .node')) seen.firstCells = performance.now()
    seen.frames.push(time)
    seen.mostElements = Math.max(seen.mostElements, document.getElementsByTagName('*').length)
    const list = document.getElementById('list')
    if (seen.firstCells > 0 && list) seen.sizes.add(`${list.scrollHeight}/${list.clientHeight}`)
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
"""

# Returns what is drawn in the viewport.
DRAWN = """() => {
  const list = document.getElementById('list')
  const desk = list.getBoundingClientRect()
  const top = desk.top
  const rows = []
  for (const row of list.querySelectorAll('.row')) {
    const box = row.getBoundingClientRect()
    if (box.bottom <= top || box.top >= top + list.clientHeight) continue
    rows.push({row: Number(row.dataset.row), top: box.top - top, height: box.height, hidden: row.dataset.hidden ?? null,
      cells: Array.from(row.querySelectorAll('.cell'), (cell) => {
        const at = cell.getBoundingClientRect()
        return {variant: cell.dataset.variant, isWaiting: cell.classList.contains('waiting'), left: at.left - desk.left,
          width: at.width, height: at.height, top: at.top - box.top,
          nodes: Array.from(cell.querySelectorAll('.node'), (node) => {
            const box = node.getBoundingClientRect()
            return {name: node.dataset.node, x: box.left - at.left, y: box.top - at.top, width: box.width, height: box.height,
              lines: Array.from(node.querySelectorAll('.line'), (line) => {
                const range = document.createRange()
                range.selectNodeContents(line)
                return {text: line.textContent, x: range.getBoundingClientRect().left - at.left, width: range.getBoundingClientRect().width}
              })}
          })}
      })})
  }
  return rows.sort((one, other) => one.row - other.row)
}"""


def check(condition: bool, message: str):
    if not condition:
        raise AssertionError(message)


def same(found: float, expected: float, what: str, tolerance: float = FRAME_TOLERANCE):
    check(abs(found - expected) <= tolerance, f"{what} is {found}, but the tables have {expected}")


def no_errors(page: "Page"):
    check(page.errors == [], f"the page has errors: {page.errors}")


class Tables:
    """The tables of a variant."""

    def __init__(self, directory: Path):
        def table(name):
            return pa.ipc.open_file(pa.memory_map(str(directory / f"{name}.arrow"))).read_all()

        self.heights = table("heights")
        self.frames = table("frames")
        self.count = self.heights.num_rows
        self.height = float(self.y(self.count - 1) + self.row_height(self.count - 1)) if self.count else 0.0

    def y(self, row: int) -> float:
        return self.heights["y"][row].as_py()

    def row_height(self, row: int) -> float:
        return self.heights["height"][row].as_py()

    def row_id(self, row: int) -> str:
        return self.heights["id"][row].as_py()

    def frames_of(self, row: int) -> list[dict]:
        first = self.heights["first_frame"][row].as_py()
        return self.frames.slice(first, self.heights["frame_count"][row].as_py()).to_pylist()


class View:
    """A running `galley view`."""

    def __init__(self, galley: str, *arguments: str):
        self.process = subprocess.Popen([galley, "view", *map(str, arguments)], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        if not self.address.startswith("http://"):
            raise SystemExit(f"galley view printed {self.address!r} instead of its address")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class Page:
    """The page in a tab of a browser."""

    def __init__(self, browser, address: str, width: int = 1440, height: int = 900, scheme: str = "light", fragment: str = "",
                 has_cells: bool = True):
        self.address = address
        is_phone = width < 700
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme,
            device_scale_factor=2 if is_phone else 1, has_touch=is_phone)
        self.tab = self.context.new_page()
        self.errors: list[str] = []
        self.tab.on("console", lambda message: self._note(message.text) if message.type == "error" else None)
        self.tab.on("pageerror", lambda error: self._note(str(error)))
        self.tab.add_init_script(OBSERVERS)
        self.tab.goto(address + "/" + fragment)
        if has_cells:
            self.wait_for("seen.firstCells > 0")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()

    def _note(self, error: str):
        # Firefox takes no font of bitmaps from a page, and uses the one of the system.
        if not error.startswith(REFUSED_FONTS):
            self.errors.append(error)

    def run(self, script: str):
        return self.tab.evaluate(script)

    def wait_for(self, condition: str) -> float:
        """Waits until an expression is true, and returns the seconds that it took."""
        return wait_for(self.tab, condition)

    def drawn(self) -> list[dict]:
        """Returns the rows in the viewport, as soon as they stand still and all have their cells."""
        start = time.monotonic()
        last = None
        while True:
            rows = self.run(DRAWN)
            if rows and rows == last and not any(cell["isWaiting"] for row in rows for cell in row["cells"]):
                return rows
            last = rows
            if time.monotonic() - start > TIMEOUT_SECONDS:
                raise AssertionError(f"the rows in the viewport have no cells after {TIMEOUT_SECONDS} s")
            time.sleep(0.05)

    def offset(self) -> float:
        return self.run("Number(document.getElementById('list').dataset.offset)")

    def jump(self, text: str):
        self.tab.keyboard.press("/")
        self.tab.keyboard.type(text)
        self.tab.keyboard.press("Enter")

    def jump_to(self, row: int, text: str = ""):
        """Jumps to a row by its number, or by another text that means it, and waits until the page has done so."""
        self.jump(text or str(row))
        self.wait_for(f"document.getElementById('row-{row}')?.classList.contains('selected')")

    def settle(self) -> float:
        """Waits until nothing scrolls any more, and returns the offset."""
        last = None
        while True:
            offset = self.offset()
            if offset == last:
                return offset
            last = offset
            time.sleep(0.3)

    def settle_within(self, first: float, last: float, what: str) -> float:
        """Waits until the list stands still at an offset of a range, and returns it. A busy machine may draw the next frame later than
        `settle` expects it."""
        start = time.monotonic()
        while not first <= (offset := self.settle()) <= last:
            check(time.monotonic() - start < TIMEOUT_SECONDS, f"{what} is {offset}, not from {first} to {last}")
        return offset
