"""Renders the first rows of the demo on a server with the code of the article GalleyJS, and goes on with them in Chromium with React.
With heights nothing may move and React may report nothing; without them something moves."""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import playwright.sync_api

HERE = pathlib.Path(__file__).parent
REPOSITORY = HERE.parent.parent
sys.path += [str(HERE.parent / name) for name in ("ChromiumCases", "WebTexts")]
import chromium  # noqa: E402
import demo  # noqa: E402
import serving  # noqa: E402

ROWS = 200
VIEWPORT = {"width": 390, "height": 844}
# The pixels that the page is scrolled by at once, and how often.
STEP, STEPS = 400, 25

# The offset of one of the pages.
OFFSET = 12_345
# Whether each place of the viewport is in a row.
COVERED = """() => Array.from({ length: innerHeight - 1 }, (_, y) => document.elementFromPoint(5, y)).every((element) => element?.closest('[data-row]'))"""

# The time in which React renders the rows of a position.
RENDERING_MILLISECONDS = 5000

# A session of shifts ends after a second without one, or after five.
GAP_MILLISECONDS, SESSION_MILLISECONDS = 1000, 5000


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("galley", type=pathlib.Path, help="the program")
    arguments.add_argument("react", type=pathlib.Path, help="the directory that has react and react-dom")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(scratch)
        _, [tables], css = demo.lay_out(options.galley, work, ROWS, VIEWPORT["width"])
        feeds = build(work, tables, options.react)
        server = serving.Server(work / "built", tables)
        with playwright.sync_api.sync_playwright() as driver:
            browser = driver.chromium.launch(
                executable_path="/usr/bin/chromium", env=chromium.isolate_fonts(work), args=["--no-sandbox"]
            )
            problems = check_pages(browser, server, feeds, css)
            browser.close()
    print(*problems, sep="\n")
    sys.exit(1 if problems else 0)


def build(work, tables, react):
    """Builds the scripts of the article, and returns the HTML of each page that the server sends."""
    sources, built = work / "sources", work / "built"
    (sources / "node_modules").mkdir(parents=True)
    (sources / "node_modules" / "galley-js").symlink_to(REPOSITORY / "Sources" / "galley-js")
    article = (REPOSITORY / "Sources" / "Documentation.docc" / "GalleyJS.md").read_text()
    for name, block in re.findall(r"```jsx\n// (\S+)\n(.*?)```", article, re.DOTALL):
        (sources / name).write_text(block)
    for file in HERE.glob("*.jsx"):
        (sources / file.name).write_text(file.read_text())
    command = [
        "esbuild", "--bundle", "--jsx=automatic", "--log-level=warning", f"--outdir={built}", '--define:process.env.NODE_ENV="development"',
    ]  # fmt: skip
    environment = {**os.environ, "NODE_PATH": str(react.resolve())}
    subprocess.run([*command, "--platform=node", sources / "pages.jsx"], env=environment, check=True)
    subprocess.run([*command, sources / "client.jsx", sources / "flow-client.jsx"], env=environment, check=True)
    return json.loads(subprocess.run(["node", built / "pages.js", tables, str(OFFSET)], capture_output=True, check=True).stdout)


def check_pages(browser, server, feeds, css):
    """Opens each page, and returns what is not as it must be."""
    problems = []
    for name, feed in feeds.items():
        script = "flow-client.js" if "flow" in name else "client.js"
        found = run(browser, server, server.add(feed, css, script))
        print(
            f"{name}: {len(feed)} bytes of HTML, {found['rows']} rows, CLS {found['shift']:.4f}, {found['scrollShift']:.4f} while it is scrolled, "
            f"{found['kept']} of {found['present']} elements kept, {len(found['messages'])} messages"
        )
        problems += [f"{name}: {message}" for message in found["messages"]]
        if "without" in name:
            # Beside other checks the page may move only when it is scrolled already.
            if max(found["shift"], found["scrollShift"]) < 0.01:
                problems.append(f"{name}: nothing moves, so that nothing is compared")
            continue
        if found["shift"] or found["scrollShift"]:
            problems.append(f"{name}: something moves")
        if found["offsets"] != [OFFSET if "offset" in name else 0, found["offsets"][0] + STEP * STEPS] or not found["covered"]:
            problems.append(f"{name}: the page is at {found['offsets']}, or a part of it has no rows")
        if name.startswith("cells") and found["kept"] < found["present"]:
            problems.append(f"{name}: React has replaced elements")
    # A page whose state is not that of its HTML must be reported, as otherwise nothing would be.
    wrong = run(browser, server, server.add(re.sub(r'"height":', '"height":1', feeds["cells"], count=1), css, "client.js"))
    print(f"with another height in the state: {wrong['messages'][0] if wrong['messages'] else 'no message'}")
    return problems if wrong["messages"] else [*problems, "React does not report another height"]


def run(browser, server, address):
    """Opens a page, scrolls it, and returns what has moved and what React has said."""
    tab = browser.new_page(viewport=VIEWPORT)
    messages = []
    tab.on("console", lambda message: message.type in ("error", "warning") and messages.append(" ".join(message.text.split())[:300]))
    tab.on("pageerror", lambda error: messages.append(str(error)))
    image = f"{server.address}/images/image.svg"
    tab.route(
        lambda url: not url.startswith(server.address),
        lambda route: route.fulfill(status=302, headers={"location": image, "access-control-allow-origin": "*"}),
    )
    tab.expose_function("painted", server.painted.set)
    tab.goto(address, wait_until="networkidle")
    tab.wait_for_timeout(300)
    # The browser's viewport can have fewer rows than that of the server.
    loaded = tab.evaluate("""() => {
      const present = sent.filter(({ row }) => row.isConnected)
      const kept = present.filter(({ element }) => element.isConnected).length
      return { shifts: [...shifts], rows: document.querySelectorAll('[data-row]').length, present: present.length, kept }
    }""")
    offsets = [tab.evaluate("scrollY")]
    covered = becomes_covered(tab)
    for _ in range(STEPS):
        tab.evaluate(f"() => scrollBy(0, {STEP})")
        tab.wait_for_timeout(60)
        covered = covered and becomes_covered(tab)
    offsets.append(tab.evaluate("scrollY"))
    shifts = tab.evaluate("() => shifts")[len(loaded["shifts"]) :]
    tab.close()
    return {
        **loaded,
        "messages": messages,
        "offsets": offsets,
        "covered": covered,
        "shift": cumulative(loaded["shifts"]),
        "scrollShift": cumulative(shifts),
    }


def becomes_covered(tab):
    """Returns whether the page has rows everywhere, at the latest after some seconds: other checks run beside this one."""
    try:
        tab.wait_for_function(COVERED, timeout=RENDERING_MILLISECONDS)
    except playwright.sync_api.TimeoutError:
        return False
    return True


def cumulative(shifts):
    """Returns the Cumulative Layout Shift: the largest sum of the shifts of a session."""
    largest, total, start, last = 0, 0, None, None
    for shift in shifts:
        time = shift["startTime"]
        if start is None or time - last > GAP_MILLISECONDS or time - start > SESSION_MILLISECONDS:
            total, start = 0, time
        total, last = total + shift["value"], time
        largest = max(largest, total)
    return largest


main()
