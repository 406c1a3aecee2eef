"""The kinds of batches, with the tables that each must have."""
import json
import os
import re

FEED_SIZES = [50, 500, 3000, 20000]
EXAMPLES = ["posts", "products", "kittens", "asdkgram", "social", "catdeals", "asdktube", "specs", "shop"]
# The example whose cells file keeps its fallback fonts.
FULL_FONTS = "kittens"
# The bytes of rows from which a batch takes some time.
LARGE = 1 << 20
WIDTHS = ["390", "320,390", "320,375,430"]


class Kind:
    """Rows with a cells file and widths. The expected tables are made once, in one process."""

    def __init__(self, run, name, rows, cells, widths):
        self.name, self.rows, self.cells, self.widths = name, rows, cells, widths
        self.expected = run.directory / "kinds" / f"{name}.tables"
        arguments = ["layout", rows, "--cells", cells, "--width", widths, "--in-process", "--output", self.expected]
        self.code, self.is_large = succeed(run, *arguments), os.path.getsize(rows) > LARGE
        self.tables = tables(self.expected)
        # The space that a batch takes in the spool: its rows and results, and what the journal adds to them.
        self.bytes = int(1.1 * (os.path.getsize(rows) + sum(len(data) for data in self.tables.values()))) + 65536


def succeed(run, *arguments):
    """Runs the program before there are any faults. Returns its exit code."""
    outcome = run.call(*arguments)
    if outcome.returncode not in (0, 3):
        raise SystemExit(f"soak: galley {' '.join(map(str, arguments))} failed: {outcome.stderr.strip()}")
    return outcome.returncode


def tables(directory):
    """Returns the content of all files of an output directory, without what does not depend on rows and cells alone."""
    found = {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}
    if "manifest.json" in found:
        manifest = json.loads(found["manifest.json"])
        manifest.pop("timings", None)
        manifest.get("input", {}).pop("name", None)
        # The number of warnings about the cells file, which `galley fetch` does not have.
        manifest.get("warnings", {}).pop("cells", None)
        if not manifest.get("warnings"):
            manifest.pop("warnings", None)
        found["manifest.json"] = json.dumps(manifest, sort_keys=True).encode()
    return found


def difference(expected, directory):
    """Returns how an output directory differs from the expected tables, or None."""
    found = tables(directory)
    names = [name for name in sorted(expected | found) if expected.get(name) != found.get(name)]
    return f"{', '.join(names)} differ" if names else None


def spoil(lines, generator):
    """Makes some rows bad, each for another reason."""
    wrong = ["{", "[]", '{"cell": "NoSuchCell"}', '{"cell": 7}', '{"caption": {}}', "null", '"row"']
    for index in range(0, len(lines), 37):
        lines[index] = generator.choice(wrong)
    return lines


def all_kinds(run):
    directory, generator = run.directory / "kinds", run.random("kinds")
    succeed(run, "examples", directory)
    kinds = []
    for cells in directory.glob("*.yaml"):
        # Programs with all fallback fonts take 31 MiB each, of which a small spool has room for one.
        if cells.stem != FULL_FONTS:
            cells.write_text(re.sub(r"(?m)^fallback:.*\n", "", cells.read_text()))

    def add(name, lines, cells):
        rows = directory / f"{name}.rows"
        rows.write_text("\n".join(lines) + "\n")
        kinds.append(Kind(run, name, rows, directory / f"{cells}.yaml", generator.choice(WIDTHS)))

    for name in EXAMPLES:
        add(name, (directory / f"{name}.jsonl").read_text().splitlines() * generator.choice([1, 1, 40]), name)
    feed = directory / "feed.jsonl"
    succeed(run, "demo", "--rows", max(FEED_SIZES), "--keep-rows", feed, "--output", directory / "demo", "--quiet")
    lines = feed.read_text().splitlines()
    for size in FEED_SIZES:
        add(f"feed-{size}", lines[:size], "demo")
        add(f"feed-{size}-bad", spoil(lines[:size], generator), "demo")
    return kinds
