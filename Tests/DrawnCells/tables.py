"""The examples, the demo and further rows, laid out for Chromium, and the page of one of them."""

import pathlib
import subprocess
import sys

import pyarrow.ipc

HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE.parent / "WebTexts"))
import serving  # noqa: E402
import styles  # noqa: E402

WIDTH = 390
DEMO_ROWS = 200


def lay_out(galley, work, posts):
    """Lays out the examples, the demo and further posts, and returns their names."""
    subprocess.run([galley, "examples", work], stdout=subprocess.DEVNULL, check=True)
    demo = [galley, "demo", "--rows", str(DEMO_ROWS), "--width", str(WIDTH), "--output", work / "feed"]
    subprocess.run([*demo, "--keep-rows", work / "demo.jsonl", "--quiet"], check=True)
    for path in HERE.glob("spans.*"):
        (work / path.name).write_bytes(path.read_bytes())
    names = [path.stem for path in sorted(work.glob("*.yaml"))]
    for number, path in enumerate(posts):
        name = f"posts-{number}"
        (work / f"{name}.yaml").write_bytes((work / "posts.yaml").read_bytes())
        (work / f"{name}.jsonl").write_bytes(path.read_bytes())
        names.append(name)
    for name in names:
        layout(galley, work, name)
    return names


def layout(galley, work, name):
    """Lays out the rows NAME.jsonl with the cells NAME.yaml, and writes their style sheet."""
    (work / "tables").mkdir(exist_ok=True)
    command = [
        galley, "layout", work / f"{name}.jsonl", "--cells", work / f"{name}.yaml", "--width", str(WIDTH), "--platform", "web", "--lines",
        "--output", work / "tables" / name, "--quiet",
    ]  # fmt: skip
    finished = subprocess.run(command, capture_output=True, text=True)
    # Some rows of the examples are bad, so that the exit code is 3.
    if finished.returncode not in (0, 3):
        raise SystemExit(f"{name} was not laid out: {finished.stderr}")
    css = styles.sheet(galley, work / f"{name}.yaml", work / f"{name}.jsonl", work / f"{name}-fonts")
    (work / f"{name}.css").write_text(css)


def open_page(browser, server, work, name, more=""):
    """Opens a page with the style sheet of a name's cells, and more CSS."""
    return serving.Page(browser, server, f"{name}/web-w{WIDTH}", (work / f"{name}.css").read_text() + more)


def read(work, name, table):
    with pyarrow.memory_map(str(work / "tables" / name / f"web-w{WIDTH}" / f"{table}.arrow")) as mapped:
        return pyarrow.ipc.open_file(mapped).read_all().to_pylist()
