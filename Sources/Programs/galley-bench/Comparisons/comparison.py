"""What the comparisons share: rows from the command line, and a line of JSON for each thing that was measured."""

import argparse
import json
import sys
from itertools import islice


def rows_and_label(description):
    """The rows, and what tells that they are fewer than asked for."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("rows", help="JSON Lines, posts as those of the demo")
    parser.add_argument("most", nargs="?", type=int, help="how many of them to use")
    options = parser.parse_args()
    try:
        with open(options.rows, encoding="utf-8") as file:
            rows = [json.loads(line) for line in islice(file, options.most)]
    except (OSError, ValueError) as error:
        sys.exit(f"{options.rows}: {error}")
    if not rows:
        sys.exit(f"{options.rows}: no rows")
    return rows, f", {len(rows)} rows" if options.most and len(rows) < options.most else ""


def report(what, rows_per_second):
    print(json.dumps({"what": what, "rowsPerSecond": round(rows_per_second, 1)}))


def skip(reason):
    print(json.dumps({"skipped": reason}))
    sys.exit()
