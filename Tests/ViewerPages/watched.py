"""The files of a list that is watched, and requests of its page that are held."""

import json
import re
import time
from pathlib import Path

from browsers import TIMEOUT_SECONDS
from viewing import Page, check

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
