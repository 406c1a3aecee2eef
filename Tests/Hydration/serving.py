"""A server of pages with their scripts, tables, fonts and images, of which all but the pages and scripts come after the first paint."""

import pathlib
import threading
import time
import urllib.parse

import local_server

# The seconds after the first paint in which files come, by the beginning of their paths.
DELAYS = {"/fonts/": 0.2, "/images/": 0.3, "/tables/": 0.4}

# The longest time until the first paint, in seconds: a page that never paints gets its files too.
PAINTING_SECONDS = 10

# An image of a size of its own, which a page without heights does not know.
IMAGE = '<svg xmlns="http://www.w3.org/2000/svg" width="390" height="260"><rect width="390" height="260" fill="#88aa99"/></svg>'

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>A feed</title>
<style>
  body {{ margin: 0; font: 16px serif }}
  {css}
</style>
<script>
  const shifts = []
  new PerformanceObserver((list) => {{
    for (const {{ value, startTime, hadRecentInput }} of list.getEntries()) if (!hadRecentInput) shifts.push({{ value, startTime }})
  }}).observe({{ type: 'layout-shift', buffered: true }})
</script>
{feed}
<script>
  const sent = Array.from(document.querySelectorAll('[data-row] > *'), (element) => ({{ element, row: element.parentElement }}))
  requestAnimationFrame(() => requestAnimationFrame(painted))
</script>
<script src="/{script}"></script>
</html>"""


class Server:
    """Serves pages by number, the scripts of a directory, and the tables of another one. A page calls the function `painted` after its
    first paint. This is no request, which would wait until one of the browser's six connections to the server has its image."""

    def __init__(self, scripts: pathlib.Path, tables: pathlib.Path):
        self.pages = {}
        self.painted = threading.Event()
        server = self

        class Handler(local_server.Handler):
            def do_GET(self):
                path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
                delay = next((seconds for start, seconds in DELAYS.items() if path.startswith(start)), 0)
                if delay:
                    server.painted.wait(PAINTING_SECONDS)
                    time.sleep(delay)
                if path in server.pages:
                    return self.reply(server.pages[path].encode(), "text/html")
                if path.startswith("/images/"):
                    return self.reply(IMAGE.encode(), "image/svg+xml")
                name = pathlib.Path(path).name
                if path.startswith("/fonts/"):
                    return self.reply(pathlib.Path(path.removeprefix("/fonts")).read_bytes(), "font/woff2")
                directory, kind = (tables, "application/octet-stream") if path.startswith("/tables/") else (scripts, "text/javascript")
                if not (directory / name).is_file():
                    return self.reply(b"", "image/x-icon")
                return self.reply((directory / name).read_bytes(), kind)

        self.address = local_server.start(Handler)

    def add(self, feed: str, css: str, script: str) -> str:
        """Adds the next page to be opened, and returns its address."""
        self.painted.clear()
        path = f"/{len(self.pages)}"
        self.pages[path] = PAGE.format(css=css.replace('url("file:///', 'url("/fonts/'), feed=feed, script=script)
        return self.address + path
