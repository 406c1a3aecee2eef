"""Evaluates the texts of a row by the template of its cell: what an application does that has the rows and draws them itself.

It knows what the examples use of the format: bindings, conditions and repetitions.
"""

import dataclasses
import re

BINDING = re.compile(r"\{\{|\}\}|\{([^{}]+)\}")


# The properties of CSS that a text can state beside whiteSpace.
CSS = ["lang", "overflowWrap", "wordBreak", "lineBreak", "textWrap", "tabSize"]


@dataclasses.dataclass
class Font:
    """A font of a cells file at text scale 1."""

    family: str
    weight: object
    italic: bool
    size: float
    line_height: object
    letter_spacing: float
    baseline_offset: float = 0
    attachment: tuple = None
    """Width and height of what a run shows instead of characters."""
    features: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Text:
    """The text of a node with its properties at text scale 1."""

    runs: list
    font: Font
    maximum_number_of_lines: int
    line_spacing: float
    white_space: str
    insets: tuple
    """Top, left, bottom and right."""
    first_indent: float
    indent: float
    tail_indent: float
    gap: float
    """The space between two paragraphs."""
    base_direction: str
    exclusions: list
    """The rectangles beside its lines, at most one at each side."""
    css: dict
    """The properties of CSS that it states, by their names in cells files."""
    cell: str
    """The name of its cell class."""
    has_parts: bool
    """Whether the cells file lists its runs."""

    @property
    def has_paragraphs(self):
        return bool(self.first_indent or self.indent or self.tail_indent or self.gap)

    @property
    def numbered_runs(self):
        """The runs with their numbers in the text."""
        return [(content, font, number) for number, (content, font) in enumerate(self.runs)]

    @property
    def paragraphs(self):
        """The numbered runs of each paragraph, with the newline at its end. The last one is not empty."""
        found = [[]]
        for content, font, number in self.numbered_runs:
            for index, part in enumerate(content.split("\n")):
                if index:
                    found[-1][-1] = (found[-1][-1][0] + "\n", *found[-1][-1][1:])
                    found.append([])
                found[-1].append((part, font, number))
        return found if len(found) == 1 or any(part for part, *_ in found[-1]) else found[:-1]


def texts(cells, row):
    """Returns the texts of a row by the names that their nodes have in the frame table."""
    found = {}
    cell = row.get("cell") or next(iter(cells["cells"]))
    collect(cells["cells"][cell]["layout"], cells, [row], "", found)
    return {name: dataclasses.replace(text, cell=cell) for name, text in found.items()}


def collect(element, cells, scopes, suffix, found):
    if not isinstance(element, dict) or not holds(element.get("when"), scopes):
        return
    if element["type"] == "text" and "id" in element:
        found[element["id"] + suffix] = text(element, cells, scopes)
    for key in ("child", "background", "overlay", "corner", "layout"):
        collect(element.get(key), cells, scopes, suffix, found)
    for child in element.get("children", []):
        if "forEach" not in child:
            collect(child, cells, scopes, suffix, found)
            continue
        items = resolve(child["forEach"], scopes) or []
        for index, item in enumerate(items[: child.get("limit")]):
            collect(child, cells, [*scopes, {child.get("as", "item"): item}], f"{suffix}.{index}", found)


def text(element, cells, scopes):
    base = font(element, cells, scopes, None)
    runs = element.get("runs") or [{"text": element["text"]}]
    return Text(
        runs=[(interpolate(run.get("text", "\ufffc"), scopes), font(run, cells, scopes, base)) for run in runs],
        font=base,
        maximum_number_of_lines=value(element.get("maximumNumberOfLines", 0), scopes),
        line_spacing=value(element.get("lineSpacing", 0), scopes),
        white_space=value(element.get("whiteSpace", "preserve"), scopes),
        insets=tuple(element.get("textContainerInset", (0, 0, 0, 0))),
        first_indent=element.get("firstLineHeadIndent", 0),
        indent=element.get("headIndent", 0),
        tail_indent=element.get("tailIndent", 0),
        base_direction=element.get("baseDirection", "auto"),
        exclusions=element.get("exclusionPaths", []),
        gap=element.get("paragraphSpacing", 0) + element.get("paragraphSpacingBefore", 0),
        css={name: value(element[name], scopes) for name in CSS if name in element},
        cell="",
        has_parts="runs" in element,
    )


def font(element, cells, scopes, base):
    """Returns the font of a text, or that of a run, which has what it does not state from its text."""
    name = value(element.get("font"), scopes)
    if name is None and base is not None:
        found = dataclasses.replace(base)
    else:
        stated = cells["fonts"][name or next(iter(cells["fonts"]))]
        found = Font(
            stated["family"], stated.get("weight", 400), stated.get("italic", False), stated["size"],
            stated.get("lineHeight", "normal"), stated.get("letterSpacing", 0),
            features=stated.get("fontFeatures", {}),
        )  # fmt: skip
    if "lineHeight" in element:
        found.line_height = value(element["lineHeight"], scopes)
    found.baseline_offset = element.get("baselineOffset", 0)
    found.attachment = element.get("attachment")
    if "letterSpacing" in element:
        found.letter_spacing = value(element["letterSpacing"], scopes)
    return found


def holds(condition, scopes):
    if condition is None:
        return True
    if isinstance(condition, str):
        return resolve(condition, scopes) not in (None, False, "", [])
    if "not" in condition:
        return not holds(condition["not"], scopes)
    if "all" in condition:
        return all(holds(part, scopes) for part in condition["all"])
    if "any" in condition:
        return any(holds(part, scopes) for part in condition["any"])
    field = resolve(condition["field"], scopes)
    if "equals" in condition:
        return field == condition["equals"]
    if "atLeast" in condition:
        return field is not None and field >= condition["atLeast"]
    return field is not None and field < condition["below"]


def value(stated, scopes):
    if isinstance(stated, dict) and "if" in stated:
        return value(stated.get("then" if holds(stated["if"], scopes) else "else"), scopes)
    if isinstance(stated, str) and (whole := BINDING.fullmatch(stated)) and whole[1]:
        return resolve(whole[1], scopes)
    return stated


def interpolate(template, scopes):
    template = value(template, scopes) if isinstance(template, dict) else template

    def replacement(match):
        return match[0][0] if match[1] is None else written(resolve(match[1], scopes))

    return BINDING.sub(replacement, template)


def written(field):
    if field is None:
        return ""
    if isinstance(field, bool):
        return str(field).lower()
    return f"{field:g}" if isinstance(field, float) else str(field)


def resolve(path, scopes):
    """Returns the field at a path, of the innermost scope that has its first name; None if there is none."""
    names = path.rstrip("?").split(".")
    field = next((scope for scope in reversed(scopes) if names[0] in scope), None)
    for name in names:
        if isinstance(field, list):
            field = field[int(name)] if int(name) < len(field) else None
        else:
            field = field.get(name) if isinstance(field, dict) else None
    return field
