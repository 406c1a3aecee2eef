"""Tests of what lists do with tables: prefetching and arranging."""

import json
import random

import pytest

import galley
from runs import processes_of, wait_until


def test_prefetching_and_arranging_pass_their_parameters_on(posts):
    tables = galley.layout("posts.jsonl", cells="posts.yaml", width=390, output="tables")
    variant = tables["w390"]
    end = {"offset": 846.5, "viewport": 400, "resources": False}
    assert galley.prefetch(variant, **end, velocity=2) == galley.prefetch(variant, **end) | {"remaining_time": 0}
    for parameters in ({"fetching": True}, {"hidden": True}, {"inverted": True, "direction": "down"}):
        assert not galley.prefetch(variant, **end, **parameters)["fetch_next_batch"]
    assert galley.prefetch(variant, **end, content_margins=(47, 0, 34, 0))["remaining"] == 81
    page = {"offset": 390, "viewport": 390, "mode": "visibleOnly", "horizontal": True}
    assert galley.prefetch(variant, **page)["visible"] == [1, 2]
    assert galley.prefetch(variant, **page, right_to_left=True)["visible"] == [3, 4]
    placed = galley.arrange(variant, wrap=True, justify=True, content_margins=(47, 8, 0, 0))
    assert (placed.column("x")[0].as_py(), placed.column("y")[0].as_py()) == (8, 47)
    with pytest.raises(galley.Error, match="add arrangement=False$"):
        galley.prefetch(variant, **page)
    with pytest.warns(UserWarning, match='"Footer" of footers'):
        galley.arrange(variant, headers=["PostCell"], footers=["Footer"], pin_headers=True)
    assert galley.prefetch(variant, offset=100, viewport=1)["visible"] == [[0, 1]]
    with pytest.raises(galley.WrongUse, match="^content_margins needs four numbers"):
        galley.prefetch(variant, **page, content_margins=(1, 2, 3))
    with pytest.raises(galley.WrongUse, match=r"^rows is range\(-3, -1\); pass consecutive rows"):
        galley.skeleton(variant, range(-3, -1))
    with pytest.raises(galley.WrongUse, match="^pin_headers needs headers$"):
        galley.arrange(variant, pin_headers=True)


def test_an_arrangement_is_used_whoever_made_it(posts):
    tables = galley.layout("posts.jsonl", cells="posts.yaml", width=171, output="tables")
    other = galley.open("tables")["w171"]
    place = {"offset": 500, "viewport": 100, "resources": False}
    rows = galley.prefetch(other, **place)["visible"]
    galley.arrange(tables["w171"], columns=2)
    arranged = galley.prefetch(other, **place)["visible"]
    assert arranged != rows and arranged == galley.prefetch(tables["w171"], **place)["visible"]
    (other.directory / "arrangement.arrow").unlink()
    assert galley.prefetch(other, **place)["visible"] == rows


def test_prefetching_has_the_answers_of_the_program(posts):
    tables = galley.layout("posts.jsonl", cells="posts.yaml", width=390, output="tables")
    numbers = random.Random(5)
    for _ in range(100):
        query = {"offset": numbers.uniform(-100, 1400), "viewport": numbers.choice([1, 100, 844])}
        query |= {"direction": numbers.choice(["down", "up"]), "mode": numbers.choice(["full", "minimum", "visibleOnly", "lowMemory"])}
        answer = galley.prefetch(tables["w390"], **query)
        bottom = query["offset"] + query["viewport"]
        heights = zip(tables["w390"].y.to_pylist(), tables["w390"].heights.column("height").to_pylist())
        visible = [row for row, (y, height) in enumerate(heights) if y < bottom and y + height > query["offset"]]
        if visible:  # An empty range states the row at which it would begin.
            assert answer["visible"] == [visible[0], visible[-1] + 1], query
    command = ["prefetch", "tables/w390", "--offset", "300", "--viewport", "200"]
    from galley._program import run_program

    assert json.loads(run_program(command)[0]) == galley.prefetch(tables["w390"], offset=300, viewport=200)
    with pytest.raises(galley.WrongUse, match="^viewport is -1.0; write 0 or more points"):
        galley.prefetch(tables["w390"], offset=0, viewport=-1)
    tables.close()
    assert galley.prefetch(tables["w390"], offset=0, viewport=1)["visible"] == [0, 1]
    tables.close()
    wait_until(lambda: not processes_of(posts))


def test_what_the_program_warns_of_is_a_warning_at_the_line_of_the_call(posts):
    tables = galley.layout("posts.jsonl", cells="posts.yaml", width=390)
    with pytest.warns(UserWarning) as caught:
        galley.arrange(tables["w390"], headers=["PostCel"], spacing=4)
    assert [str(warning.message) for warning in caught] == [
        'no row has the cell class "PostCel" of headers (did you mean "PostCell"?)',
        "spacing has no effect: the list has one column",
    ]
    other = galley.layout([{"id": "other"}], cells="posts.yaml", width=390)
    with pytest.warns(UserWarning, match="no row of .* is left; the list begins at offset 0$") as more:
        galley.diff(tables, other).offset("p-2", 3)
    assert {warning.filename for warning in [*caught, *more]} == {__file__}


def test_arguments_of_lists_that_are_of_another_type_are_errors_that_name_them(posts):
    tables = galley.layout("posts.jsonl", cells="posts.yaml", width=390)
    variant, place = tables["w390"], {"offset": 0, "viewport": 400}
    for call in (galley.arrange, lambda other: galley.prefetch(other, **place), lambda other: galley.export(other, "json")):
        for other, kind in ((tables, "Tables"), ("tables", "str"), (None, "NoneType")):
            with pytest.raises(galley.WrongUse, match=rf'^variant is a {kind}; .* such as tables\["w390"\]$'):
                call(other)
    for options, message in (
        ({"columns": "2"}, "columns is '2'; pass a number from 1 to 1024"),
        ({"columns": 0}, "columns is 0; pass a number from 1 to 1024"),
        ({"columns": 2**70}, "columns is 1180591620717411303424; pass a number from 1 to 1024"),
        ({"spacing": "x"}, "spacing is 'x'; pass a number"),
        ({"inset": 5}, "inset needs four numbers, .* not 5$"),
        ({"inset": ("a",) * 4}, "inset is 'a'; pass a number"),
        ({"headers": "A"}, "headers is 'A'; pass a list of names"),
        ({"headers": 5}, "headers is 5; pass a list of names"),
        ({"headers": ["A", ""]}, 'headers has ""; pass names of cell classes'),
        ({"footers": ["A,B"]}, 'footers has "A,B"; pass names of cell classes'),
        ({"headers": ["A"], "headers_from": tables}, "headers_from is a Tables"),
    ):
        with pytest.raises(galley.WrongUse, match=message):
            galley.arrange(variant, **options)
    for options, message in (
        ({"offset": "0"}, "offset is '0'; pass a number"),
        ({"viewport": None}, "viewport is None; pass a number"),
        ({"velocity": float("inf")}, "velocity is inf; pass a finite number"),
        ({"content_margins": 5}, "content_margins needs four numbers, .* not 5$"),
    ):
        with pytest.raises(galley.WrongUse, match=message):
            galley.prefetch(variant, **{**place, **options})
