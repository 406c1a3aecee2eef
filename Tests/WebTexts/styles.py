"""The style sheets of `galley css`, and the font files that fontconfig has."""

import functools
import subprocess

# The FC_WEIGHT constants of weights of CSS.
FONTCONFIG_WEIGHTS = {400: 80, 700: 200}


@functools.cache
def font_file(family, weight=400):
    """Returns the file that fontconfig has for an upright font of a family, as galley finds it."""
    pattern = f"{family}:weight={FONTCONFIG_WEIGHTS[weight]}:slant=0"
    return subprocess.run(["fc-match", "--format", "%{file}", pattern], capture_output=True, check=True, text=True).stdout


def sheet(galley, cells, rows, fonts):
    """Returns the style sheet of a cells file. Its fonts are in the directory `fonts` and have the characters of the rows."""
    command = [galley, "css", cells, rows, "--fonts", fonts, "--font-url", fonts.absolute().as_uri()]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def float_css(rectangle):
    """Returns the CSS of the element at the start of a text beside which lines are shorter."""
    y, width, height = rectangle.get("y", 0), rectangle["width"], rectangle["height"]
    return f"float: {rectangle['side']}; width: {width}px; height: {y + height}px; shape-outside: inset({y}px 0 0 0)"
