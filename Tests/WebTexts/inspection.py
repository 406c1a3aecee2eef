"""Compares the frames and texts of cells with what `galley inspect` shows of the same rows."""

import json
import subprocess


def mismatches(galley, path, cells):
    """Returns the names of the cells of one variant whose frames or texts `galley inspect --json` shows otherwise."""
    return [cell["name"] for index, cell in enumerate(cells) if not is_as_inspected(inspect(galley, path, cell, index), cell)]


def inspect(galley, path, cell, index):
    command = [
        galley, "inspect", path.with_suffix(".jsonl"), "--cells", path, "--row", str(index), "--json",
        "--width", f"{cell['list_width']:g}", "--text-scale", f"{cell['text_scale']:g}", "--scale", f"{cell['scale']:g}",
    ]  # fmt: skip
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def is_as_inspected(shown, cell):
    return len(shown["nodes"]) == len(cell["frames"]) and all(
        node["node"] == frame["node"]
        and node["frame"] == [frame[name] for name in ("x", "y", "width", "height")]
        and ("text" not in frame or has_lines(frame, node["lines"]))
        for node, frame in zip(shown["nodes"], cell["frames"], strict=True)
    )


def has_lines(frame, lines):
    """Returns whether the lines are those of the text: its beginning if it is cut, but for blanks at the ends of lines."""
    if len(lines) != frame["lines"]:
        return False
    content = "".join("".join(content for content, _ in frame["text"].runs).split())
    whole = "".join("".join(lines[:-1] if frame["truncated"] else lines).split())
    return content.startswith(whole) if frame["truncated"] else content == whole
