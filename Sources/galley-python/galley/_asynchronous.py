"""Functions that wait, for callers with an event loop."""

from __future__ import annotations

import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


async def in_thread(function: Callable[_Arguments, _Result], *arguments: _Arguments.args, **options: _Arguments.kwargs) -> _Result:
    """Calls a function in a thread of its own, and returns its result.

    ``asyncio.to_thread`` has a few threads for each core. Streams that wait for rows would hold all of them, and the whole
    program would wait.
    """
    import asyncio

    call = partial(contextvars.copy_context().run, function, *arguments, **options)
    executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="galley call")
    try:
        return await asyncio.get_running_loop().run_in_executor(executor, call)
    finally:
        executor.shutdown(wait=False)
