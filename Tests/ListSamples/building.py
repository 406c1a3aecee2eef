"""Builds the pages of the samples, which are the code of the article WebLists, and of the lists of `measuring`."""

import os
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).parent
REPOSITORY = HERE.parent.parent
ARTICLE = REPOSITORY / "Sources" / "Documentation.docc" / "WebLists.md"

# A sample in the article, whose first line is its name.
SAMPLE = r"```(?:jsx?|vue|svelte)\n(?:// |<!-- )([\w.-]+)(?: -->)?\n(.*?)```"

# How each sample is mounted, how it scrolls to a row, and what it does beside rendering when a row has another height.
SAMPLES = {
    "tanstack.jsx": (
        "mount-react.jsx",
        "(list, row) => list.scrollToIndex(row, { align: 'start' })",
        "(list, row, height) => list.resizeItem(row, height)",
    ),
    "tanstack.vue": (
        "mount-vue.js",
        "(list, row) => list.scrollToRow(row)",
        "(list, row, height) => list.resizeRow(row, height)",
    ),
    "tanstack.svelte": (
        "mount-svelte.js",
        "(list, row) => list.scrollToRow(row)",
        "(list, row, height) => list.resizeRow(row, height)",
    ),
    "tanstack.solid.jsx": (
        "mount-solid.js",
        "(list, row) => list.scrollToIndex(row, { align: 'start' })",
        "(list, row, height) => list.resizeItem(row, height)",
    ),
    "sticky.jsx": ("mount-react.jsx", "(list, row) => list.scrollToIndex(row, { align: 'start' })", "undefined"),
    "chat.jsx": ("mount-react.jsx", "(list, row) => list.scrollToIndex(row, { align: 'start' })", "undefined"),
    "virtuoso.jsx": ("mount-react.jsx", "(list, row) => list.scrollToIndex({ index: row, align: 'start' })", "undefined"),
    "virtua.jsx": ("mount-react.jsx", "(list, row) => list.scrollToIndex(row, { align: 'start' })", "undefined"),
    "virtua.vue": ("mount-vue.js", "(list, row) => list.scrollToRow(row)", "undefined"),
    "vue-virtual-scroller.vue": ("mount-vue.js", "(list, row) => list.scrollToRow(row)", "undefined"),
    "legend-list.jsx": (
        "mount-react.jsx",
        "(list, row) => list.scrollToIndex({ index: row, animated: false })",
        "(list, row, height) => list.setItemSize(list.getState().data[row].id, { width: 390, height })",
    ),
    "content-visibility.js": (
        "mount-plain.js",
        "(list, row) => list.children[row].scrollIntoView()",
        "(list, row, height) => { list.children[row].style.height = `${height}px` }",
    ),
}

ENTRY = """import {feed} from './{sample}'
import {{ mount }} from './{mount}'
import {{ start }} from './harness.js'
{heights}
start({{ mount, Feed, Heights, jump: {jump}, resize: {resize} }})
"""


class Builder:
    """Writes scripts into a directory, which is that of the server."""

    def __init__(self, libraries: pathlib.Path, react: pathlib.Path, work: pathlib.Path):
        self.sources, self.built = work / "sources", work / "built"
        modules = self.sources / "node_modules"
        modules.mkdir(parents=True)
        (modules / "galley-js").symlink_to(REPOSITORY / "Sources" / "galley-js")
        self.environment = {**os.environ, "NODE_PATH": os.pathsep.join(str(path.resolve()) for path in (libraries, react))}
        for file in [*HERE.glob("*.js"), *HERE.glob("*.jsx")]:
            (self.sources / file.name).write_text(file.read_text())
        for name, block in re.findall(SAMPLE, ARTICLE.read_text(), re.DOTALL):
            (self.sources / name).write_text(block)

    def build(self, sample: str, measures: bool = False) -> str:
        """Builds the page of a sample, or of the list that measures its rows instead, and returns the name of its script."""
        mount, jump, resize = SAMPLES[sample]
        name = sample.replace(".", "-") + ("-measuring" if measures else "")
        feed, module = "{ Feed }", sample
        if measures:
            module = f"measuring-{sample}"
            (self.sources / module).write_text((HERE / "measuring" / sample).read_text())
        elif sample.endswith((".vue", ".svelte", ".solid.jsx")):
            subprocess.run(["node", HERE / "compile.cjs", self.sources / sample], env=self.environment, check=True)
            module = f"{sample}.js"
            feed = feed if sample.endswith(".jsx") else "Feed"
        entry = self.sources / f"{name}.js"
        heights = "const Heights = undefined" if measures else "import { Heights } from 'galley-js'"
        entry.write_text(ENTRY.format(feed=feed, sample=module, mount=mount, jump=jump, resize=resize, heights=heights))
        self.bundle(entry, self.built / f"{name}.js")
        return f"{name}.js"

    def bundle(self, entry: pathlib.Path, output: pathlib.Path, *arguments: str):
        command = [
            "esbuild", "--bundle", "--minify", "--jsx=automatic", "--log-level=warning", "--format=esm", f"--outfile={output}",
            '--define:process.env.NODE_ENV="production"', *arguments, str(entry),
        ]  # fmt: skip
        subprocess.run(command, env=self.environment, check=True)
