"""Compares what `draw` of galley.js draws with the tables."""

import re

import serving
import tables

# What Chromium calculates with, in pixels.
UNIT = 1 / 64

# The most pixels by which a drawn line may be wider or narrower than the table says. Full-width punctuation at its end is half as
# wide in a paragraph where it does not fit.
LINE_TOLERANCE = 1
FULL_WIDTH_TOLERANCE = 8
# The character of a text that stands for an attachment.
ATTACHMENT = "\ufffc"
FULL_WIDTH_END = re.compile("[\u3000-\u303f\uff00-\uffef]$")


def check_drawing(browser, server, work, name, pictures):
    """Compares the drawn cells with the tables. Neither they nor cells whose texts Chromium breaks may be reported by `verify`."""
    page = tables.open_page(browser, server, work, name)
    result = page.call("drawAll")
    heights, frames, lines, texts = (tables.read(work, name, table) for table in ("heights", "frames", "lines", "texts"))
    problems = [f"{name}: verify says of a drawn cell: {warning}" for warning in page.warnings]
    page.warnings.clear()
    widest, spans, misplaced = 0, 0, 0
    for row, (cell, drawn) in enumerate(zip(heights, result["drawn"], strict=True)):
        where = f"{name} row {cell['id']}"
        if abs(drawn["height"] - cell["height"]) > UNIT:
            problems.append(f"{where} is {drawn['height']} px high, the table says {cell['height']}")
        own = [frame for frame in frames if frame["row"] == row]
        problems += [f"{where}: {problem}" for problem in frame_problems(own, drawn["frames"])]
        own_lines = [line for line in lines if line["row"] == row]
        found, difference = line_problems(own, own_lines, drawn["lines"])
        problems += [f"{where}: {problem}" for problem in found]
        widest = max(widest, difference)
        found, difference = span_problems(own, [text for text in texts if text["row"] == row], drawn["spans"])
        problems += [f"{where}: {problem}" for problem in found]
        spans, misplaced = spans + len(drawn["spans"]), max(misplaced, difference)
    print(
        f"{name}: {len(heights)} cells with {len(frames)} frames and {len(lines)} lines of {len(texts)} texts drawn, {result['milliseconds']:.2f} ms "
        f"a cell, lines differ from the table by up to {widest:.3f} px, {len(problems)} problems"
    )
    if spans:
        print(f"{name}: {spans} links, mentions and attachments drawn, which differ from the table by up to {misplaced:.3f} px")
    if pictures:
        page.tab.screenshot(path=pictures / f"{name}.png")
    problems += [f"{name}: {problem}" for problem in page.call("renderAll")]
    # What Chromium breaks here has no attachments and no insets.
    if not spans:
        page.call("wrapAll", [cell["cell"] for cell in heights])
    page.tab.close()
    problems += [f"{name}: verify says of texts that Chromium breaks: {warning}" for warning in page.warnings]
    return problems


def frame_problems(frames, drawn):
    """Yields the frames that are elsewhere. The elements are in the order of a tree, which is that of the frames."""
    if sorted(frame["node"] for frame in frames) != sorted(box["node"] for box in drawn):
        yield f"the nodes {[box['node'] for box in drawn]} were drawn, the table has {[frame['node'] for frame in frames]}"
        return
    boxes = {}
    for box in drawn:
        boxes.setdefault(box["node"], []).append(box["rect"])
    for frame in frames:
        rect = boxes[frame["node"]].pop(0)
        stated = [frame[side] for side in ("x", "y", "width", "height")]
        if any(abs(length - own) > UNIT for length, own in zip(rect, stated, strict=True)):
            yield f"{frame['node']} was drawn at {rect}, the table says {stated}"


def line_problems(frames, lines, drawn):
    """Returns what is wrong with the lines of a cell, and the largest difference of a width."""
    if len(lines) != len(drawn):
        return [f"{len(drawn)} lines were drawn, the table has {len(lines)}"], 0
    found, widest, texts = [], 0, [frame for frame in frames if frame["type"] == "text"]
    remaining = [(frame, index) for frame in texts for index in range(frame["lines"])]
    for (frame, _), line, box in zip(remaining, lines, drawn, strict=True):
        left, top, width, height = box["rect"]
        difference = abs(width - line["width"])
        tolerance = FULL_WIDTH_TOLERANCE if FULL_WIDTH_END.search(box["text"]) else LINE_TOLERANCE
        widest = max(widest, difference)
        stated = (frame["x"] + line["x"], frame["y"] + line["y"], line["height"], frame["y"] + line["baseline"])
        own = (left, top, height, box["baseline"])
        if any(abs(one - other) > 2 * UNIT for one, other in zip(own, stated, strict=True)) or difference > tolerance:
            found.append(f"{box['text']!r} has left, top, height and baseline {own} and is {width} px wide, the table says {stated}, {line['width']}")
    return found, widest


def span_problems(frames, texts, drawn):
    """Returns the links, mentions and attachments of a cell that are elsewhere, and the largest difference of a length."""
    stated = [
        ("" if (shown := text["text"][span["start"] : span["end"]]) == ATTACHMENT else shown, frame["x"] + span["x"], frame["y"] + span["y"], span)
        for frame, text in zip([frame for frame in frames if frame["type"] == "text"], texts, strict=True)
        for span in text["spans"]
        if not span["url"].startswith("javascript:")
    ]
    if sorted(shown for shown, *_ in stated) != sorted(box["text"] for box in drawn):
        return [f"{[box['text'] for box in drawn]} were drawn as links, mentions and attachments, the table has {stated}"], 0
    found, largest = [], 0
    for shown, x, y, span in stated:
        # Text is as high as its font, not as its line.
        sides = {0: x, 2: span["width"]} if shown else {0: x, 1: y, 2: span["width"], 3: span["height"]}
        rects = [box["rect"] for box in drawn if box["text"] == shown]
        difference = min(max(abs(rect[side] - length) for side, length in sides.items()) for rect in rects)
        largest = max(largest, difference)
        if difference > LINE_TOLERANCE:
            found.append(f"{shown or span['url'] or span['kind']} was drawn at {rects}, the table says {sides}")
    return found, largest


def check_links(browser, server, work):
    """Draws one cell with links, of which one would run a script, and with words for an image. Then draws a text with links."""
    page = tables.open_page(browser, server, work, "posts")
    drawn = page.call("drawWith", 1, {
        "links": {"name": "https://people.example/aya", "text": "javascript:alert(1)", "photo": "/photos/2"},
        "images": {"photo": {"alt": "A café in the rain"}, "avatar": {"src": "https://img.example/small.jpg"}},
        "range": "visible",
    })  # fmt: skip
    page.tab.close()
    expected = [
        {"node": "avatar", "src": "https://img.example/small.jpg", "alt": "", "loading": "eager"},
        {"node": "name", "href": "https://people.example/aya"},
        {"node": "photo", "href": f"{server.address}photos/2"},
        {"node": "photo", "src": "https://img.example/p/2.jpg", "alt": "A café in the rain", "loading": "eager"},
    ]
    page = tables.open_page(browser, server, work, "spans")
    drawn += page.call("drawWith", 0, {})
    page.tab.close()
    expected += [
        {"node": "text", "href": f"{server.address}people/ada"},
        {"node": "text", "href": "https://answers.example/1?a=1&b=2"},
        {"node": "text", "href": "https://answers.example/1?a=1&b=2"},
        {"node": "text", "src": "https://img.example/wave.png", "alt": "", "loading": "auto"},
    ]
    print(f"links: {len(drawn)} links and images drawn, none of them a script")
    return [] if drawn == expected else [f"links and images are {drawn}, not {expected}"]


def check_article(browser, server, work):
    """Opens the page with cells that the article shows, and compares its cells with the table."""
    tab = browser.new_page()
    errors = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.route(lambda address: not address.startswith(server.address), lambda route: route.abort())
    tab.goto(f"{server.address}article/1")
    stated = [cell["height"] for cell in tables.read(work, "posts", "heights")]
    tab.wait_for_function(f"() => document.querySelectorAll('.cell').length === {len(stated)}", timeout=serving.PAGE_MILLISECONDS)
    heights = tab.evaluate("() => Array.from(document.querySelectorAll('.cell'), (cell) => cell.getBoundingClientRect().height)")
    names = tab.evaluate("() => Array.from(document.querySelectorAll('a'), (link) => link.textContent)")
    tab.close()
    print(f"article: {len(heights)} cells, whose names lead to {len(names)} pages")
    return [] if heights == stated and len(names) == len(stated) and not errors else [f"the page of the article has {heights}, {names}, {errors}"]
