"""Which rows and resources a list needs at an offset."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._errors import WrongUse
from ._json_lines import NotJSON, line_of
from ._tables import require_variant
from ._values import edges_of, number_of
from ._variant import Variant


def prefetch(
    variant: Variant,
    *,
    offset: float,
    viewport: float,
    direction: str | None = None,
    mode: str | None = None,
    display: Sequence[float] | None = None,
    preload: Sequence[float] | None = None,
    leading_screens_for_batching: float | None = None,
    fetching: bool | None = None,
    hidden: bool | None = None,
    velocity: float | None = None,
    resources: bool = True,
    arrangement: bool = True,
    inverted: bool = False,
    horizontal: bool = False,
    right_to_left: bool = False,
    content_margins: Sequence[float] | None = None,
) -> dict[str, Any]:
    """Returns which rows and resources a list needs, by the rules of Texture's range controller.

    The first call for a variant starts a process, which is kept as long as the variant; the next ones take less than a
    millisecond. Each combination of the parameters from ``resources`` on has a process of its own.

    :param variant: The tables of one variant, such as ``tables["w390"]``.
    :param offset: The top of the viewport in the list, or its left edge, in points.
    :param viewport: The height of the viewport in points, or its width.
    :param direction: ``"down"`` or ``"up"``, or ``"right"`` or ``"left"``: the direction in which the viewport moves on the
        screen. By default it leads to the last row.
    :param mode: ``"full"`` (default), ``"minimum"``, ``"visibleOnly"`` or ``"lowMemory"``.
    :param display: The extent of the display range in viewports, ahead and behind, such as ``(1, 0.5)``.
    :param preload: The extent of the preload range, such as ``(2.5, 1.5)``.
    :param leading_screens_for_batching: The distance from the end, in viewports, at which more rows are to be fetched.
    :param fetching: Whether rows that the list has asked for are on their way.
    :param hidden: Whether the list is in no window.
    :param velocity: The velocity towards the end in points per millisecond; the answer then has ``remaining_time``.
    :param resources: Whether the answer has the resources.
    :param arrangement: Whether rows lie where ``galley arrange`` has placed them.
    :param inverted: Whether the first row lies at the bottom, from where offsets count.
    :param horizontal: Whether the list scrolls horizontally: each row is as long as its cell is wide.
    :param right_to_left: Whether the first row of a horizontal list lies at the right.
    :param content_margins: The distances between the rows and the edges of the content: top, left, bottom, right.
    :return: The object that ``galley prefetch`` prints: ``visible``, ``display`` and ``preload`` are ``[first, end]``,
        ``resources`` is in order of need.
    :raises WrongUse: The query has a wrong value.

    >>> tables = galley.layout("posts.jsonl", cells="posts.yaml", width=390)
    >>> answer = galley.prefetch(tables["w390"], offset=200, viewport=200, mode="visibleOnly")
    >>> answer["visible"], answer["remaining"]
    ([1, 2], 846.5)
    >>> [resource["node"] for resource in answer["resources"]]
    ['avatar', 'photo']
    """
    require_variant("variant", variant)
    numbers = {"leading_screens_for_batching": leading_screens_for_batching, "velocity": velocity}
    query = {
        "offset": number_of("offset", offset),
        "viewport": number_of("viewport", viewport),
        "direction": direction,
        "mode": mode,
        "display": display,
        "preload": preload,
        "fetching": fetching,
        "hidden": hidden,
    } | {name: number_of(name, value) for name, value in numbers.items() if value is not None}
    line = _line({name: value for name, value in query.items() if value is not None})
    options = [] if resources else ["--no-resources"]
    options += [] if arrangement else ["--no-arrangement"]
    options += ["--inverted"] if inverted else []
    options += ["--horizontal"] if horizontal else []
    options += ["--right-to-left"] if right_to_left else []
    if content_margins is not None:
        options.append("--content-margins=" + edges_of("content_margins", content_margins))
    return variant._prefetch_process(tuple(options)).answer(line)


def _line(query: dict[str, object]) -> bytes:
    try:
        return line_of(query)
    except NotJSON as error:
        raise WrongUse(f"the query cannot be written: {error}") from None
