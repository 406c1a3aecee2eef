"""Makes kits of texts, measures them with Chromium and Flutter's engine as devices, and spoils these on purpose: each spoilt line
height, width and rounding must be found, and fitted back by the calibration that galley prints."""

import functools
import html
import http.server
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE.parent / "ChromiumCases"))
import chromium  # noqa: E402
import texts  # noqa: E402

CELLS = (HERE / "cells.yaml").read_text()
TEXTS = HERE.parent / "Fixtures" / "browser-engines.jsonl"
WIDTH = 187.3

# The texts of the fixture that the fonts of the cells file can show, and their number.
SHOWN = re.compile("[\n -~\u00a1-\u024f\u0400-\u052f\u05d0-\u05ea\u2013-\u2026]{10,400}")
ROWS = 150

# The least share of texts that are equal on a device that is not spoilt, and with a calibration, in percent.
EQUAL = 99

# Random texts of all scripts, the number of each kind, the widths at which they are laid out, and the fonts for them.
SEED = 20261128
KINDS = [texts.posts, texts.cjk, texts.emoji, texts.spaces, texts.soft_hyphens, texts.mixed, texts.controls, texts.separators]
ROWS_OF_KIND = 60
WIDTHS = [90, 187.3, 333]
FALLBACK = ", ".join(f"Noto Sans {name}" for name in ("Hebrew", "Arabic", "Thai", "Devanagari", "CJK JP")) + ", Noto Color Emoji"


class Kit:
    """A kit of texts for a platform, and what is done with it."""

    def __init__(self, galley, scratch, name, platform, cells=CELLS, texts="rows.jsonl", width=WIDTH):
        self.galley, self.path, self.platform = galley, scratch / name, platform
        file = scratch / f"{name}.yaml"
        file.write_text(cells)
        self.run("sample", scratch / texts, "--cells", file, "--width", width, "--platform", platform, "--output", self.path)

    def run(self, *arguments):
        command = [self.galley, "calibrate", *map(str, arguments)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def compare(self, device, measured, before, block, tolerance=None, equal=EQUAL):
        """Compares a file of a device. `before` are the largest shares in percent before the calibration, `block` are patterns
        of what the calibration has, `tolerance` is the tolerance of widths that it has within half a point, and `equal` the least
        share in percent with the calibration."""
        file = self.path.parent / f"{self.path.name}-measured.jsonl"
        file.write_text(measured)
        output = self.run("compare", self.path, file)
        shares = [float(share) for share in re.findall(r"([\d.]+) %", output.split("\nall ")[1].split("\n")[0])]
        print(f"{self.platform}, {device}: equal lines and heights {shares} %")
        well = all(share >= equal for share in shares[-2:])
        well &= all(re.search(pattern, output) for pattern in block)
        well &= all(share <= most for share, most in zip(shares, before))
        found = re.search(r"widthTolerance: (\S+)", output)
        well &= abs(float(found[1]) - tolerance) <= 0.5 if found and tolerance else found is tolerance
        if not well:
            sys.exit(f"{output}\n{self.platform}, {device}: not as expected: at most {before}, with {block} and {tolerance}")


def random_rows(scratch):
    rows = []
    for kind in KINDS:
        generator = random.Random(f"{SEED} {kind.__name__}")
        rows += [{"id": f"{kind.__name__}-{index}", "text": kind(generator)} for index in range(ROWS_OF_KIND)]
    (scratch / "random.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def rows(scratch):
    texts = [json.loads(line).get("text", "") for line in TEXTS.read_text().split("\n") if line]
    shown = [text for text in texts if SHOWN.fullmatch(text)][:ROWS]
    (scratch / "rows.jsonl").write_text("".join(json.dumps({"id": text, "text": text}) + "\n" for text in shown))


def flutter(kit, engine, **spoilt):
    environment = {**os.environ, **{name.upper(): str(number) for name, number in spoilt.items()}}
    command = ["node", HERE / "flutter.mjs", engine, kit.path]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


def browser(kit, scratch, environment, spoil=lambda page: page):
    """Returns what the kit's page measures in Chromium."""
    (kit.path / "spoilt.html").write_text(spoil((kit.path / "measure.html").read_text()))
    handler = functools.partial(QuietHandler, directory=kit.path)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/spoilt.html"
        page = chromium.run(scratch, environment, "--dump-dom", url).decode()
        server.shutdown()
    return html.unescape(page.split('<pre id="measured">')[1].split("</pre>")[0])


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def spoilt_page(page):
    """Returns a page whose bold font is higher and whose boxes are narrower."""
    page = page.replace('{ weight: "1 1000" }', '{ weight: "1 1000", ...(index === 1 ? { ascentOverride: "115%" } : {}) }')
    return page.replace("width: `${text.width}px`", "width: `${text.width - 2}px`")


def hinted(environment, scratch):
    """Returns an environment in which Chromium hints fonts, for which it rounds advances to whole pixels."""
    config = scratch / "hinted.conf"
    plain = pathlib.Path(environment["FONTCONFIG_FILE"]).read_text()
    style = '<bool>true</bool></edit><edit name="hintstyle" mode="assign"><const>hintfull</const>'
    config.write_text(plain.replace("<bool>false</bool>", style))
    return {**environment, "FONTCONFIG_FILE": str(config)}


def main():
    galley, engine = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        rows(scratch)
        kit = Kit(galley, scratch, "flutter", "flutter")
        kit.compare("as it is", flutter(kit, engine), (100, 100), ["No other calibration"])
        kit.compare(
            "wider lines, higher texts", flutter(kit, engine, wider=2.5, higher=1.12), (97, 60), ["body: {addition: 2}"], 2.5)
        random_rows(scratch)
        cells = CELLS.replace("Noto Sans Hebrew", FALLBACK)
        for width in WIDTHS:
            kit = Kit(galley, scratch, f"random-{width}", "flutter", cells, "random.jsonl", width)
            # Of marks that no font has, one text may differ.
            kit.compare(f"random texts at {width}", flutter(kit, engine), (100, 100), ["No other calibration"], equal=99.8)
        environment = chromium.isolate_fonts(scratch)
        kit = Kit(galley, scratch, "web", "web")
        kit.compare(
            "narrower boxes, another ascent", browser(kit, scratch, environment, spoil=spoilt_page), (97, 60),
            ["name: {addition: 2}"], -2)  # fmt: skip
        kit.compare(
            "hinted fonts", browser(kit, scratch, hinted(environment, scratch)), (99, 99), ["roundsAdvances: true"])
        wrong = "calibration: {web: {widthTolerance: 3, lineHeights: {body: {factor: 1.1}}}}\n"
        kit = Kit(galley, scratch, "spoilt", "web", CELLS + wrong)
        kit.compare("wrong calibration", browser(kit, scratch, environment), (99, 60), ["remove the calibration of web"])


main()
