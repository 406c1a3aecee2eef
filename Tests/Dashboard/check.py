"""Checks the dashboard of a gateway in headless Chromium and Firefox: `check.py GALLEY DIRECTORY`, where the directory has the
examples. Tests/Scripts/check-gateway runs it."""

import sys

from browsers import check_accessibility, launch, wait_for
from connection import TOKEN, request
from playwright.sync_api import sync_playwright
from pool import Pool

SIZES = [(1440, 900), (390, 844)]
SCHEMES = ["light", "dark"]


class Dashboard:
    """The dashboard in a tab of a browser."""

    def __init__(self, browser, port: int, width: int = 1440, height: int = 900, scheme: str = "light"):
        self.context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        self.tab = self.context.new_page()
        self.errors: list[str] = []
        self.tab.on("pageerror", lambda error: self.errors.append(str(error)))
        self.tab.goto(f"http://127.0.0.1:{port}/")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.context.close()
        assert kind or not self.errors, self.errors

    def wait_for(self, condition: str):
        wait_for(self.tab, condition)

    def enter(self, token: str):
        self.wait_for("!document.getElementById('token').hidden")
        self.tab.fill("#token-text", token)
        self.tab.keyboard.press("Enter")

    def wait_for_pool(self):
        self.wait_for("!document.getElementById('pool').hidden && document.getElementById('worker-count').textContent === '2'")


def check_states(browser, pool: Pool, port: int) -> list[int]:
    """The dashboard is accessible while it asks for a token, with a running pool, and without a coordinator."""
    passes = []
    for scheme in SCHEMES:
        for width, height in SIZES:
            with Dashboard(browser, port, width, height, scheme) as page:
                place = f"the dashboard of {width} px, {scheme}"
                page.wait_for("!document.getElementById('token').hidden")
                passes.append(check_accessibility(page.tab, f"{place}, which asks for a token"))
                page.enter(TOKEN)
                page.wait_for_pool()
                page.wait_for("document.querySelectorAll('#charts svg').length > 0")
                passes.append(check_accessibility(page.tab, place))
                assert page.tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{place} is too wide"
    with Dashboard(browser, port) as page:
        page.enter(TOKEN)
        page.wait_for_pool()
        pool.kill_coordinator()
        page.wait_for("document.getElementById('notices').textContent !== ''")
        passes.append(check_accessibility(page.tab, "the dashboard without a coordinator"))
        pool.restart_coordinator()
        page.wait_for("document.getElementById('notices').textContent === ''")
        page.wait_for_pool()
    return passes


def check_figures(browser, work: str, port: int):
    """The dashboard refuses a wrong token, and shows the workers with their processes, and the rows that were laid out."""
    rows = open(f"{work}/examples/posts.jsonl", "rb").read()
    # The two lists are narrowest at this width where they are beside each other.
    with Dashboard(browser, port, 1201) as page:
        page.enter("wrong")
        page.wait_for("document.getElementById('token-problem').textContent.includes('does not accept')")
        page.enter(TOKEN)
        page.wait_for_pool()
        notes = "[...document.querySelectorAll('#workers .row:not(.head) small')]"
        assert page.tab.evaluate(f"{notes}.length === 2 && {notes}.every(note => note.scrollWidth <= note.clientWidth)")
        before = page.tab.evaluate("document.getElementById('totals').textContent")
        assert request(port, "POST", "/v1/layouts?cells=posts&width=390", rows).status == 200
        page.wait_for(f"document.getElementById('totals').textContent !== {before!r}")


galley, work = sys.argv[1:]
with Pool(galley, work) as pool, sync_playwright() as playwright:
    port = pool.gateway()
    for name in ("chromium", "firefox"):
        browser = launch(playwright, name)
        check_figures(browser, work, port)
        if name == "chromium":
            passes = check_states(browser, pool, port)
            print(f"{len(passes)} states of the dashboard fulfill WCAG 2.2 AA: {min(passes)} to {max(passes)} rules apply")
        browser.close()
    print("the dashboard shows the pool in Chromium and Firefox")
