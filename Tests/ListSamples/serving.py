"""A server of the pages of the samples, and a page in Chromium."""

import pathlib
import urllib.parse

import chromium
import local_server
import playwright.sync_api

HERE = pathlib.Path(__file__).parent
PAGE_MILLISECONDS = 30_000
TYPES = {".js": "text/javascript", ".css": "text/css"}


class Server:
    """Serves scripts of a directory, each with a page, beside files by their paths, and fonts."""

    def __init__(self, scripts: pathlib.Path, css: str, files: dict[str, pathlib.Path]):
        page = (HERE / "page.html").read_text().replace("/*CSS*/", css.replace('url("file:///', 'url("/fonts/'))

        class Handler(local_server.Handler):
            def do_GET(self):
                path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
                name = pathlib.Path(path).name
                if path.startswith("/pages/"):
                    return self.reply(page.replace("SCRIPT", name).encode(), "text/html")
                if path.startswith("/fonts/"):
                    return self.reply(pathlib.Path(path.removeprefix("/fonts")).read_bytes(), "font/woff2")
                file = files.get(name, scripts / name)
                # Not every list has a style sheet, and none has an icon.
                content = file.read_bytes() if file.is_file() else b""
                return self.reply(content, TYPES.get(file.suffix, "application/octet-stream"))

        self.address = local_server.start(Handler)


def launch(driver, work: pathlib.Path):
    """Starts Chromium with the font files of the tests."""
    environment = chromium.isolate_fonts(work)
    return driver.chromium.launch(executable_path="/usr/bin/chromium", env=environment, args=["--no-sandbox"])


class Page:
    """A list in a tab of Chromium."""

    def __init__(self, browser, server: Server, script: str, viewport: dict, **query):
        self.tab = browser.new_page(viewport=viewport)
        self.tab.set_default_timeout(PAGE_MILLISECONDS)
        self.errors = []
        self.tab.on("console", lambda message: message.type == "error" and self.errors.append(message.text[:300]))
        self.tab.on("pageerror", lambda error: self.errors.append(str(error)[:300]))
        address = f"{server.address}/pages/{script.removesuffix('.js')}?{urllib.parse.urlencode(query)}"
        self.tab.goto(address)
        try:
            self.tab.wait_for_function("() => window.page?.isReady()")
        except playwright.sync_api.TimeoutError:
            raise SystemExit(f"{script} shows no row: {self.errors}") from None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tab.close()

    def call(self, function: str, *arguments):
        """Calls a function of the page's harness."""
        return self.tab.evaluate(f"(values) => page.{function}(...values)", list(arguments))
