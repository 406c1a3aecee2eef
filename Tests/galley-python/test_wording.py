"""Tests of the program's messages in the words of Python."""

import pytest

import galley
from galley._values import kind_of
from galley._wording import in_python


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("a: exists already; choose another directory, or replace it with --force", "or replace it with replace=True"),
        ("b contradicts the other tables of its variant; lay out the rows without --base", "lay out the rows without base"),
        ("the interrupted run had other cells or variants; run again without --resume", "run again without resume=True"),
        ("name the tables that have the headers with --headers-from", "that have the headers with headers_from"),
        ("lay the rows out with --width 171,390, or name other tables", "lay the rows out with width=[171,390], or name"),
        ("the coordinator does not reply; check that it is running and that --connect is right", "that the endpoint is right"),
        ("one side uses keys and the other does not; see --keys", "see keys"),
        ("nobody; start one there (galley coordinator --listen), or wait for it with --wait", "(galley coordinator --listen)"),
        ("Error: The value 'x' is invalid for '--text-scale <text-scale>'\nHelp:  --text-scale …\nUsage: galley", "text_scale is 'x'"),
        ("standard input:7: is not JSON: nothing", "line 7: is not JSON: nothing"),
        ("standard input: is a JSON array, not JSON Lines; convert it: jq -c '.[]' FILE > rows.jsonl", "pass the list that json.load returns"),
        ("/tmp/x--force/a--base: exists", "/tmp/x--force/a--base: exists"),
    ],
)
def test_options_become_parameters(message, expected):
    assert in_python(message).endswith(expected) or expected in in_python(message)
    assert "--" not in in_python(message).replace("galley coordinator --listen", "").replace("/tmp/x--force/a--base", "")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *(("RDD", "an RDD"), ("S3Path", "an S3Path"), ("UUID", "a UUID"), ("DataFrame", "a DataFrame"), ("Row", "a Row")),
        *(("UserDict", "a UserDict"), ("uint8", "a uint8"), ("int", "an int"), ("Expr", "an Expr"), ("R", "an R")),
    ],
)
def test_the_name_of_a_type_has_the_article_with_which_it_is_spoken(name, expected):
    assert kind_of(type(name, (), {})()) == expected


def test_what_python_users_see_names_their_parameters(posts):
    cases = [
        (lambda: galley.layout("posts.jsonl", cells="posts.yaml", width=390, output="."), "replace it with replace=True"),
        (lambda: galley.layout([b"[1,2]"], cells="posts.yaml", width=390), "^rows: is a JSON array.*json.load returns"),
        (lambda: galley.pack("posts.yaml", "posts.jsonl"), "replace it with force=True"),
        (lambda: galley.export(galley.layout("posts.jsonl", cells="posts.yaml", width=390)["w390"], "xml"), "^format is 'xml'"),
        (
            lambda: galley.layout("posts.jsonl", cells="posts.yaml", width=390, lines=True, columns="heights"),
            r'^lines \(lines=True\) refer to frames, which columns="heights" leaves out; leave out columns="heights"$',
        ),
        (
            lambda: galley.export(galley.layout("posts.jsonl", cells="posts.yaml", width=390)["w390"], "text-lines"),
            "lay out the rows again with lines=True$",
        ),
        (lambda: galley.diff("none", "none"), "galley.layout has written with output"),
        (lambda: galley.open("."), "pass the output of a run that has ended"),
        (lambda: galley.connect(3), "endpoint is an int"),
    ]
    for call, message in cases:
        with pytest.raises(galley.Error, match=message):
            call()
