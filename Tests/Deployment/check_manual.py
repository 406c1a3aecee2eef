"""Checks that manual pages have each text of the program's help: `check_manual.py PROGRAM DIRECTORY`."""

import json
import pathlib
import re
import subprocess
import sys


def rendered(page):
    """Returns a page as mandoc shows it."""
    shown = subprocess.run(["mandoc", "-Tutf8", page], check=True, capture_output=True, text=True).stdout
    # A terminal shows bold and underlined characters by overstriking.
    return re.sub(".\b", "", shown)


def packed(text):
    """Returns a text without its white space, which depends on the width of the terminal."""
    return "".join(text.replace("`", "").split())


def texts_of(command):
    """Yields the texts of a command: what it does, its examples, and of its arguments the sentences and the values."""
    yield command["abstract"].rstrip(".")
    for part in (command.get("discussion") or "").split("\n\n"):
        yield re.sub(r"^Examples?:", "", part)
    # A command with verbs lists these in place of its own arguments, which each of them has.
    for argument in [] if command.get("subcommands") else command["arguments"]:
        if argument["shouldDisplay"]:
            yield argument.get("abstract") or ""
            yield argument.get("discussion") or ""
            yield ", ".join(argument.get("allValues") or [])


def check(path, command):
    page = directory / f"{'-'.join(path)}.1"
    shown = rendered(page)
    for text in texts_of(command):
        assert packed(text) in packed(shown), f"{page.name} lacks a text of the help: {text}"
        # The columns of a table are aligned by spaces.
        for row in re.findall(r"^.*\S  +\S.*$", text, re.M):
            assert row in shown, f"{page.name} lacks a row of a table of the help: {row}"
    for verb in command.get("subcommands", []):
        if verb["shouldDisplay"] and verb["commandName"] != "help":
            check([*path, verb["commandName"]], verb)


program, directory = sys.argv[1], pathlib.Path(sys.argv[2])
check(["galley"], json.loads(subprocess.check_output([program, "--experimental-dump-help"]))["command"])
