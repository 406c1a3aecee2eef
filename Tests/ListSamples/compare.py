"""Compares lists that have their heights from the tables with lists that measure their rows, with a good and a bad estimate.

They run in Chromium with the libraries themselves and rows of the demo. Prints tables, and writes a page with them.
"""

import argparse
import functools
import gzip
import pathlib
import statistics
import sys
import tempfile

import playwright.sync_api

HERE = pathlib.Path(__file__).parent
sys.path += [str(HERE.parent / name) for name in ("ChromiumCases", "WebTexts")]
import building  # noqa: E402
import check  # noqa: E402
import demo  # noqa: E402
import report  # noqa: E402
import serving  # noqa: E402

LISTS = ["tanstack.jsx", "virtuoso.jsx", "virtua.jsx"]

# The rows of a list without a library, which has an element for each.
FEW_ROWS = 1000

# Where a list starts, where it jumps to from the first row, and from where it is scrolled up, as parts of its rows.
START, JUMP, UP = 0.5, 0.9, 0.25

# A bad estimate of heights in pixels, against a good one, which is their mean.
BAD_ESTIMATE = 100

# The factor by which the processor is slower while times are measured, as in audits of pages for phones, and the runs, of
# which the median counts.
SLOWDOWN, RUNS = 4, 3

LONG_TASKS = """
  window.longTasks = 0
  new PerformanceObserver((list) => { longTasks += list.getEntries().length }).observe({ type: 'longtask' })
"""


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("galley", type=pathlib.Path, help="the program")
    arguments.add_argument("libraries", type=pathlib.Path, help="the directory of the packages, such as node_modules")
    arguments.add_argument("react", type=pathlib.Path, help="the directory that has react and react-dom")
    arguments.add_argument("page", nargs="?", type=pathlib.Path, default="compare-lists.html", help="the page to write")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as scratch, playwright.sync_api.sync_playwright() as driver:
        work = pathlib.Path(scratch)
        rows, [tables], css = demo.lay_out(options.galley, work, check.ROWS, check.VIEWPORT["width"])
        tops = check.read_heights(options.galley, tables, work)
        builder = building.Builder(options.libraries, options.react, work)
        server = serving.Server(builder.built, css, {"rows.jsonl": rows, "heights.arrow": tables / "heights.arrow"})
        browser = serving.launch(driver, work)
        mean = round(tops[-1] / check.ROWS)
        sources = [("tables", False, 0), (f"estimate {mean}", True, mean), (f"estimate {BAD_ESTIMATE}", True, BAD_ESTIMATE)]
        lists = [(sample, check.ROWS, *source) for sample in LISTS for source in sources]
        lists += [("content-visibility.js", FEW_ROWS, *source) for source in sources]
        lists.append(("content-visibility.js", check.ROWS, *sources[0]))
        found = []
        for sample, count, source, measures, estimate in lists:
            script = builder.build(sample, measures)
            query = {"rows": count, "held": check.HELD, "estimate": estimate}
            opened = functools.partial(serving.Page, browser, server, script, check.VIEWPORT, **query)
            result = {"list": f"{sample.split('.')[0]}, {count:,} rows", "heights": source}
            result["bytes"] = bundle_bytes(builder, sample, measures)
            result |= measure_positions(opened, tops[: count + 1])
            runs = [measure_times(opened, count) for _ in range(RUNS)]
            result |= {name: statistics.median(run[name] for run in runs) for name in runs[0]}
            print(report.line(result), flush=True)
            found.append(result)
        about = {"heights": len(gzip.compress((work / "heights.f32").read_bytes(), 9)), "chromium": browser.version}
        browser.close()
    print(report.markdown(found))
    options.page.write_text(report.page(found, about))


def bundle_bytes(builder, sample, measures):
    """Returns the bytes of a list's script with its library and galley.js, but without React, as gzip makes them."""
    entry, output = builder.sources / "size.js", builder.built / "size.js"
    name = f"measuring-{sample}" if measures else sample
    heights = "" if measures else "export { Heights } from 'galley-js'\n"
    entry.write_text(f"export {{ Feed }} from './{name}'\n{heights}")
    builder.bundle(entry, output, "--external:react", "--external:react-dom", "--external:react/jsx-runtime")
    return len(gzip.compress(output.read_bytes(), 9))


def measure_positions(opened, tops):
    """Returns by how many pixels positions are wrong, and how much rows move while the list is scrolled by 20 screens."""
    start, jump, up_from = (int((len(tops) - 1) * part) for part in (START, JUMP, UP))
    with opened(row=check.HELD, distance=0) as page:
        size = page.call("settle")["size"]
        jumped = page.call("jump", jump)
        page.call("scrollTo", 0)
        stored = page.call("scrollTo", tops[start] - tops[check.HELD])
        problems = page.errors
    with opened(row=start, distance=0) as page:
        restored = page.call("settle")
        down = page.call("scrollWatched", check.STEP, check.FRAMES)
        page.call("jump", up_from)
        up = page.call("scrollWatched", -check.STEP, check.FRAMES)
        problems += page.errors
    if problems:
        raise SystemExit(f"a page failed: {problems[0]}")
    expected = tops[-1] - tops[check.HELD]
    return {
        "height": size / expected - 1,
        "thumb": restored["offset"] / restored["size"] - (tops[start] - tops[check.HELD]) / expected,
        "restored": position(restored, tops) - tops[start],
        "stored": position(stored, tops) - tops[start],
        "jump": position(jumped, tops) - tops[jump],
        "down": sum(down), "downFrames": len(down), "up": sum(up), "upFrames": len(up),
    }  # fmt: skip


def position(place, tops):
    """Returns the offset in the table of what is at the top of the screen."""
    if not place["rows"]:
        raise SystemExit(f"a list shows no row at the offset {place['offset']}")
    first = place["rows"][0]
    return tops[first["row"]] - first["top"]


def measure_times(opened, count):
    """Returns what a list costs until it stands still, and while it is scrolled by 20 screens."""
    with opened(row=int(count * START), distance=0) as page:
        session = page.tab.context.new_cdp_session(page.tab)
        session.send("Performance.enable")
        page.tab.evaluate(LONG_TASKS)
        start = page.call("started")
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        page.tab.evaluate("longTasks = 0")
        before = metrics(session)
        page.call("scroll", check.STEP, check.FRAMES)
        after = metrics(session)
        long_tasks = page.tab.evaluate("longTasks")
        session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        session.send("HeapProfiler.collectGarbage")
        rest = metrics(session)
    return {
        "start": start, "layouts": after["LayoutCount"] - before["LayoutCount"],
        "layoutTime": milliseconds(before, after, "LayoutDuration") + milliseconds(before, after, "RecalcStyleDuration"),
        "scriptTime": milliseconds(before, after, "ScriptDuration"), "taskTime": milliseconds(before, after, "TaskDuration"),
        "longTasks": long_tasks, "heap": rest["JSHeapUsedSize"], "nodes": rest["Nodes"],
    }  # fmt: skip


def milliseconds(before, after, name):
    return (after[name] - before[name]) * 1000


def metrics(session):
    return {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}


if __name__ == "__main__":
    main()
