"""Tests of tables that are pickled or copied."""

import copy
import gc
import pickle
from pathlib import Path

import pyarrow as pa
import pytest

import galley
from runs import contents, dicts

pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")


@pytest.fixture(scope="module")
def pool():
    with galley.Pool(workers=1) as pool:
        yield pool


FORMS = {
    "dicts": dicts,
    "generator": lambda: (row for row in dicts()),
    "file": lambda: open("posts.jsonl"),
    "pandas": lambda: pandas.DataFrame(dicts()),
    "polars": lambda: polars.DataFrame(dicts()),
    "arrow": lambda: pa.Table.from_pylist(dicts()),
}


@pytest.mark.parametrize("form", FORMS)
def test_tables_of_rows_in_any_form_can_be_pickled(posts, pool, form):
    for caller, options in ((galley, {"workers": 1}), (pool, {})):
        tables = caller.layout(FORMS[form](), cells="posts.yaml", width=[320, 390], **options)
        restored = pickle.loads(pickle.dumps(tables))  # noqa: S301
        assert contents(restored) == contents(tables)
        if form not in ("generator", "file"):
            assert restored["w390"].picture(3).svg == tables["w390"].picture(3).svg


def test_tables_can_be_copied_after_queries(posts, pool):
    query = {"offset": 0, "viewport": 200}
    for tables in (galley.layout(dicts(), cells="posts.yaml", width=390), pool.layout(dicts(), cells="posts.yaml", width=390)):
        answer = galley.prefetch(tables["w390"], **query)
        for copied in (copy.deepcopy(tables), copy.copy(tables)):
            assert galley.prefetch(copied["w390"], **query) == answer


def test_a_deep_copy_keeps_the_temporary_directory(posts):
    tables = galley.layout("posts.jsonl", cells="posts.yaml", width=390)
    directory = Path(tables["w390"].directory)
    with copy.deepcopy(tables):
        pass
    copied = copy.deepcopy(tables)
    assert directory.exists()
    del tables
    gc.collect()
    assert copied["w390"].frames.num_rows == 38
    del copied
    gc.collect()
    assert not directory.exists()
