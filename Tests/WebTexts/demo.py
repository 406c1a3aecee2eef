"""The demo's feed, laid out for Chromium."""

import subprocess

import styles


def lay_out(galley, work, rows, *widths):
    """Lays out the demo, and returns its rows, the directory of its tables of each width, and the style sheet of its cells."""
    subprocess.run([galley, "examples", work / "examples"], stdout=subprocess.DEVNULL, check=True)
    kept, cells = work / "demo.jsonl", work / "examples" / "demo.yaml"
    subprocess.run([galley, "demo", "--rows", str(rows), "--output", work / "demo", "--keep-rows", kept, "--quiet"], check=True)
    command = [galley, "layout", kept, "--cells", cells, "--width", ",".join(map(str, widths)), "--platform", "web", "--lines"]
    subprocess.run([*command, "--output", work / "tables", "--quiet"], check=True)
    return kept, [work / "tables" / f"web-w{width}" for width in widths], styles.sheet(galley, cells, kept, work / "page-fonts")
