"""Checks of what the page of galley view shows beside the list: the panel, images, a simulated scroll."""

import json
import re
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from browsers import PIXEL, check_accessibility
from viewing import Page, View, check, no_errors


def check_every_state(browser, view: View):
    """The page is accessible in all that it shows: every page of the panel, a selected cell, the keys."""
    passes = []
    for scheme in ("light", "dark"):
        for width, height in ((1440, 900), (390, 844)):
            with Page(browser, view.address, width, height, scheme) as page:
                page.drawn()
                place = f"the page of {width} px, {scheme}"
                passes.append(check_accessibility(page.tab, place))
                for tab in page.run("Array.from(document.querySelectorAll('#tabs button'), ({id}) => id)"):
                    page.run(f"document.getElementById({json.dumps(tab)}).click()")
                    page.tab.wait_for_timeout(200)
                    passes.append(check_accessibility(page.tab, f"{place}, with {tab}"))
                for key in ("f", "j", "Enter"):
                    page.tab.keyboard.press(key)
                page.wait_for("document.querySelectorAll('#page .line-of-tree').length > 0")
                passes.append(check_accessibility(page.tab, f"{place}, with a selected cell"))
                page.tab.keyboard.press("?")
                passes.append(check_accessibility(page.tab, f"{place}, with the keys"))
    print(f"  {len(passes)} states fulfill WCAG 2.2 AA: {min(passes)} to {max(passes)} rules of axe-core apply")



def check_images(browser, galley: str, work: Path):
    """Images are loaded with --images only."""
    asked: list[str] = []

    class Images(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "image/png")
            self.end_headers()
            self.wfile.write(PIXEL)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Images)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    cells, rows = work / "images.yaml", work / "images.jsonl"
    cells.write_text("""version: 1
cells:
  A: {layout: {type: networkImage, id: photo, url: "{url}", style: {preferredSize: [100, 50]}}}
""")
    address = f"http://127.0.0.1:{server.server_port}"
    rows.write_text("".join(json.dumps({"url": f"{address}/{row}.png"}) + "\n" for row in range(3)))
    shown = "document.querySelectorAll('.node.media.loaded').length"
    for option in ([], ["--images"]):
        with View(galley, "--rows", rows, "--cells", cells, "--width", "320", *option) as view:
            with Page(browser, view.address) as page:
                page.drawn()
                if option:
                    page.wait_for(f"{shown} === 3")
                else:
                    page.tab.wait_for_timeout(300)
                    check(page.run(shown) == 0 and asked == [], f"images are loaded without --images: {asked}")
                no_errors(page)
    check(set(asked) == {"/0.png", "/1.png", "/2.png"}, f"other images were asked for: {asked}")
    server.shutdown()
    print("  images are loaded with --images only")


def check_replay(browser, galley: str, work: Path, demo: Path):
    """The page shows a simulated scroll, and what it says is what `galley prefetch` prints."""
    scroll = work / "scroll.jsonl"
    scroll.write_text("".join(json.dumps({"t": step / 60, "offset": step * 40}) + "\n" for step in range(240)))
    with View(galley, demo, "--replay", scroll) as view, Page(browser, view.address) as page:
        page.drawn()
        page.run("document.getElementById('tab-replay').click()")
        page.wait_for("document.querySelector('#page .figures') !== null")
        shown = page.run("""Object.fromEntries(Array.from(document.querySelectorAll('#page .figures dt'),
          (name) => [name.textContent, name.nextElementSibling.textContent]))""")
        check_accessibility(page.tab, "the replay")
        no_errors(page)
        viewport = str(page.run("document.getElementById('list').clientHeight"))
    printed = json.loads(subprocess.run(
        [galley, "prefetch", demo / "w390", "--replay", scroll, "--viewport", viewport, "--json"],
        check=True, capture_output=True, text=True).stdout)
    expected = {
        "became visible": printed["visible"], "were there in time": printed["ready"], "late": printed["late"]["count"],
        "never loaded": printed["never_loaded"], "loaded": printed["loaded"]["count"],
    }
    found = {name: int(re.sub(r"[^0-9].*", "", shown[name].replace("\u202f", ""))) for name in expected}
    check(found == expected and expected["late"] > 0, f"the replay shows {shown}, not {expected}")
    print(f"  the replay shows that {expected['late']} of {expected['became visible']} images are late, as galley prefetch prints")


def take_pictures(browser, view: View, directory: Path, name: str):
    directory.mkdir(parents=True, exist_ok=True)
    for scheme in ("light", "dark"):
        for device, (width, height) in {"desktop": (1440, 900), "phone": (390, 844)}.items():
            with Page(browser, view.address, width, height, scheme) as page:
                page.drawn()
                time.sleep(0.5)
                page.tab.screenshot(path=str(directory / f"{name}-{device}-{scheme}.png"))
