"""Checks the page of the article GalleyJS that takes the tables of its width and text scale."""

import json
import math
import subprocess

import pyarrow.ipc

# The widths of the list with a scroll bar of 15 pixels, and the text scales. Then the widths of the window.
WIDTHS, TEXT_SCALES = (320, 375), (1, 1.35)
WINDOWS = (390, 335)
WINDOW_HEIGHT = 500
# The standard font size of a reader who has chosen one: 1.25 times 16 pixels.
FONT_SIZE = 20
# The offset of the list before it becomes narrower, far from its end.
SCROLLED = 700


# The list has the same width without a content that is higher than it.
MEASURE = """() => {
  const [list, content] = ['list', 'content'].map((id) => document.getElementById(id))
  const [{ clientWidth: width, scrollHeight: size, scrollTop: offset }, { height }] = [list, content.style]
  content.style.height = '0'
  const emptyWidth = list.clientWidth
  content.style.height = height
  list.scrollTop = offset
  return { width, emptyWidth, size, offset, scale: getComputedStyle(document.documentElement).getPropertyValue('--text-scale') }
}"""


def check_widths(driver, environment, server, work, galley):
    """Opens the page with a larger standard font and scroll bars, makes it narrower, and returns what is wrong."""
    command = [galley, "layout", work / "posts.jsonl", "--cells", work / "posts.yaml", "--platform", "web", "--quiet"]
    variants = ["--width", ",".join(map(str, WIDTHS)), "--text-scale", ",".join(map(str, TEXT_SCALES))]
    subprocess.run([*command, *variants, "--output", work / "tables" / "feed"], check=True)
    browser = driver.chromium.launch(
        executable_path="/usr/bin/chromium", env=environment, ignore_default_args=["--hide-scrollbars"],
        args=["--no-sandbox", f"--blink-settings=defaultFontSize={FONT_SIZE}"],
    )  # fmt: skip
    tab = browser.new_page(viewport={"width": WINDOWS[0], "height": WINDOW_HEIGHT})
    tab.goto(f"{server.address}article/0", wait_until="networkidle")
    problems, anchors = [], []
    for window, width in zip(WINDOWS, reversed(WIDTHS), strict=True):
        tab.set_viewport_size({"width": window, "height": WINDOW_HEIGHT})
        tab.wait_for_timeout(500)
        found = tab.evaluate(MEASURE)
        heights = read_heights(work, width)
        print(f"widths: a window of {window} px has {json.dumps(found)}, whose table has {sum(heights)}")
        # Chromium rounds a half up.
        size = math.floor(sum(heights) + 0.5)
        expected = {"width": width, "emptyWidth": width, "scale": str(TEXT_SCALES[1]), "size": size, "offset": found["offset"]}
        if found != expected:
            problems.append(f"the page of {window} px has {found}, not {expected}")
        if not anchors:
            found["offset"] = tab.evaluate(f"() => document.getElementById('list').scrollTop = {SCROLLED}")
        anchors.append(anchor(heights, found["offset"]))
    if anchors[0][0] != anchors[1][0] or abs(anchors[0][1] - anchors[1][1]) > 1:
        problems.append(f"the row at the top and the distance from it were {anchors[0]}, and are {anchors[1]} in the narrower page")
    browser.close()
    return problems


def anchor(heights, offset):
    """Returns the row at an offset and the distance from its top."""
    row = 0
    while offset >= heights[row]:
        offset -= heights[row]
        row += 1
    return row, offset


def read_heights(work, width):
    """Returns the heights of the variant with the larger text scale."""
    [directory] = (work / "tables" / "feed").glob(f"*w{width}*1.35*")
    with pyarrow.memory_map(str(directory / "heights.arrow")) as mapped:
        return pyarrow.ipc.open_file(mapped).read_all()["height"].to_pylist()
