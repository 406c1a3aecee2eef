"""Changes of the CSS of texts, to see how many texts each of them gives another height."""

# A change of one property of every text; None removes the property, so that the browser's own value counts.
CHANGES = [
    {"white-space": None},
    {"overflow-wrap": None},
    {"overflow-wrap": "break-word"},
    {"-webkit-line-clamp": None},
    {"letter-spacing": None},
    {"line-height": None},
    {"font-family": '"Noto Sans fallback"'},
    {"font-synthesis": None},
    {"font-kerning": "none"},
    {"font-variant-ligatures": "none"},
    {"text-rendering": "optimizeLegibility"},
    {"text-rendering": "optimizeSpeed"},
    {"text-spacing-trim": None},
    {"text-spacing-trim": "space-all"},
    {"text-spacing-trim": "trim-start"},
    {"text-autospace": None},
    {"text-autospace": "normal"},
    {"line-break": "normal"},
    {"line-break": "strict"},
    {"line-break": "loose"},
    {"line-break": "anywhere"},
    {"word-break": "break-all"},
    {"word-break": "keep-all"},
    {"word-break": "auto-phrase"},
    {"hyphens": None},
    {"hyphens": "none"},
    {"text-wrap": "pretty"},
    {"text-wrap": "balance"},
    {"tab-size": "4"},
    {"direction": "rtl"},
    {"unicode-bidi": "plaintext"},
    {"-webkit-locale": '"ja"'},
    {"-webkit-locale": '"zh"'},
    {"-webkit-locale": '"ar"'},
    {"-webkit-locale": '"th"'},
]

# What a page has that sets the fonts only.
FONT = {"font-family", "font-weight", "font-style", "font-size", "line-height"}


def right(css):
    return css


def fonts_only(css):
    return {name: stated for name, stated in css.items() if name in FONT}


def changed(change):
    """Returns a function that makes one change of a text's CSS."""

    def apply(css):
        kept = {name: stated for name, stated in css.items() if name not in change}
        return kept | {name: stated for name, stated in change.items() if stated is not None}

    return apply


def described(change):
    return ", ".join(f"without {name}" if stated is None else f"{name}: {stated}" for name, stated in change.items())
