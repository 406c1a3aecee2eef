"""The CSS with which texts of a page are as high as in the tables, as the article WebTexts states it."""

import functools
import subprocess

# What every text has. The properties after the first are the initial ones, which a page may have changed.
RIGHT = {
    "overflow-wrap": "anywhere",
    "line-break": "auto",
    "word-break": "normal",
    "hyphens": "manual",
    "text-wrap": "wrap",
    "text-spacing-trim": "normal",
    "text-autospace": "no-autospace",
    "tab-size": "8",
    "text-indent": "0",
    "text-transform": "none",
    "word-spacing": "0",
    "font-kerning": "auto",
    "font-synthesis": "none",
    "font-size-adjust": "none",
    "text-size-adjust": "none",
    "direction": "ltr",
    "unicode-bidi": "isolate",
    "padding": "0",
    "border": "0",
}

WEIGHTS = {
    "thin": 100, "extralight": 200, "light": 300, "regular": 400, "medium": 500, "semibold": 600, "bold": 700,
    "extrabold": 800, "black": 900,
}  # fmt: skip

# The FC_WEIGHT constants of weights of CSS.
FONTCONFIG_WEIGHTS = {100: 0, 200: 40, 300: 50, 400: 80, 500: 100, 600: 180, 700: 200, 800: 205, 900: 210}


def weight(stated):
    return WEIGHTS.get(stated, stated)


@functools.cache
def font_file(family, stated_weight, italic):
    """Returns the file that fontconfig has for a font of a cells file, as galley finds it."""
    pattern = f"{family}:weight={FONTCONFIG_WEIGHTS[weight(stated_weight)]}:slant={100 if italic else 0}"
    return subprocess.run(["fc-match", "--format", "%{file}", pattern], capture_output=True, check=True, text=True).stdout


def font_faces(fonts, fallback):
    """Returns an @font-face for each font, and one of weight 400 for each family of the fallback, under names of their own."""
    faces = [(font.family, weight(font.weight), font.italic, font_file(font.family, font.weight, font.italic)) for font in fonts]
    faces += [(fallback_name(family), 400, False, font_file(family, 400, False)) for family in fallback]
    return "\n".join(
        f'@font-face {{ font-family: "{family}"; font-weight: {face_weight}; '
        f'font-style: {"italic" if italic else "normal"}; src: url("file://{file}") }}'
        for family, face_weight, italic, file in dict.fromkeys(faces)
    )


def fallback_name(family):
    return f"{family} fallback"


def font_css(font, text_scale, fallback):
    families = ", ".join(f'"{name}"' for name in [font.family, *map(fallback_name, fallback)])
    height = font.line_height if font.line_height == "normal" else f"{font.line_height * text_scale}px"
    return {
        "font-family": families,
        "font-weight": str(weight(font.weight)),
        "font-style": "italic" if font.italic else "normal",
        "font-size": f"{font.size * text_scale}px",
        "line-height": height,
        "letter-spacing": f"{font.letter_spacing}px",
        "vertical-align": f"{0 if font.attachment else font.baseline_offset * text_scale}px",
        "font-feature-settings": ", ".join(f'"{tag}" {value}' for tag, value in font.features.items()) or "normal",
    }


def attachment_css(font, text_scale):
    """Returns the CSS of the element inside the span of an attachment."""
    width, height = font.attachment
    return {
        "display": "inline-block", "width": f"{width * text_scale}px", "height": f"{height * text_scale}px",
        "vertical-align": f"{font.baseline_offset * text_scale}px",
    }  # fmt: skip


def text_css(text, frame, text_scale, fallback):
    """Returns the CSS of a text element. `-webkit-line-clamp` is that of the frame: also a text that its height cuts has it."""
    css = {**font_css(text.font, text_scale, fallback), **RIGHT}
    css["white-space"] = "pre-wrap" if text.white_space == "preserve" else "normal"
    if text.base_direction == "rtl":
        css["direction"] = "rtl"
    css |= stated_css(text.css)
    if text.line_spacing:
        # Half of the spacing is above each line and half below it; the margin takes the first half out of the element.
        css["line-height"] = f"{text.font.line_height * text_scale + text.line_spacing}px"
        css["margin-top"] = f"{-text.line_spacing / 2}px"
    if len(text.runs) > 1:
        # The block's own lines must not be higher than those of its runs; tab stops are those of the first run's font.
        css |= {**font_css(text.runs[0][1], text_scale, fallback), "line-height": "0"}
    if any(text.insets):
        css |= {"box-sizing": "border-box", "padding": " ".join(f"{inset}px" for inset in text.insets)}
    if frame["truncated"]:
        css |= {
            "display": "-webkit-box", "-webkit-box-orient": "vertical", "-webkit-line-clamp": str(frame["lines"]),
            "overflow": "hidden",
        }  # fmt: skip
    return css


def stated_css(stated):
    """Returns the properties that a text states by their names in CSS, but for its language, which is an attribute."""
    names = {"overflowWrap": "overflow-wrap", "wordBreak": "word-break", "lineBreak": "line-break", "textWrap": "text-wrap"}
    values = {"breakAll": "break-all", "keepAll": "keep-all"}
    css = {names[name]: values.get(value, value) for name, value in stated.items() if name in names}
    return css | ({"tab-size": f"{stated['tabSize']:g}"} if "tabSize" in stated else {})


def paragraph_css(text, index):
    """Returns the CSS of the block of a paragraph. Its lines start at the indent, and the first one apart from it."""
    css = {"padding-inline": f"{text.indent}px {-text.tail_indent}px", "text-indent": f"{text.first_indent - text.indent}px"}
    return css | ({"margin-top": f"{text.gap}px"} if index else {})


def float_css(rectangle):
    """Returns the CSS of the element at the start of a text beside which lines are shorter."""
    y, width, height = rectangle.get("y", 0), rectangle["width"], rectangle["height"]
    return {
        "float": rectangle["side"], "width": f"{width}px", "height": f"{y + height}px",
        "shape-outside": f"inset({y}px 0 0 0)",
    }  # fmt: skip


def declarations(css):
    return "; ".join(f"{name}: {stated}" for name, stated in css.items())
