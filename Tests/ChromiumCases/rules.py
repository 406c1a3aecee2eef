"""Texts that each show a rule, with the widest or narrowest boxes that do."""

# Text, family, weight, size, widths, line height, letter spacing; in both ways to treat white space.
RULES = [
    # An ideographic space behind a broken word brings its height; a stretch that begins the next line does not.
    ("naïf\u3000🎉", "Inter", 400, 16, [10, 30, 900], "normal", 0),
    ("l’eauילדהكتاب,\nbread", "Roboto", 500, 16, [68], "normal", 0),
    # A narrow no-break space among what has no script is Mongolian, which is cursive.
    ("£5 / $7 / ¥900 / ₹450 / ₽600 / 5\u00a0€ / 7\u202f$", "Inter", 400, 24, [62, 247], 29, 0.5),
    ("да\u202fда ab\u202fcd 今\u202f天", "Noto Sans", 400, 20, [57, 70, 130, 136], 25, 2),
    # What has no script of its own has that of what precedes, a closing bracket that of the opening one.
    ("x2, حليب (1L), eggs —", "Noto Sans", 400, 20, [116, 120], 25, 0.5),
    ("صباحอากาศดี 1️⃣ صباح1️⃣ ★", "Noto Sans", 400, 20, [140, 186, 260], 25, 2),
    # Spaces of cursive scripts are spaced all the same.
    ("ب\u00a0ب ب\u3000ب ب\u2003ب", "Noto Sans", 400, 20, [47, 108, 150], 25, 2),
    # Marks give way at the end of a line: not before spaces that are kept, not in Hebrew.
    ("aaa 」 ", "Roboto", 400, 20, [34, 50, 58], 25, 0),
    ("aaa」\nb", "Roboto", 400, 20, [22, 44], 25, 0),
    ("$ילדה ）", "Roboto", 400, 20, [38, 70, 76], 25, 0),
    ("ס\u3000（ס ））ס", "Roboto", 400, 20, [58, 64], 25, 0),
    # Middle dots and all brackets count as punctuation beside marks that give way.
    ("《约翰》·《史密斯》 「a」‧「b」 x（y）｣。", "Inter", 400, 15, [66, 115, 150, 900], 21, 0),
    ("aa„「b」 ⟮「c」⟯ 、｣ ﹁「d」﹂", "Inter", 400, 15, [50, 88, 900], 21, 0),
    # Neighbors of one direction are kerned, also on different levels. Signs without digits are reversed in Arabic.
    ("سعر 7. سلام 1, ab", "Inter", 400, 20, [40, 70, 900], 25, 0),
    ("سلام/.", "Inter", 400, 20, [900], 25, 0),
    # Inter shows an x between numbers as a multiplication sign, also with spaces around it.
    ("10 x 20 x 30 2x 3 4 x5 max 6", "Inter", 400, 15, [30, 64, 900], 21, 0),
    # The middle dot is not of the Cyrillic script, so that it is not kerned with its letters.
    ("х·х Ш’· г·т AT·T カ·А", "Inter", 400, 15, [900], 21, 0),
    # A mark after a space is shaped with the space, in its font.
    ("ก ่ข สว ัส 2 ោ प ि 😍 🏽", "Inter", 400, 20, [44, 90, 900], 25, 0),
    # Lines break behind Hebrew and a space or a soft hyphen.
    ("аб ילדה\u2002сег ילדה\u3000сег", "Inter", 400, 20, [28, 81, 99], 25, 0),
    ("аб ילדה\u00adסег ילדה\u00ad", "Inter", 400, 20, [30, 80, 90], 25, 0),
    # Soft hyphens are shaped in the face around them, and letters join over them.
    ("ab ال\u00adخ\u00adير สว\u00adัส", "Inter", 400, 20, [40, 44, 68, 106], 25, 0),
    # Controls: letter spacing, no joining over hidden ones, .notdef under marks, the last of right-to-left text decides.
    ("a\x01b a\x7fb ก\x01ก", "Inter", 400, 20, [40, 60, 110], 25, 2),
    ("ك\x7fت ك\x01ت", "Inter", 400, 20, [37, 40, 80], 25, 0),
    ("ก\x7f\u0e38ก स\x7f\u094dते", "Inter", 400, 20, [50, 60, 110], 25, 0),
    ("ב\x7fוקרש\x1bלום ב\x07וקרש\x7fלום س\x7f\x16لام", "Inter", 400, 20, [86, 130, 220, 262], 25, 0),
    # Ignored characters take no letter spacing.
    ("a\u2060b\u180ec a\u2063b\u061cc", "Inter", 400, 20, [40, 44, 84], 25, 2),
]


def groups():
    """Returns the rows of each text."""
    return [
        [
            {
                "text": text, "family": family, "weight": weight, "size": size, "width": width,
                "whiteSpace": white_space, "lineHeight": line_height, "letterSpacing": letter_spacing,
            }  # fmt: skip
            for width in widths
            for white_space in ["normal", "pre-wrap"]
        ]
        for text, family, weight, size, widths, line_height, letter_spacing in RULES
    ]
