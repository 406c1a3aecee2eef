"""What a forked child of this Python process leaves alone: processes and directories are those of the parent."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from typing import ParamSpec, Protocol

_Arguments = ParamSpec("_Arguments")


class Owned(Protocol):
    """An object with a process that a forked child must not use."""

    def disown(self) -> None:
        """Forgets the process. This is called in the child."""


_owned: weakref.WeakSet[Owned] = weakref.WeakSet()


def disown_in_child(owner: Owned) -> None:
    """Has an object forget its process in each forked child."""
    _owned.add(owner)


def only_in_this_process(function: Callable[_Arguments, object]) -> Callable[_Arguments, None]:
    """Returns a function that does nothing in a forked child."""
    owner = os.getpid()

    def call(*arguments: _Arguments.args, **options: _Arguments.kwargs) -> None:
        if os.getpid() == owner:
            function(*arguments, **options)

    return call


def _disown_all() -> None:
    for owner in list(_owned):
        owner.disown()


os.register_at_fork(after_in_child=_disown_all)
