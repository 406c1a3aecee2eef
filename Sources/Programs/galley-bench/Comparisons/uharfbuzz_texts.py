"""Measures the texts of photo posts with HarfBuzz from Python, heights only, and prints rows/s.

Each word is shaped once and its advance is cached. Lines break only at spaces, and inside words that are longer than a line.
Bold and fallback fonts, right-to-left order and the truncation to one line are not implemented."""

import math
import time
from pathlib import Path

from comparison import report, rows_and_label, skip

try:
    import uharfbuzz
except ImportError:
    skip("uharfbuzz: not installed (pip install uharfbuzz)")

SIZE, LINE_HEIGHT = 15, 20
WIDTH = 390 - 2 * 12


class Advances(dict):
    """Those of words, in the font's units."""

    def __init__(self, font):
        self.font = font

    def __missing__(self, word):
        buffer = uharfbuzz.Buffer()
        buffer.add_str(word)
        buffer.guess_segment_properties()
        uharfbuzz.shape(self.font, buffer)
        # The text between two spaces is empty and has no positions.
        advance = self[word] = sum(position.x_advance for position in buffer.glyph_positions or [])
        return advance


def lines(text, advances, width):
    space = advances[" "]
    # The first word also begins a line.
    count, end = 0, math.inf
    for word in text.split(" "):
        advance = advances[word]
        if end + space + advance <= width:
            end += space + advance
        else:
            count += 1 + int(advance // width)
            end = advance % width
    return count


def heights(row, advances, width):
    texts = [row["userName"]]
    if "caption" in row:
        texts.append(row["caption"])
    texts += [f"{comment['user']} {comment['text']}" for comment in row["comments"][:3]]
    return [lines(text, advances, width) * LINE_HEIGHT for text in texts]


def seconds(rows, advances, width):
    begin = time.perf_counter()
    for row in rows:
        heights(row, advances, width)
    return time.perf_counter() - begin


rows, label = rows_and_label(__doc__)

path = next(Path("/usr/share/fonts").rglob("Inter-Regular.otf"), None)
if not path:
    skip("uharfbuzz: no Inter-Regular.otf (apt-get install fonts-inter)")
face = uharfbuzz.Face(uharfbuzz.Blob.from_file_path(path))
font, width = uharfbuzz.Font(face), WIDTH * face.upem / SIZE
# The best pass is reported, because other programs can only slow a pass down.
cold, warm = math.inf, math.inf
for _ in range(3):
    advances = Advances(font)
    cold = min(cold, seconds(rows, advances, width))
    warm = min(warm, seconds(rows, advances, width))
name = f"uharfbuzz {uharfbuzz.__version__}, texts only"
report(f"{name}, no word known{label}", len(rows) / cold)
report(f"{name}, all words known{label}", len(rows) / warm)
