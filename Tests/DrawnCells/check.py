"""Draws the cells of examples and of the demo with `draw` of galley.js in Chromium, and compares their heights, frames and lines
with the tables. Then makes cells of CSS boxes, of which `verify` must report exactly those that are not the table's."""

import argparse
import pathlib
import sys
import tempfile

import playwright.sync_api

HERE = pathlib.Path(__file__).parent
sys.path += [str(HERE.parent / "ChromiumCases"), str(HERE.parent / "WebTexts")]
import chromium  # noqa: E402
import drawing  # noqa: E402
import serving  # noqa: E402
import tables  # noqa: E402
import verification  # noqa: E402
import widths  # noqa: E402

SHOWN = 10


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("galley", type=pathlib.Path, help="the program")
    arguments.add_argument("posts", nargs="*", type=pathlib.Path, help="further rows for the cells of the example posts")
    arguments.add_argument("--pictures", type=pathlib.Path, help="a directory for pictures of the first cells")
    options = arguments.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(scratch)
        names = tables.lay_out(options.galley, work, options.posts)
        environment = chromium.isolate_fonts(work)
        with playwright.sync_api.sync_playwright() as driver:
            browser = driver.chromium.launch(
                executable_path="/usr/bin/chromium", env=environment, args=["--no-sandbox", "--font-render-hinting=none"]
            )
            server = serving.Server(work / "tables")
            problems = [problem for name in names for problem in drawing.check_drawing(browser, server, work, name, options.pictures)]
            problems += drawing.check_links(browser, server, work)
            problems += drawing.check_article(browser, server, work)
            problems += verification.check_verification(browser, server, work, options.galley)
            browser.close()
            problems += widths.check_widths(driver, environment, server, work, options.galley)
    print(*problems[:SHOWN], sep="\n")
    sys.exit(1 if problems else 0)


main()
