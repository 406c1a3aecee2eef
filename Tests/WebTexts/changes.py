"""Changes of the CSS of texts, to see how many texts each of them gives another height."""

# A change of one property of every text; None removes the property, so that the browser's own value counts.
CHANGES = [
    {"white-space": None},
    {"overflow-wrap": None},
    {"overflow-wrap": "break-word"},
    {"-webkit-line-clamp": None},
    {"letter-spacing": None},
    {"line-height": None},
    {"font-family": '"Noto Sans Regular"'},
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

# The properties of the fonts, and those that place the element. A page that sets only the fonts has no others.
OTHERS = [
    "white-space", "overflow-wrap", "word-break", "line-break", "text-wrap", "tab-size", "-webkit-line-clamp", "letter-spacing",
    "direction", "unicode-bidi", "font-synthesis", "text-autospace", "padding", "margin", "font-feature-settings",
]  # fmt: skip


def css(change):
    """Returns CSS that makes one change of all texts. Without a property they have its initial value."""
    declarations = "; ".join(f"{name}: {stated or 'initial'} !important" for name, stated in change.items())
    return f".text, .text span {{ {declarations} }}"


FONTS_ONLY = css(dict.fromkeys(OTHERS))


def described(change):
    return ", ".join(f"without {name}" if stated is None else f"{name}: {stated}" for name, stated in change.items())
