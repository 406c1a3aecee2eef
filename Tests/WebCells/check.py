"""Compares the heights of whole cells in the platform `web` with those of CSS boxes in headless Chromium."""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import pyarrow.ipc
import yaml

HERE = pathlib.Path(__file__).parent
sys.path += [str(HERE.parent / "ChromiumCases"), str(HERE.parent / "WebTexts")]
import chromium  # noqa: E402
import styles  # noqa: E402

SCRIPTS = ["Noto Sans", "Noto Sans Arabic", "Noto Sans Devanagari", "Noto Sans Thai"]
ORDERS = [
    [*SCRIPTS, "Noto Sans CJK JP", "Noto Color Emoji"],
    ["Noto Color Emoji", "Noto Sans Symbols2", *SCRIPTS, "Noto Sans CJK JP"],
    ["Noto Sans Symbols2", "Noto Color Emoji", "Noto Sans CJK JP", *SCRIPTS],
    ["Noto Sans CJK JP", *SCRIPTS, "Noto Color Emoji"],
    ["Noto Sans Symbols2", "Noto Sans Math", "Noto Sans CJK JP", *SCRIPTS, "Noto Color Emoji"],
]
WIDTHS = [200.1, 240.55, 280.01, 299.99, 320.37, 343.2, 360.66, 375.03, 390.9, 411.43]

# Chips of a row, and differences that are printed.
CHIPS = 8
SHOWN = 10

# Heights are whole numbers of 1/64 pixel.
TOLERANCE = 1 / 256


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("galley", help="the program")
    arguments.add_argument("rows", nargs="+", type=pathlib.Path, help="JSON Lines of posts and products")
    options = arguments.parse_args()
    rows = [row for path in options.rows for line in path.read_text().split("\n") if line for row in cells_of(json.loads(line))]
    different = sum(compare(options.galley, rows, order) for order in ORDERS)
    sys.exit(1 if different or not rows else 0)


def cells_of(row):
    """Returns the cells of a row: its own, and a message of a chat with the same text."""
    text = row.get("text") or row.get("title") or ""
    name = row.get("userName") or row.get("brand") or ""
    kind = "ProductCell" if "title" in row else "PostCell"
    words = [word for word in text.split() if len(word) < 40][:CHIPS]
    values = {"id": str(row["id"]), "name": name, "text": text.replace("\r", "")}
    return [
        {**values, "cell": kind, "chips": row.get("prices", [])},
        {**values, "id": values["id"] + " chat", "cell": "ChatCell", "chips": words},
    ]


def compare(galley, rows, order):
    """Prints how many heights are equal with an order of fallback fonts, and returns the number of those that are not."""
    template = {**yaml.safe_load((HERE / "cells.yaml").read_text()), "fallback": order}
    with tempfile.TemporaryDirectory() as scratch:
        stated = layout(galley, rows, template, pathlib.Path(scratch))
        found = render(galley, rows, template, pathlib.Path(scratch))
    # Chromium shows a character that no listed font has in another installed font, which can be higher.
    compared = [
        (width, row, record["height"], expected)
        for width, records, all_found in zip(WIDTHS, stated, found, strict=True)
        for row, record, expected in zip(rows, records, all_found, strict=True)
        if not record["missing_glyphs"]
    ]
    different = [case for case in compared if abs(case[2] - case[3]) > TOLERANCE]
    missing = len(rows) * len(WIDTHS) - len(compared)
    print(f"{len(compared) - len(different)} of {len(compared)} heights are equal with {', '.join(order)}")
    print(f"  {missing} have characters that no listed font has")
    for width, row, height, expected in different[:SHOWN]:
        print(f"  {row['id']} at {width}: {height}, Chromium {expected}: {row['text']!r}", file=sys.stderr)
    return len(different)


def layout(galley, rows, template, scratch):
    """Returns the records of the rows at each width in the tables of heights."""
    (scratch / "rows.jsonl").write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    (scratch / "cells.yaml").write_text(yaml.safe_dump(template, allow_unicode=True))
    command = [
        galley, "layout", scratch / "rows.jsonl", "--cells", scratch / "cells.yaml", "--platform", "web",
        "--width", ",".join(map(str, WIDTHS)), "--output", scratch / "tables", "--quiet",
    ]  # fmt: skip
    subprocess.run(command, check=True)
    variants = json.loads((scratch / "tables" / "manifest.json").read_text())["variants"]
    by_width = {variant["width"]: scratch / "tables" / variant["name"] for variant in variants}
    return [heights(by_width[width] / "heights.arrow") for width in WIDTHS]


def heights(path):
    with pyarrow.memory_map(str(path)) as mapped:
        return pyarrow.ipc.open_file(mapped).read_all().select(["height", "missing_glyphs"]).to_pylist()


def render(galley, rows, template, scratch):
    """Returns the heights of the rows at each width in Chromium, with the style sheet of `galley css`."""
    environment = chromium.isolate_fonts(scratch)
    css = styles.sheet(galley, scratch / "cells.yaml", scratch / "rows.jsonl", scratch / "subset")
    content = (HERE / "page.html").read_text().replace("/*CSS*/", css)
    for name, value, empty in [("CELLS", template["cells"], "{}"), ("ROWS", rows, "[]"), ("WIDTHS", WIDTHS, "[]")]:
        # JSON within a script: only "<" could end it.
        content = content.replace(f"/*{name}*/{empty}", json.dumps(value).replace("<", "\\u003c"))
    page = scratch / "page.html"
    page.write_text(content)
    return chromium.read_results(page, scratch, environment)


if __name__ == "__main__":
    main()
