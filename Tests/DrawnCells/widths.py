"""Checks the page of the article GalleyJS that takes the tables of its width and text scale."""

import json
import math
import subprocess

import pyarrow.ipc
import serving

# The widths and the text scales that are laid out.
WIDTHS, TEXT_SCALES = "320-400/20", (1, 1.35)
# The widths of the window with a scroll bar of 15 pixels, and those of the tables: the nearest widths are 400 and 340.
WINDOWS = ((410, 380), (350, 320))
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
  const overflow = list.scrollWidth - width
  const scale = getComputedStyle(document.documentElement).getPropertyValue('--text-scale')
  return { width, emptyWidth, rows: content.clientWidth, overflow, size, offset, scale }
}"""


def check_widths(driver, environment, server, work, galley):
    """Opens the page with a larger standard font and scroll bars, makes it narrower, and returns what is wrong."""
    command = [galley, "layout", work / "posts.jsonl", "--cells", work / "posts.yaml", "--platform", "web", "--quiet"]
    variants = ["--width", WIDTHS, "--text-scale", ",".join(map(str, TEXT_SCALES))]
    subprocess.run([*command, *variants, "--output", work / "tables" / "feed"], check=True)
    browser = driver.chromium.launch(
        executable_path="/usr/bin/chromium", env=environment, ignore_default_args=["--hide-scrollbars"],
        args=["--no-sandbox", f"--blink-settings=defaultFontSize={FONT_SIZE}"],
    )  # fmt: skip
    tab = browser.new_page(viewport={"width": WINDOWS[0][0], "height": WINDOW_HEIGHT})
    tab.goto(f"{server.address}article/0", wait_until="networkidle")
    problems, anchors = [], []
    for window, width in WINDOWS:
        tab.set_viewport_size({"width": window, "height": WINDOW_HEIGHT})
        tab.wait_for_function(f"() => document.getElementById('content').clientWidth === {width}", timeout=serving.PAGE_MILLISECONDS)
        found = tab.evaluate(MEASURE)
        heights = read_heights(work, width)
        print(f"widths: a window of {window} px has {json.dumps(found)}, whose table has {sum(heights)}")
        # Chromium rounds a half up.
        size = math.floor(sum(heights) + 0.5)
        room = window - 15
        expected = {
            "width": room, "emptyWidth": room, "rows": width, "overflow": 0,
            "size": size, "offset": found["offset"], "scale": str(TEXT_SCALES[1]),
        }  # fmt: skip
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
