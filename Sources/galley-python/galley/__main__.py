"""``python -m galley`` runs the program."""

import os
import sys

from ._errors import ProgramNotFound
from ._program import program

try:
    path = program()
except ProgramNotFound as error:
    sys.exit(f"galley: {error}")
os.execv(path, [path, *sys.argv[1:]])
