"""A server of a page with its tables and fonts, and the page in Chromium."""

import pathlib
import re
import urllib.parse

import chromium
import local_server
import playwright.sync_api

HERE = pathlib.Path(__file__).parent
MODULE = HERE.parent.parent / "Sources" / "galley-js" / "galley.js"
PAGE_MILLISECONDS = 30_000

# An image of the size that the page gives it.
IMAGE = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="#88aa99"/></svg>'


def article_pages():
    """Returns the pages that the article GalleyJS shows."""
    article = (HERE.parent.parent / "Sources" / "Documentation.docc" / "GalleyJS.md").read_text()
    return re.findall(r"```html\n(.*?)```", article, re.DOTALL)


class Server:
    """Serves the page with a style sheet, galley.js, the tables of a directory, and fonts by their paths."""

    def __init__(self, tables: pathlib.Path):
        self.css = ""
        server = self

        class Handler(local_server.Handler):
            def do_GET(self):
                path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
                if path == "/":
                    page = (HERE / "page.html").read_text().replace("/*CSS*/", server.css)
                    return self.reply(page.encode(), "text/html")
                if path.startswith("/article/"):
                    page = article_pages()[int(path.removeprefix("/article/"))]
                    return self.reply(page.replace("'./galley.js'", "'/galley.js'").encode(), "text/html")
                if path == "/galley.js":
                    return self.reply(MODULE.read_bytes(), "text/javascript")
                file = pathlib.Path(path)
                if path.startswith(("/tables/", "/feed/")):
                    file = tables / path.removeprefix("/tables/").removeprefix("/")
                elif path.startswith("/fonts/"):
                    file = pathlib.Path(chromium.font_paths().get(file.name, path))
                if file.suffix not in {".arrow", ".json", ".otf", ".ttf", ".ttc", ".woff2"} or not file.is_file():
                    return self.send_error(404)
                return self.reply(file.read_bytes(), "application/octet-stream")

        self.address = local_server.start(Handler) + "/"


class Page:
    """The page in Chromium, with what it writes to the console."""

    def __init__(self, browser, server: Server, tables: str, css: str):
        server.css = css.replace('url("file://', 'url("')
        self.tab = browser.new_page(viewport={"width": 800, "height": 900})
        self.tab.set_default_timeout(PAGE_MILLISECONDS)
        self.warnings, self.errors = [], []
        self.tab.on("console", lambda message: message.type == "warning" and self.warnings.append(message.text))
        self.tab.on("pageerror", lambda error: self.errors.append(str(error)))
        self.tab.route(lambda address: not address.startswith(server.address), lambda route: route.fulfill(body=IMAGE, content_type="image/svg+xml"))
        self.tab.goto(f"{server.address}#{tables}")
        try:
            self.tab.wait_for_function("() => window.page !== undefined")
        except playwright.sync_api.TimeoutError:
            raise SystemExit(f"the page of {tables} was not ready: {self.errors}") from None

    def call(self, function: str, *arguments):
        result = self.tab.evaluate(f"(values) => page.{function}(...values)", list(arguments))
        self.settle()
        if self.errors:
            raise SystemExit(f"the page failed: {self.errors[0]}")
        return result

    def settle(self):
        """Waits until observers were called and fonts are there."""
        self.tab.evaluate("""async () => {
          for (let frame = 0; frame < 3; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
          await document.fonts.ready
          await new Promise((resolve) => requestAnimationFrame(resolve))
        }""")
