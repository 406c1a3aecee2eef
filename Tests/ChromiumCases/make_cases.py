#!/usr/bin/env python3
"""Makes Tests/Fixtures/chromium-cases.jsonl: what Chromium says of texts that are hard to break.

Needs Debian's `chromium` and the font packages of deploy/packages, and takes some minutes:

    Tests/ChromiumCases/make_cases.py > Tests/Fixtures/chromium-cases.jsonl
    Tests/ChromiumCases/make_cases.py css-{overflow,words,anywhere,lines,tabs,features,languages,floats,wraps} --texts 80 > Tests/Fixtures/chromium-css.jsonl
    Tests/ChromiumCases/make_cases.py css-hyphens-{en-US,en-GB,de,es,fr} --texts 80 > hyphens.jsonl
    Tests/ChromiumCases/make_cases.py --seed 7 --texts 500 mixed posts > held-out.jsonl

The texts depend on the seed only, those of the class `rules` on nothing. `ChromiumFonts.swift` says what a row is.
"""

import argparse
import json
import random
import sys

import chromium
import css
import hyphens
import rules
import texts

SEED = 20261121
TEXTS_PER_CLASS = 60
ROWS_PER_TEXT = 5

# A family with its weights, as often as it is listed.
FACES = [("Inter", 400), ("Inter", 400), ("Inter", 700), ("Roboto", 400), ("Roboto", 500), ("Noto Sans", 400)]
SIZES = [11, 12, 13, 14, 15, 15, 16, 17, 20, 24]
# Sizes that Chromium cuts, which the class `sizes` has.
CUT_SIZES = [9.9, 12.65, 13.6, 14.4, 15.4, 16.47, 16.8, 17.55, 18.9, 20.8]
NARROW = (8, 130)
WIDE = (60, 400)

CLASSES = {
    # Class: what makes a text, the range of widths, letter spacings, whether lines have the height of their fonts.
    "soft-hyphens": (texts.soft_hyphens, NARROW, [0, 0, 0, 1], False),
    "controls": (texts.controls, WIDE, [0, 0, 0, 1], False),
    "spaces": (texts.spaces, WIDE, [0], False),
    "separators": (texts.separators, WIDE, [0], False),
    "emoji-spacing": (texts.emoji, WIDE, [-0.5, 0.5, 1, 2], False),
    "cjk-heights": (texts.cjk, WIDE, [0], True),
    "mixed": (texts.mixed, WIDE, [0, 0, 0, 0.5], None),
    "posts": (texts.posts, (60, 420), [0, 0, 0, 0.5], None),
    "sizes": (css.sized_text, (60, 420), [0, 0, 0, 0.5], False),
    "rules": None,
    "khmer-lao": (texts.khmer_lao, (30, 250), [0], False),
}

# Classes of Tests/Fixtures/chromium-css.jsonl: in addition the properties of CSS of a text.
CSS_CLASSES = {
    "css-overflow": (css.any_text, NARROW, [0, 0, 0, 1], None, css.overflow),
    "css-words": (css.any_text, WIDE, [0, 0, 0, 1], None, css.words),
    "css-anywhere": (css.any_text, WIDE, [0, 0, 0, 1], None, css.anywhere),
    "css-lines": (css.east_asian_text, (30, 250), [0], None, css.lines),
    "css-tabs": (css.tabbed_text, WIDE, [0, 0, 2, -0.5], False, css.tabs),
    "css-features": (css.numbers_text, WIDE, [0, 0, 0, 1], None, css.features),
    "css-languages": (css.numbers_text, WIDE, [0, 0, 0, 1], None, css.languages),
    "css-floats": (css.any_text, (110, 420), [0, 0, 0, 1], None, css.floats),
    "css-wraps": (css.prose, (80, 420), [0, 0, 0, 0.5], None, css.wraps),
}
# Classes of texts with `hyphens: auto`, one for each language, which need Debian's packages hyphen-* and libhyphen0 too.
HYPHENS_CLASSES = {
    f"css-hyphens-{language}": (hyphens.text_maker(language), (40, 400), [0, 0, 0, 0.5], None, hyphens.css_maker(language))
    for language in hyphens.WORDS
}
ALL_CLASSES = CLASSES | CSS_CLASSES | HYPHENS_CLASSES


def cases(name, seed, count):
    """Returns a class's texts, each with its rows."""
    if ALL_CLASSES[name] is None:
        return rules.groups()
    make_text, widths, spacings, natural_heights, *make_css = ALL_CLASSES[name]
    sizes = CUT_SIZES if name == "sizes" else SIZES
    generator = random.Random(f"{seed} {name}")
    groups = []
    while len(groups) < count:
        text = make_text(generator)
        if text:
            properties = {"css": make(generator) for make in make_css}
            rows = [row(generator, text, sizes, widths, spacings, natural_heights) for _ in range(ROWS_PER_TEXT)]
            groups.append([row | properties for row in rows])
    return groups


def row(generator, text, sizes, widths, spacings, natural_heights):
    family, weight = generator.choice(FACES)
    size = generator.choice(sizes)
    natural = generator.random() < 0.2 if natural_heights is None else natural_heights
    return {
        "text": text,
        "family": family,
        "weight": weight,
        "size": size,
        "width": generator.randint(*widths) + generator.choice([0, 0, 0.5, 0.25]),
        "whiteSpace": generator.choice(["normal", "pre-wrap"]),
        "lineHeight": "normal" if natural else round(size) + 5,
        "letterSpacing": generator.choice(spacings),
    }


def shown(case):
    """Returns a case with its properties as CSS."""
    properties = case.get("css", {})
    shown = {"css": css.declarations(properties), "lang": properties.get("lang", "en")}
    return case | shown | {"paths": properties.get("exclusionPaths", [])}


def fixture_row(case, measured):
    # A line that holds nothing but a hyphen starts with no character.
    starts = measured["lineStarts"]
    return [
        "cases", case["family"], case["weight"], case["size"], case["width"], case["whiteSpace"], case["lineHeight"],
        case["letterSpacing"], 0, measured["lines"], measured["height"], round(measured["maxLineWidth"], 4),
        None if None in starts else starts,
    ]  # fmt: skip


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--seed", type=int, default=SEED)
    arguments.add_argument("--texts", type=int, default=TEXTS_PER_CLASS, help="texts of each class")
    arguments.add_argument("classes", nargs="*", default=list(CLASSES), help=" ".join(ALL_CLASSES))
    options = arguments.parse_args()
    groups = [(name, group) for name in options.classes for group in cases(name, options.seed, options.texts)]
    measured = iter(chromium.measure([shown(case) for _, group in groups for case in group]))
    for name, group in groups:
        rows = [fixture_row(case, next(measured)) for case in group]
        line = {"class": name, "text": group[0]["text"], "rows": rows}
        if "css" in group[0]:
            line["css"] = group[0]["css"]
        print(json.dumps(line, ensure_ascii=False, separators=(",", ":")))


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    main()
