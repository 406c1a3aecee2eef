"""The properties of CSS that a class of cases has beside `white-space`, by the names that they have in cells files."""

import json

import texts

FEATURES = {
    "smallCapitals": {"smcp": 1},
    "tabularNumbers": {"tnum": 1},
    "withoutLigatures": {"liga": 0, "kern": 0},
    "proportional": {"palt": 1},
    "alternates": {"ss01": 1, "onum": 1, "c2sc": 1},
}
LANGUAGES = ["ja", "zh", "zh-Hant", "ko", "de", "ja-JP", "en"]
# Languages in which some fonts have other forms of letters.
FORMS = ["tr", "ro", "nl", "sr", "bg", "pl", "ur", "mr", "ja", "zh-Hans", "zh-TW", "ko", "vi"]
NUMBERS = "1 11 111 7:11 1,171.50 2024-11-11 +1 0.1".split()


def overflow(generator):
    return {"overflowWrap": "normal"}


def words(generator):
    css = {"wordBreak": generator.choice(["breakAll", "breakAll", "keepAll"])}
    return css | ({"overflowWrap": "normal"} if generator.random() < 0.25 else {})


def lines(generator):
    css = {"lineBreak": generator.choice(["auto", "loose", "normal", "strict"])}
    return css | ({"lang": generator.choice(LANGUAGES)} if generator.random() < 0.75 else {})


def anywhere(generator):
    return {"lineBreak": "anywhere"}


def tabs(generator):
    return {"tabSize": generator.choice([0, 0.4, 1, 2, 3, 4, 4.5, 12])}


def features(generator):
    return {"features": generator.choice(list(FEATURES))}


def languages(generator):
    return {"lang": generator.choice(FORMS)}


def wraps(generator):
    return {"textWrap": generator.choice(["balance", "balance", "pretty"])}


def floats(generator):
    """Rectangles at the sides of a text: one or two at one side, or one at each side that leave room between them."""
    def path(side, most):
        # Chromium moves lines below a float of another outline by whole pixels.
        heights = [10, 20, 25, 30, 40, 55, 61, 80, 120]
        return {"side": side, "y": generator.choice([0, 0, 0, 8, 20, 33, 60]), "width": generator.choice([8, 20, 35.5, 48, 64, 90, 140, 200, 420][:most]), "height": generator.choice(heights)}
    side = generator.choice(["left", "right"])
    count = generator.choice([1, 1, 2])
    if generator.random() < 0.3:
        return {"exclusionPaths": [path("left", 4), path("right", 4)]}
    return {"exclusionPaths": [path(side, 9) for _ in range(count)]}


def any_text(generator):
    """A text of any of the kinds, most of them words and marks."""
    kinds = [texts.posts, texts.posts, texts.cjk, texts.cjk, texts.mixed, texts.spaces, texts.emoji, texts.soft_hyphens]
    return generator.choice(kinds)(generator).replace("\r", "")


def east_asian_text(generator):
    """Han, kana and Hangul with the marks and small kana at which strictness matters."""
    marks = list("ァィッーぁっゃ々ゝヽ・：；？！‼⁇〜゠–‐…‥％￥℃￠（）「」、。“”x5") + ["カード", "少々", "きゃっと", "10％", "￥500", "한국어"]
    return "".join(generator.choice(marks if generator.random() < 0.6 else texts.HAN_KANA + texts.HANGUL) for _ in range(generator.randint(4, 30)))


def tabbed_text(generator):
    pieces = [texts.word(generator) if generator.random() < 0.7 else generator.choice(NUMBERS) for _ in range(generator.randint(2, 14))]
    return "".join(piece + generator.choice(["\t", "\t", "\t\t", " ", " \t", "\n"]) for piece in pieces)


def sized_text(generator):
    """A text of any of the kinds, also with tabs."""
    return generator.choice([any_text, any_text, tabbed_text])(generator)


def numbers_text(generator):
    pieces = [generator.choice(NUMBERS) if generator.random() < 0.4 else texts.word(generator) for _ in range(generator.randint(3, 20))]
    return " ".join(pieces) + generator.choice(["", "、。", "（ア）」", " office fi ffl"])


def prose(generator):
    """Words of one line or several paragraphs, as balanced headings are."""
    pieces = [texts.word(generator) for _ in range(generator.randint(3, 40))]
    separators = [" "] * 12 + ["  ", "\n", "-", "\u00ad", ", "]
    return "".join(piece + generator.choice(separators) for piece in pieces).strip()


def declarations(css):
    """Returns the properties as CSS."""
    names = {"overflowWrap": "overflow-wrap", "wordBreak": "word-break", "lineBreak": "line-break", "textWrap": "text-wrap", "hyphens": "hyphens"}
    values = {"breakAll": "break-all", "keepAll": "keep-all"}
    found = [f"{names[name]}: {values.get(stated, stated)}" for name, stated in css.items() if name in names]
    if "tabSize" in css:
        found.append(f"tab-size: {css['tabSize']}")
    if "features" in css:
        settings = ", ".join(f"{json.dumps(tag)} {value}" for tag, value in FEATURES[css["features"]].items())
        found.append(f"font-feature-settings: {settings}")
    return "; ".join(found)
