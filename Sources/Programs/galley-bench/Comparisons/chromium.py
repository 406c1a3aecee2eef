"""Lays photo posts out in headless Chromium, as HTML with flexbox and the system's fonts, and prints rows/s.

The time includes the creation, styling and layout of elements, and the reading of their boxes. It does not include the start
of the browser, the parsing of rows, the contents of images, painting, and the removal of posts."""

import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from comparison import report, rows_and_label, skip

SECONDS_AT_MOST = 300
PAGE = """<!DOCTYPE html><meta charset="utf-8"><body><style>
  #feed { font: 15px/20px Inter, "Noto Sans", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Thai",
    "Noto Sans Devanagari", "Noto Sans CJK JP", "Noto Color Emoji"; overflow-wrap: anywhere }
  .post, .names, .texts { display: flex; flex-direction: column }
  .head { display: flex; align-items: center; gap: 8px; padding: 8px 12px }
  .avatar { flex: none; width: 40px; height: 40px }
  .names { min-width: 0 }
  .line { white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
  .name { font-weight: bold }
  .small { font-size: 12px; line-height: 16px }
  .space { flex-grow: 1 } .time { flex: none }
  .texts { gap: 4px; padding: 8px 12px 12px }
</style><div id="feed"></div><script>
  const rows = ROWS, feed = document.getElementById("feed"), best = {}

  function add(parent, classes, text = "", tag = "div") {
    const element = document.createElement(tag)
    element.className = classes
    element.textContent = text
    parent.append(element)
    return element
  }

  function show(rows) {
    const fragment = new DocumentFragment(), leaves = []
    for (const row of rows) {
      const post = add(fragment, "post"), head = add(post, "head")
      const avatar = add(head, "avatar"), names = add(head, "names")
      leaves.push(avatar, add(names, "name line", row.userName))
      if (row.location) leaves.push(add(names, "small line", row.location))
      add(head, "space")
      const time = add(head, "small time", row.time), photo = add(post, "photo"), texts = add(post, "texts")
      photo.style.aspectRatio = row.photo.size.join("/")
      leaves.push(time, photo)
      if (row.caption) leaves.push(add(texts, "caption", row.caption))
      for (const { user, text } of row.comments.slice(0, 3)) {
        const comment = add(texts, "comment")
        add(comment, "name", user + " ", "span")
        comment.append(text)
        leaves.push(comment)
      }
    }
    feed.append(fragment)
    return leaves
  }

  const frames = elements => Array.from(elements, element => element.getBoundingClientRect())

  function measure(what, read) {
    const milliseconds = { first: 0, further: 0 }
    for (let start = 0; start < rows.length; start += 500) {
      const begin = performance.now()
      feed.style.width = "390px"
      const leaves = show(rows.slice(start, start + 500))
      read(leaves)
      const laidOut = performance.now()
      feed.style.width = "360px"
      read(leaves)
      milliseconds.first += laidOut - begin
      milliseconds.further += performance.now() - laidOut
      feed.replaceChildren()
    }
    for (const width in milliseconds) {
      const name = `${what}, ${width} width`
      best[name] = Math.max(best[name] ?? 0, rows.length / milliseconds[width] * 1000)
    }
  }

  // The best pass counts, as what else the machine does only slows one down. The first also finds the fonts.
  for (let pass = 0; pass < 3; pass++) {
    measure("heights", () => frames(feed.children))
    measure("heights and frames", leaves => [frames(feed.children), frames(leaves)])
  }
  const version = navigator.userAgent.match(/Chrome.([0-9]+)/)[1]
  document.body.textContent = JSON.stringify({ version, best })
</script>"""


rows, label = rows_and_label(__doc__)

program = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
if not program:
    skip("Chromium: not installed (apt-get install chromium)")
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
    page = Path(directory, "posts.html")
    page.write_text(PAGE.replace("ROWS", json.dumps(rows).replace("<", r"\u003c")), encoding="utf-8")
    command = [program, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={directory}/profile"]
    try:
        # Chromium prints the elements when the page is loaded, which is after its script has run.
        command += ["--dump-dom", page.as_uri()]
        run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_AT_MOST)
    except subprocess.TimeoutExpired:
        skip(f"Chromium: not done after {SECONDS_AT_MOST} seconds")
result = re.search(r"<body>({.*})</body>", run.stdout)
if not result:
    skip(f"Chromium: no result from its page (exit code {run.returncode})")
result = json.loads(result[1])
for what, rate in result["best"].items():
    report(f"Chromium {result['version']}, {what}{label}", rate)
