"""What schemathesis has to know besides the description: which variants can be combined, and how rows are sent."""

import json
import re

import schemathesis

PLATFORMS_WITH_SCALE = {"android", "reactNative", "compose"}
RANGE = re.compile(r"([0-9.]+)-([0-9.]+)(?:/([0-9.]+))?")


def widths(text):
    """Returns the number of widths, or None for a range that no gateway accepts."""
    numbers = set()
    for part in text.split(","):
        found = RANGE.fullmatch(part)
        if not found:
            numbers.add(part)
            continue
        first, last, step = float(found[1]), float(found[2]), float(found[3] or 1)
        if first > last or (last - first) / step > 200:
            return None
        numbers |= {first + step * index for index in range(int((last - first) / step) + 1)}
    return len(numbers)


def is_decimal_list(value):
    return isinstance(value, str) and re.fullmatch(r"[0-9.,/-]+", value)


@schemathesis.hook
def filter_query(context, query):
    """Leaves out variants that are well formed and that no batch can have, which a pattern cannot say."""
    query = query or {}
    if not is_decimal_list(query.get("width")):
        return True
    count = widths(query["width"])
    for name in ("textScale", "scale"):
        if is_decimal_list(query.get(name)):
            count = count and count * len(set(query[name].split(",")))
    named = {name: set(str(query.get(name, "")).split(",")) for name in ("textSize", "platform", "layoutDirection")}
    for values in named.values():
        count = count and count * len(values)
    needs_scale = "scale" not in query and named["platform"] & PLATFORMS_WITH_SCALE
    return bool(count) and count <= 256 and not needs_scale


@schemathesis.serializer("application/x-ndjson")
def rows(context, value):
    if isinstance(value, (str, bytes)):
        return value.encode() if isinstance(value, str) else value
    return "".join(json.dumps(row) + "\n" for row in (value if isinstance(value, list) else [value])).encode()
