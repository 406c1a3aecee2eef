"""Draws the lines of texts one by one in a browser, at the places that lines.arrow states: none may be wider than the table says by
more than one point, and the last one ends within the frame. Arguments: the program, the directory of the tables, and chromium, firefox or webkit."""

import json
import pathlib
import sys
import tempfile

import pyarrow.ipc

HERE = pathlib.Path(__file__).parent
sys.path += [str(HERE), str(HERE.parent / "ChromiumCases"), str(HERE.parent / "WebTexts")]
import browsers  # noqa: E402
import chromium  # noqa: E402
import styles  # noqa: E402

PAGE = HERE / "page.html"
TEXTS_PER_PAGE = 1000
SHOWN = 10

# The fonts of pages that a browser refuses. Firefox loads no bitmap font, and takes the installed one, which is the same file.
REFUSED = {"firefox": {"Noto Color Emoji"}}

# The most points by which a drawn line may be wider than the table says.
TOLERANCE = 1


def main():
    galley, directory, browser = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    texts, results = [], []
    for path in sorted(directory.glob("*.yaml")):
        variants = json.loads((path.with_suffix("") / "manifest.json").read_text())["variants"]
        own = [text for variant in variants for text in texts_of(path, variant)]
        css = styles.sheet(galley, path, path.with_suffix(".jsonl"), directory / f"{path.stem}-fonts")
        texts += own
        results += render(browser, own, css)
    wrong = [problem for text, lines in zip(texts, results, strict=True) for problem in problems(text, lines)]
    count = sum(len(text["lines"]) for text in texts)
    print(f"{count} lines of {len(texts)} texts were drawn one by one in {browser}, {len(wrong)} of them otherwise than the tables say")
    print(*wrong[:SHOWN], sep="\n")
    sys.exit(1 if wrong or not count else 0)


def texts_of(path, variant):
    """Returns the texts of a variant with their lines as they are drawn."""
    tables = path.with_suffix("") / variant["name"]
    frames = [frame for frame in read(tables / "frames.arrow") if frame["type"] == "text"]
    lines = read(tables / "lines.arrow")
    found = []
    next_line = 0
    for frame, text in zip(frames, read(tables / "texts.arrow"), strict=True):
        assert (frame["row"], frame["node"]) == (text["row"], text["node"])
        own = lines[next_line : next_line + frame["lines"]]
        next_line += len(own)
        found.append({
            "name": f"{path.stem} {variant['name']} row {frame['row']} {frame['node']}", "width": frame["width"],
            "height": frame["height"], "truncated": frame["truncated"],
            "lines": [{**line, "runs": runs(line, text)} for line in own],
        })  # fmt: skip
    assert next_line == len(lines)
    return found


def runs(line, text):
    """Returns the characters of a line by font, whose name is that of a class, with its hyphen or the truncation string."""
    units = text["text"].encode("utf-16-le")
    found = []
    for run in text["runs"]:
        start, end = max(run["start"], line["start"]), min(run["end"], line["end"])
        if start < end:
            found.append((run["font"], units[2 * start : 2 * end].decode("utf-16-le", "replace")))
    last = "\u2010" if line["hyphen"] else text["truncation"] if line["ellipsis"] else ""
    if last:
        found.append((found[-1][0] if found else text["runs"][-1]["font"], last))
    return [{"text": characters, "font": name} for name, characters in found]


def read(path):
    with pyarrow.memory_map(str(path)) as mapped:
        return pyarrow.ipc.open_file(mapped).read_all().to_pylist()


def render(browser, texts, css):
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        environment = chromium.isolate_fonts(scratch)
        results = []
        for first in range(0, len(texts), TEXTS_PER_PAGE):
            page = scratch / "page.html"
            shown = json.dumps(texts[first : first + TEXTS_PER_PAGE]).replace("<", "\\u003c")
            page.write_text(PAGE.read_text().replace("/*CSS*/", css).replace("/*TEXTS*/[]", shown))
            answer = browsers.read_results(browser, page, scratch, environment)
            failed = {family.strip('"') for family in answer["failed"]} - REFUSED.get(browser, set())
            if failed:
                raise SystemExit(f"{browser} loads no {', '.join(sorted(failed))}")
            results += answer["results"]
        return results


def problems(text, drawn):
    for line, box in zip(text["lines"], drawn, strict=True):
        characters = "".join(run["text"] for run in line["runs"])
        if box["width"] > line["width"] + TOLERANCE:
            yield f"{text['name']}: {characters!r} is {box['width']} px wide, the table says {line['width']}"
        if box["rows"] > 1:
            yield f"{text['name']}: {characters!r} wraps"
    if text["lines"] and not text["truncated"]:
        last = text["lines"][-1]
        # A style can make the frame higher than its lines.
        if last["y"] + last["height"] > text["height"] + TOLERANCE:
            yield f"{text['name']}: its lines end at {last['y'] + last['height']}, its frame at {text['height']}"


main()
