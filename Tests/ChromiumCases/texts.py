"""Random texts of the kinds that are hard to break. Every character but controls is in one of the fonts."""

import json
import pathlib

FIXTURES = pathlib.Path(__file__).parent.parent / "Fixtures"

LATIN = (
    "the bread office affine flow fjord Wave AVATAR To Type naïf d’accord l’eau garçon Übung Straße schön Größe "
    "under window letters yellow running quick Donaudampfschifffahrt internationalization"
).split()
CYRILLIC_GREEK = "привет мир сегодня щука ёлка окно καλημέρα ήλιος θάλασσα".split()
HAN_KANA = "今天 天气 很好 我们 出去 走走 今日は ひらがな カタカナ です しょう っと".split()
HANGUL = "오늘 날씨가 좋아요 한국어".split()
THAI = "กรุงเทพ สวัสดี อากาศดี วันนี้".split()
KHMER = "ភាសាខ្មែរ សួស្តី".split()
# Phrases without spaces, from which words of the dictionaries and parts of words are cut.
KHMER_PHRASES = "ថ្ងៃនេះអាកាសធាតុល្អណាស់ យើងទៅដើរលេងនៅមាត់ទន្លេជាមួយមិត្តភក្តិ ខ្ញុំចង់ទៅផ្សារទិញបន្លែ រដ្ឋាភិបាលកម្ពុជា ហ្វេសប៊ុក".split()
LAO_PHRASES = "ມື້ນີ້ອາກາດດີຫຼາຍ ພວກເຮົາຈະໄປຫຼິ້ນແຄມແມ່ນ້ຳຂອງ ຂ້ອຍຢາກໄປກິນເຂົ້າຢູ່ຕະຫຼາດເຊົ້າກັບໝູ່ ນະຄອນຫຼວງວຽງຈັນເປັນເມືອງຫຼວງ ເຟສບຸກ".split()
DEVANAGARI = "नमस्ते मौसम आज हिन्दी".split()
HEBREW = "שלום בוקר ילדה ספר".split()
ARABIC = "سلام صباح الخير كتاب".split()
EMOJI = ["😀", "🎉", "❤️", "👍🏽", "🇫🇷", "👨‍👩‍👧", "1️⃣", "☀", "★", "👋🌍", "🏳️‍🌈", "🧑🏾‍🚀"]
NUMBERS = "3.5 1,200 10:30 €45 №5 2024-05-01 3/4 12 -7".split()
PUNCTUATION = list("!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~¿¡«»‹›„“”‘’…–—―·•°§×′″") + "... -> => --".split()
CJK_MARKS = list("、。「」（）！？，．：；・ー～『』【】〜")
UNICODE_SPACES = list("\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f")
INVISIBLE = list("\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u202c\u202e\u2066\u2069\u00ad\u00a0")
CONTROLS = [chr(code) for code in [*range(1, 9), 0xB, 0xC, 0xD, *range(0xE, 0x20), *range(0x7F, 0xA0)]]
FREQUENT_CONTROLS = list("\x07\x1b\x7f\x85\x01\x0b")
WORDS = [LATIN, LATIN, CYRILLIC_GREEK, HAN_KANA, HANGUL, THAI, DEVANAGARI, HEBREW, ARABIC]


def word(generator, kinds=WORDS):
    return generator.choice(generator.choice(kinds))


def khmer_lao(generator):
    """Phrases of Khmer and Lao, parts of them that are in no dictionary, and what can stand between them."""
    pieces = []
    for _ in range(generator.randint(1, 4)):
        phrase = word(generator, [KHMER_PHRASES, LAO_PHRASES])
        start = generator.choice([0, 0, generator.randrange(len(phrase))])
        pieces.append(phrase[start : generator.choice([len(phrase), start + generator.randint(1, 12)])])
        pieces.append(generator.choice(["", "", "", " ", "-", "12", word(generator)]))
    return "".join(pieces)


def soft_hyphens(generator):
    """Words of which most syllables end with a soft hyphen, some with two, or with a hyphen beside one."""
    pieces = []
    for _ in range(generator.randint(1, 4)):
        letters = "".join(word(generator, [LATIN, LATIN, CYRILLIC_GREEK, NUMBERS]) for _ in range(generator.randint(1, 4)))
        if generator.random() < 0.15:
            letters += word(generator, [HAN_KANA, HEBREW, ARABIC, EMOJI, THAI])
        place, cut = 0, []
        while place < len(letters):
            length = generator.choice([1, 1, 2, 2, 3, 4, 6, 12])
            cut.append(letters[place : place + length])
            place += length
        separators = ["\u00ad"] * 16 + ["\u00ad\u00ad", "-", "\u00ad-", "-\u00ad", "\u00ad \u00ad", "\u200b"]
        pieces.append("".join(part + generator.choice(separators) for part in cut))
        if generator.random() < 0.6:
            pieces[-1] = pieces[-1].rstrip("\u00ad-\u200b ")
    return generator.choice([" ", " ", "  ", "\n"]).join(pieces)


def controls(generator):
    """Words with control characters in them, and a few besides."""
    pieces = []
    for _ in range(generator.randint(2, 7)):
        text = word(generator)
        for _ in range(generator.choice([0, 1, 1, 2])):
            place = generator.randint(0, len(text))
            control = generator.choice(FREQUENT_CONTROLS if generator.random() < 0.6 else CONTROLS)
            text = text[:place] + control + text[place:]
        pieces.append(text + generator.choice(["", " ", " ", " ", "-", "/", "\n"]))
    return "".join(pieces)


def spaces(generator):
    """Ideographic and other Unicode spaces, next to closing marks, emoji and words."""
    pieces = []
    for _ in range(generator.randint(3, 9)):
        pieces.append(generator.choice([word(generator), generator.choice(CJK_MARKS), generator.choice(EMOJI)]))
        if generator.random() < 0.75:
            space = generator.choice(["\u3000", "\u3000", "\u3000", " ", " ", *generator.sample(UNICODE_SPACES, 3)])
            pieces.append(space * generator.choice([1, 1, 1, 2, 3]))
        if generator.random() < 0.2:
            pieces.append(generator.choice([" ", "\n", "\t", "\u00a0"]))
    return "".join(pieces)


def separators(generator):
    """Line and paragraph separators, most of them within scripts that are broken with a dictionary."""
    pieces = []
    for _ in range(generator.randint(3, 8)):
        text = "".join(word(generator, [THAI, THAI, THAI, KHMER, LATIN, HAN_KANA]) for _ in range(generator.randint(1, 3)))
        if generator.random() < 0.7:
            place = generator.randint(0, len(text))
            text = text[:place] + generator.choice("\u2028\u2028\u2029") + text[place:]
        pieces.append(text + generator.choice(["", " ", " ", "\n"]))
    return "".join(pieces)


def emoji(generator):
    """Emoji sequences, alone and between words."""
    pieces = []
    for _ in range(generator.randint(3, 12)):
        pieces.append(generator.choice(EMOJI) if generator.random() < 0.6 else word(generator))
        pieces.append(generator.choice(["", "", " "]))
    return "".join(pieces)


def cjk(generator):
    """Chinese, Japanese and Korean with marks, Latin, emoji and other scripts between."""
    pieces = []
    for _ in range(generator.randint(3, 14)):
        kind = generator.choice([HAN_KANA, HAN_KANA, HANGUL, CJK_MARKS, LATIN, EMOJI, NUMBERS, THAI, ARABIC])
        pieces.append(generator.choice(kind) + generator.choice(["", "", " ", " ", "\u3000", "\n"]))
    return "".join(pieces)


def mixed(generator):
    """Anything next to anything, but for the controls whose font is not listed, which would make lines higher."""
    pieces = []
    for _ in range(generator.randint(3, 12)):
        kind = generator.choice([*WORDS, NUMBERS, PUNCTUATION, PUNCTUATION, CJK_MARKS, EMOJI, INVISIBLE])
        if generator.random() < 0.06:
            kind = ["\x01", "\x07", "\x0b", "\x1b", "\u2028", "\u2002", "\u2003", "\u2009", "\u3000", "\t", "\r", "\r\n"]
        pieces.append(generator.choice(kind))
        pieces.append(generator.choice(["", "", " ", " ", " ", "  ", "\n", "   "]) if generator.random() < 0.8 else "")
    return "".join(pieces)


def posts(generator):
    """A text of a post or a product, or a part of one: those of the other fixture, in other boxes."""
    text = generator.choice(_posts())
    words = text.split(" ")
    if len(words) > 6 and generator.random() < 0.7:
        first = generator.randrange(len(words) - 4)
        text = " ".join(words[first : generator.randint(first + 2, len(words))])
    return text


def _posts():
    if not _posts_read:
        for line in (FIXTURES / "chromium-texts.jsonl").read_text().splitlines():
            group = json.loads(line)
            if group["class"] not in ("special", "rich"):
                _posts_read.append(group["text"])
    return _posts_read


_posts_read = []
