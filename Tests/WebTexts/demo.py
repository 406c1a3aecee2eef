"""The demo's feed, laid out for Chromium."""

import subprocess

import cell_texts
import styles
import yaml


def lay_out(galley, work, rows, width):
    """Lays out the demo, and returns its rows, the directory of its tables, and the CSS of its fonts, each a class."""
    subprocess.run([galley, "examples", work / "examples"], stdout=subprocess.DEVNULL, check=True)
    kept, cells = work / "demo.jsonl", work / "examples" / "demo.yaml"
    subprocess.run([galley, "demo", "--rows", str(rows), "--output", work / "demo", "--keep-rows", kept, "--quiet"], check=True)
    command = [galley, "layout", kept, "--cells", cells, "--width", str(width), "--platform", "web", "--lines"]
    subprocess.run([*command, "--output", work / "tables", "--quiet"], check=True)
    template = yaml.safe_load(cells.read_text())
    fallback = template.get("fallback", [])
    fonts = {name: cell_texts.font({"font": name}, template, [], None) for name in template["fonts"]}
    rules = [f".{name} {{ {styles.declarations(styles.font_css(font, 1, fallback))} }}" for name, font in fonts.items()]
    return kept, work / "tables" / f"web-w{width}", "\n".join([styles.font_faces(fonts.values(), fallback), *rules])
