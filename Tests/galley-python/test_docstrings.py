"""The examples of the docstrings and of the article."""

import asyncio
import builtins
import doctest
import re
from pathlib import Path

import pytest

import galley

ARTICLE = Path(__file__).parents[2] / "Sources" / "Documentation.docc" / "Python.md"
NAMES = {"galley": galley, "asyncio": asyncio, "open": builtins.open}


def run(test: doctest.DocTest) -> None:
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL | doctest.ELLIPSIS)
    output: list = []
    runner.run(test, out=output.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(output)


EXAMPLES = [test for test in doctest.DocTestFinder().find(galley, "galley", extraglobs=NAMES) if test.examples]


@pytest.mark.parametrize("test", EXAMPLES, ids=[test.name for test in EXAMPLES])
def test_the_example_of_a_docstring_prints_what_it_states(test, posts):
    run(test)


def test_docstrings_have_examples():
    assert {"galley.layout", "galley.stream", "galley.Pool", "galley.diff"} <= {test.name for test in EXAMPLES}


def test_the_examples_of_the_article_print_what_they_state(posts):
    blocks = re.findall(r"```python\n(>>>.*?)```", ARTICLE.read_text(), re.DOTALL)
    assert blocks
    run(doctest.DocTestParser().get_doctest("\n".join(blocks), dict(NAMES), ARTICLE.name, str(ARTICLE), 0))
