"""Functions that the comparisons share: reading rows, and printing each result as a line of JSON."""

import argparse
import json
import sys
from itertools import islice


def rows_and_label(description):
    """Returns the rows of the command line, and a label with their number if the file has fewer than requested."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("rows", help="a file of posts as JSON Lines, such as those of the demo")
    parser.add_argument("most", nargs="?", type=int, help="the greatest number of rows")
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
