"""Runs the commands of the article WebFeed as they stand there, and looks at its page in Chromium: `check.py GALLEY`.
Tests/Scripts/check-web-feed runs it."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from browsers import PIXEL, TIMEOUT_SECONDS, check_accessibility, launch
from playwright.sync_api import sync_playwright

REPOSITORY = pathlib.Path(__file__).parent.parent.parent
ARTICLE = REPOSITORY / "Sources" / "Documentation.docc" / "WebFeed.md"
# What differs from run to run in what programs print.
VARYING = re.compile(r" in \d+\.\d+ s.*|\d+\.\d+ px")
VIEWPORT = {"width": 397, "height": 800}

# The rows that are drawn, and those of them whose place or height is not that of the table.
DRAWN = """async () => {
  const { Heights, variantFor } = await import('./galley.js')
  const tables = await variantFor('tables', Math.floor(feed.clientWidth / 10) * 10, { platform: 'web' })
  const heights = await Heights.fromArrow(`${tables}/heights.arrow`)
  const isWrong = (element) => {
    const box = element.getBoundingClientRect()
    const row = Number(element.dataset.row)
    const top = box.top - content.getBoundingClientRect().top
    return Math.abs(top - heights.offsetOf(row)) > 0.1 || Math.abs(box.height - heights.heightOf(row)) > 0.1
  }
  const elements = Array.from(content.children)
  return {
    rows: elements.map(({ dataset }) => Number(dataset.row)), wrong: elements.filter(isWrong).length, size: content.clientHeight,
    expected: Math.round(heights.size), top: heights.rowAt(feed.scrollTop), width: content.clientWidth, room: feed.clientWidth,
    overflow: feed.scrollWidth - feed.clientWidth,
  }
}"""


def parts():
    """Returns the commands, the files and the outputs of the article in their order, as (kind, text)."""
    found = []
    fence = None
    for line in ARTICLE.read_text().splitlines():
        if line.startswith("```"):
            fence = None if fence is not None else line[3:]
            if fence is not None:
                found.append([fence, ""])
        elif fence is not None:
            found[-1][1] += line + "\n"
        elif line.startswith("    "):
            found.append(["command", line.strip()])
    return found


def same(printed: str, shown: str) -> bool:
    return VARYING.sub("", printed).strip() == VARYING.sub("", shown).strip()


class Page:
    """The page of the article, and the messages in its console."""

    def __init__(self, browser, address: str):
        self.tab = browser.new_page(viewport=VIEWPORT)
        self.messages: list[str] = []
        self.tab.route(re.compile("^https?://(?!localhost)"), lambda route: route.fulfill(body=PIXEL, content_type="image/png"))
        self.tab.on("console", lambda message: self.messages.append(message.text))
        self.tab.on("pageerror", lambda error: self.messages.append(str(error)))
        self.tab.goto(address)
        self.tab.wait_for_function("document.querySelectorAll('.row').length > 0")

    def check(self, first: int):
        """Waits until the rows are drawn as they must be, with a row at the top."""
        self.wait_until(lambda: self.tab.evaluate(DRAWN), lambda drawn: (
            drawn["wrong"] == 0 and drawn["size"] == drawn["expected"] and drawn["top"] == first and first in drawn["rows"]
            and drawn["room"] - 10 < drawn["width"] <= drawn["room"] and drawn["overflow"] == 0))

    def wait_until(self, find, is_right):
        """Waits until what is found is right. If it never is, it is the error."""
        start = time.monotonic()
        while True:
            # What is right at once may still move.
            self.tab.wait_for_timeout(300)
            if is_right(found := find()):
                return
            assert time.monotonic() - start < TIMEOUT_SECONDS, found

    def visit_again(self, place: dict):
        """Loads the page again as after a visit that ended at a place. The page keeps its own place until it ends."""
        self.tab.evaluate("(place) => addEventListener('pagehide', () => { sessionStorage.place = place })", json.dumps(place))
        self.tab.reload()


def check_page(browser, address: str):
    """The rows that are drawn lie where the table says, after jumps and a reload too, and nothing is in the console."""
    page = Page(browser, address)
    page.check(0)
    check_accessibility(page.tab, "the page of the article WebFeed")
    for row in (10, 500, 998, 3):
        page.tab.evaluate("""async (row) => {
          const { Heights, variantFor } = await import('./galley.js')
          const tables = await variantFor('tables', Math.floor(feed.clientWidth / 10) * 10, { platform: 'web' })
          feed.scrollTop = (await Heights.fromArrow(`${tables}/heights.arrow`)).offsetOf(row) + 1
        }""", row)
        page.check(row)
    page.tab.reload()
    page.tab.wait_for_function("document.querySelectorAll('.row').length > 0")
    page.check(3)
    # At the width of an earlier visit, the row was higher.
    page.visit_again({"row": 3, "distance": 5000})
    page.tab.wait_for_function("JSON.parse(sessionStorage.place).row === 4")
    # At an earlier visit, the feed had more rows.
    page.visit_again({"row": 5000, "distance": 7})
    page.tab.wait_for_function("Array.from(content.children).some(({ dataset }) => dataset.row === '999')")
    assert page.messages == [], page.messages
    page.tab.close()


def check_missing_font(browser, address: str, shown: str):
    page = Page(browser, address)
    page.wait_until(lambda: page.messages, lambda messages: any(same(text, shown) for text in messages))
    page.tab.close()


def main():
    galley = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        (pathlib.Path(scratch) / "bin").mkdir()
        (pathlib.Path(scratch) / "bin" / "galley").symlink_to(galley)
        (pathlib.Path(scratch) / "galley").symlink_to(REPOSITORY)
        environment = {**os.environ, "HOME": scratch, "PATH": f"{scratch}/bin:{os.environ['PATH']}"}
        browser = launch(playwright, "chromium")
        printed, server, address = "", None, ""
        for kind, text in parts():
            if kind == "command" and "http.server" in text:
                # With port 0 the system chooses a free one, which the server prints when it listens there.
                server = subprocess.Popen(
                    text.replace("8000", "0").split(), cwd=scratch, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                    env={**os.environ, "PYTHONUNBUFFERED": "1"})
                address = f"http://localhost:{re.search('port ([0-9]+)', server.stdout.readline())[1]}/"
                check_page(browser, address)
            elif kind == "command":
                run = subprocess.run(text, shell=True, cwd=scratch, env=environment, capture_output=True, text=True)
                assert run.returncode == 0, f"{text}\n{run.stderr}"
                printed = run.stdout
            elif kind == "text" and text.startswith("row "):
                check_missing_font(browser, address, text)
            elif kind == "text":
                assert same(printed, text), f"the article shows\n{text}where the program prints\n{printed}"
            elif name := re.match(r"(?:// |<!-- )([a-z.]+)", text):
                (pathlib.Path(scratch) / "site" / name[1]).write_text(text)
        check_page(browser, address)
        server.terminate()
        browser.close()
    print("the article WebFeed: its commands and its page do what it says")


main()
