"""Gives Chromium hyphenation dictionaries with the points of libhyphen.

Debian's Chromium comes without dictionaries. It reads `hyphen-data/<version>/hyph-<language>.hyb` of its profile, in the format of
Android's minikin (`doc/hyb_file_format.md`). The patterns here are the words of the texts, and what remains of a word after a break
within it, which Blink hyphenates as a word of its own. A pattern for each word also states the points of dictionaries that
libhyphen applies in two levels, such as the German one.
"""

import json
import re
import struct

import libhyphen

VERSION = "1.0"
SMALL_LATIN = "abcdefghijklmnopqrstuvwxyz"
# A dictionary, the name of its file in Chromium, and the letters that its patterns in hyph-utf8 have. Blink does not hyphenate
# words with other letters.
LANGUAGES = {
    "en-US": ("en-us", SMALL_LATIN),
    "en-GB": ("en-gb", SMALL_LATIN),
    "de": ("de-1996", SMALL_LATIN + "ßàáâäçèéêëíïñóôöü"),
    "es": ("es", SMALL_LATIN + "áéíñóú"),
    "fr": ("fr", SMALL_LATIN + "'’àâçèéêëîïôûœ"),
}

# What Blink hyphenates as American English. It takes the British dictionary for all other regions.
AMERICAN = {"en", "en-US", "en-AS", "en-GU", "en-MH", "en-MP", "en-PR", "en-UM", "en-VI"}

# The letters of the shortest word that Blink hyphenates, by the default of `hyphenate-limit-chars`.
SHORTEST_WORD = 5


def write(profile, cases):
    """Writes the dictionaries of the cases' languages, which Chromium finds when it starts."""
    directory = profile / "hyphen-data" / VERSION
    directory.mkdir(parents=True, exist_ok=True)
    manifest = {"manifest_version": 2, "name": "hyphens", "version": VERSION}
    (directory / "manifest.json").write_text(json.dumps(manifest))
    for language, (name, letters) in LANGUAGES.items():
        text = " ".join(case["text"] for case in cases if dictionary_of(case["lang"]) == language).lower()
        patterns = {word: libhyphen.points(language, word) for word in words(text, letters)}
        if patterns:
            (directory / f"hyph-{name}.hyb").write_bytes(encode(letters, patterns))


def dictionary_of(lang):
    """Returns the language of the dictionary that Blink takes for a value of `lang`, if it is one of these."""
    if lang.startswith("en"):
        return "en-US" if lang in AMERICAN else "en-GB"
    return lang.split("-")[0]


def words(text, letters):
    """Returns what Blink can hyphenate in a text: words with and without the apostrophes at their ends, and what remains of words."""
    runs = set(re.findall(f"[{letters}]+", text))
    runs |= {run.rstrip("'’") for run in runs}
    return {run[start:] for run in runs for start in range(len(run) - SHORTEST_WORD + 1)}


def encode(letters, patterns):
    """Returns a dictionary of words with their points."""
    codes = {letter: code for code, letter in enumerate(letters, 1)}
    trie, values = encode_trie(codes, patterns)
    alphabet = encode_alphabet(codes)
    trie_offset = 24 + len(alphabet)
    values_offset = trie_offset + len(trie)
    header = struct.pack("<6I", 0x62AD7968, 0, 24, trie_offset, values_offset, values_offset + len(values))
    return header + alphabet + trie + values


def encode_alphabet(codes):
    """Returns the codes of small and capital letters, by code point."""
    cases = [(form, code) for letter, code in codes.items() for form in {letter, letter.upper()} if len(form) == 1]
    entries = [ord(letter) << 11 | code for letter, code in sorted(cases)]
    return struct.pack(f"<2I{len(entries)}I", 1, len(entries), *entries)


def encode_trie(codes, patterns):
    """Returns a trie of the words, each between two zeros, in which equal nodes are merged, and the table of their values."""
    root = {}
    for word, points in patterns.items():
        node = root
        for code in [0, *(codes[letter] for letter in word), 0]:
            node = node.setdefault(code, {})
        node["points"] = tuple(points), len(word)
    nodes, values = [], []
    root = merge(root, {}, nodes, values)
    bases = place(nodes, root)
    character_bits = max(codes.values()).bit_length()
    size = max(bases) + max(codes.values()) + 1
    link_bits = size.bit_length()
    pattern_shift = character_bits + link_bits
    assert pattern_shift + len(values).bit_length() <= 32, "the words are too many for one dictionary"
    slots = [0] * size
    for base, (pattern, edges) in zip(bases, nodes, strict=True):
        slots[base] |= pattern << pattern_shift
        for code, target in edges:
            slots[base + code] |= bases[target] << character_bits | code
    masks = [(1 << character_bits) - 1, character_bits, ((1 << link_bits) - 1) << character_bits, pattern_shift]
    return struct.pack(f"<6I{size}I", 0, *masks, size, *slots), encode_values(values)


def merge(node, known, nodes, values):
    """Appends a node to `nodes` unless an equal one is there, and returns its index. A node has the number of its values and edges."""
    pattern = 0
    if "points" in node:
        value = value_of(*node["points"])
        if any(value):
            if value not in values:
                values.append(value)
            pattern = values.index(value) + 1
    edges = tuple(sorted((code, merge(target, known, nodes, values)) for code, target in node.items() if code != "points"))
    if (pattern, edges) not in known:
        known[pattern, edges] = len(nodes)
        nodes.append((pattern, edges))
    return known[pattern, edges]


def value_of(points, length):
    """Returns the values of the places in a word and its end, from the first point on: 1 at a point, otherwise 0."""
    values = [int(place in points) for place in range(length + 2)]
    return tuple(values[values.index(1) :]) if points else ()


def place(nodes, root):
    """Returns a base for each node, 0 for the root, such that bases differ and no two edges share a slot."""
    bases = [None] * len(nodes)
    used_bases, used_slots = set(), set()
    first = 0
    for index in sorted(range(len(nodes)), key=lambda index: (index != root, -len(nodes[index][1]))):
        codes = [code for code, _ in nodes[index][1]]
        while first in used_bases:
            first += 1
        base = first
        while base in used_bases or any(base + code in used_slots for code in codes):
            base += 1
        bases[index] = base
        used_bases.add(base)
        used_slots.update(base + code for code in codes)
    return bases


def encode_values(values):
    """Returns the table of values after an empty entry. Zeros at the end of values are counted, not stored."""
    entries, pool = [0], b""
    for value in values:
        kept = bytes(value).rstrip(b"\0")
        entries.append(len(kept) << 26 | (len(value) - len(kept)) << 20 | len(pool))
        pool += kept
    return struct.pack(f"<4I{len(entries)}I", 0, len(entries), 16 + 4 * len(entries), len(pool), *entries) + pool
