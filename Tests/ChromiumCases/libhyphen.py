"""Hyphenation points by libhyphen with the dictionaries of Debian's packages `hyphen-*`."""

import ctypes
import functools

DIRECTORY = "/usr/share/hyphen"
# A language as `lang` states it, its dictionary and the character set of the dictionary, which its first line states.
DICTIONARIES = {
    "en-US": ("hyph_en_US.dic", "utf-8"),
    "en-GB": ("hyph_en_GB.dic", "utf-8"),
    "de": ("hyph_de_DE.dic", "iso8859-1"),
    "es": ("hyph_es_ES.dic", "utf-8"),
    "fr": ("hyph_fr.dic", "utf-8"),
}

# libhyphen marks the point after a character with an odd digit, and needs this room beyond the bytes of the word.
SPARE_BYTES = 5


@functools.cache
def _library():
    library = ctypes.CDLL("libhyphen.so.0")
    library.hnj_hyphen_load.restype = ctypes.c_void_p
    return library


@functools.cache
def _dictionary(language):
    file, encoding = DICTIONARIES[language]
    loaded = _library().hnj_hyphen_load(f"{DIRECTORY}/{file}".encode())
    if not loaded:
        raise SystemExit(f"{DIRECTORY}/{file} is missing; install Debian's packages libhyphen0 and hyphen-*")
    return ctypes.c_void_p(loaded), encoding


@functools.cache
def points(language, word):
    """Returns the offsets at which a word in small letters can be hyphenated."""
    dictionary, encoding = _dictionary(language)
    encoded = word.encode(encoding)
    marks = ctypes.create_string_buffer(len(encoded) + SPARE_BYTES)
    replacements, positions, cuts = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    _library().hnj_hyphen_hyphenate2(
        dictionary, encoded, len(encoded), marks, None, *map(ctypes.byref, (replacements, positions, cuts))
    )
    # libhyphen counts the marks by characters, in either character set.
    return [offset for offset in range(1, len(word)) if marks.raw[offset - 1] & 1]


def main():
    """Prints the points of words for `Tests/Fixtures/libhyphen-points.jsonl`."""
    import json

    import hyphens

    for language, (_, encoding) in DICTIONARIES.items():
        words = {word.lower() for word in hyphens.WORDS[language] if word.isalpha()}
        words |= {word[start:] for word in words for start in (1, 2, 4, 7) if len(word) - start >= 5}
        print(json.dumps({"language": language, "points": {word: points(language, word) for word in sorted(words)}}, ensure_ascii=False))


if __name__ == "__main__":
    main()
