"""Gives a wheel that has the program the command `galley` and a platform. deploy/wheel builds such a wheel."""

from __future__ import annotations

import pathlib
import platform
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ProgramHook(BuildHookInterface):
    """Changes nothing if the package has no program: it is pure Python then, and uses a program that is installed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or not pathlib.Path(self.root, "galley/bin/galley").exists():
            return
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-linux_{platform.machine()}"
        build_data["shared_scripts"]["launcher"] = "galley"
        build_data["force_include"]["galley.libs"] = "galley.libs"
