"""Prints rows of texts.yaml: random texts of the kinds that are hard to break. They depend on the seed only."""

import json
import os
import pathlib
import random
import sys

sys.path.append(str(pathlib.Path(__file__).parent.parent / "ChromiumCases"))
import texts  # noqa: E402

SEED = 20261123
ROWS_PER_KIND = int(os.environ.get("ROWS_PER_KIND", 12))
# The rows of each kind that are shown with the properties of CSS.
CSS_ROWS_PER_KIND = 10
LANGUAGES = ["en", "ja", "zh", "zh-Hant", "ko", "de"]
KINDS = [texts.posts, texts.cjk, texts.emoji, texts.spaces, texts.soft_hyphens, texts.mixed]


def main():
    for kind in KINDS:
        generator = random.Random(f"{SEED} {kind.__name__}")
        for index in range(ROWS_PER_KIND):
            row = {"id": f"{kind.__name__}-{index}", "name": texts.word(generator), "text": kind(generator).replace("\r", "")}
            print(json.dumps(row | {"cell": "TextsCell"}, ensure_ascii=False))
    for kind in KINDS:
        generator = random.Random(f"{SEED} CSS {kind.__name__}")
        for index in range(CSS_ROWS_PER_KIND):
            row = {"id": f"css-{kind.__name__}-{index}", "cell": "CSSCell", "lang": generator.choice(LANGUAGES)}
            print(json.dumps(row | {"text": kind(generator).replace("\r", "")}, ensure_ascii=False))


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    main()
