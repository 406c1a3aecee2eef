"""Measures texts in headless Chromium with exact font files.

Chromium sees no other font: fontconfig is pointed at a directory of links to the files.
"""

import json
import os
import pathlib
import subprocess
import tempfile

import hyphen_data

# Family, weight and file, in the order of Tests/TextMeasurementTests/ChromiumFonts.swift.
NAMED = [
    ("Inter", 400, "Inter-Regular.otf"),
    ("Inter", 700, "Inter-Bold.otf"),
    ("Roboto", 400, "Roboto-Regular.ttf"),
    ("Roboto", 500, "Roboto-Medium.ttf"),
    ("Noto Sans", 400, "NotoSans-Regular.ttf"),
    ("Noto Sans", 700, "NotoSans-Bold.ttf"),
    ("Noto Naskh Arabic", 400, "NotoNaskhArabic-Regular.ttf"),
]
FALLBACK = [
    ("Noto Sans", "NotoSans-Regular.ttf"),
    ("Noto Sans Arabic", "NotoSansArabic-Regular.ttf"),
    ("Noto Sans Hebrew", "NotoSansHebrew-Regular.ttf"),
    ("Noto Sans Thai", "NotoSansThai-Regular.ttf"),
    ("Noto Sans Devanagari", "NotoSansDevanagari-Regular.ttf"),
    ("Noto Sans Bengali", "NotoSansBengali-Regular.ttf"),
    ("Noto Sans Tamil", "NotoSansTamil-Regular.ttf"),
    ("Noto Sans Khmer", "NotoSansKhmer-Regular.ttf"),
    ("Noto Sans Lao", "NotoSansLao-Regular.ttf"),
    ("Noto Sans CJK JP", "NotoSansCJK-Regular.ttc"),
    ("Noto Color Emoji", "NotoColorEmoji.ttf"),
]

# A font of the same packages that no list names. Chromium searches the installed fonts for what the listed ones lack, and
# has the control characters from U+007F to U+009F from this one.
SYSTEM_FONT = "NotoSansSymbols2-Regular.ttf"

# Rows that one page measures; more take Chromium's memory.
ROWS_PER_PAGE = 1000
PAGE_SECONDS = 300

PAGE = pathlib.Path(__file__).with_name("page.html")


def font_paths():
    """Returns the paths of the font files by name."""
    wanted = {file for _, _, file in NAMED} | {file for _, file in FALLBACK} | {SYSTEM_FONT}
    found = {}
    for directory, _, files in os.walk("/usr/share/fonts"):
        found.update({file: os.path.join(directory, file) for file in files if file in wanted})
    missing = sorted(wanted - found.keys())
    if missing:
        raise SystemExit(f"{missing} are not under /usr/share/fonts; deploy/packages lists what to install")
    return found


def font_stack(family):
    """Returns the CSS families of a row: its own, then the fallback without it."""
    return [family] + [name for name, _ in FALLBACK if name != family]


def font_faces(directory):
    """Returns CSS that has Chromium read the files themselves, as it rounds the advances of installed bitmap fonts."""
    faces = NAMED + [(name, 400, file) for name, file in FALLBACK if (name, 400, file) not in NAMED]
    return "\n".join(
        f'@font-face {{ font-family: "{name}"; font-weight: {weight}; src: url("{(directory / file).as_uri()}") }}'
        for name, weight, file in faces
    )


def measure(cases):
    """Returns what Chromium says of each case: lines, height, widest line and line starts."""
    with tempfile.TemporaryDirectory() as scratch:
        environment = isolate_fonts(pathlib.Path(scratch))
        hyphen_data.write(profile(pathlib.Path(scratch)), [case for case in cases if "hyphens" in case["css"]])
        results = []
        for first in range(0, len(cases), ROWS_PER_PAGE):
            results += measure_page(cases[first : first + ROWS_PER_PAGE], pathlib.Path(scratch), environment)
        return results


def isolate_fonts(scratch):
    """Returns an environment in which fontconfig knows these font files only."""
    fonts = scratch / "fonts"
    fonts.mkdir()
    for file, path in font_paths().items():
        (fonts / file).symlink_to(path)
    config = scratch / "fonts.conf"
    config.write_text(
        f"<fontconfig><dir>{fonts}</dir><cachedir>{scratch / 'cache'}</cachedir>"
        '<match target="font"><edit name="hinting" mode="assign"><bool>false</bool></edit></match></fontconfig>'
    )
    return {**os.environ, "FONTCONFIG_FILE": str(config), "HOME": str(scratch)}


def measure_page(cases, scratch, environment):
    rows = [{**case, "families": font_stack(case["family"])} for case in cases]
    page = scratch / "page.html"
    # JSON within a script: only "<" could end it.
    content = PAGE.read_text().replace("/*FACES*/", font_faces(scratch / "fonts"))
    page.write_text(content.replace("/*CASES*/[]", json.dumps(rows).replace("<", "\\u003c")))
    results = read_results(page, scratch, environment)
    if len(results) != len(cases):
        raise SystemExit(f"Chromium measured {len(results)} of {len(cases)} cases")
    return results


def read_results(page, scratch, environment):
    """Returns the JSON that the page writes into its element `results`."""
    text = run(scratch, environment, "--dump-dom", page.as_uri()).decode()
    start = text.index('<pre id="results">') + len('<pre id="results">')
    return json.loads(text[start : text.index("</pre>", start)])


def profile(scratch):
    """Returns the directory of Chromium's settings and hyphenation dictionaries."""
    return scratch / "profile"


def run(scratch, environment, *arguments):
    """Returns what Chromium prints."""
    command = [
        "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--font-render-hinting=none",
        f"--user-data-dir={profile(scratch)}", "--virtual-time-budget=100000", *arguments,
    ]  # fmt: skip
    return subprocess.run(command, env=environment, capture_output=True, timeout=PAGE_SECONDS, check=True).stdout
