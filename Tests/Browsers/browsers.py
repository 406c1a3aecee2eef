"""The browsers of Debian in which pages are checked, and the check of a page's accessibility."""

import time

from axe_playwright_python.sync_playwright import Axe

# Levels A and AA of WCAG 2.2.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

# A PNG image of one pixel.
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0000003010100c9fe92ef0000"
    "000049454e44ae426082")

TIMEOUT_SECONDS = 30


def launch(playwright, name: str):
    """Starts `chromium` or `firefox` without a window."""
    if name == "firefox":
        return playwright.firefox.launch(channel="moz-firefox", executable_path="/usr/bin/firefox-esr")
    return playwright.chromium.launch(executable_path="/usr/bin/chromium", args=[
        "--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"])


def wait_for(tab, condition: str) -> float:
    """Waits until an expression is true in a page, and returns the seconds that it took."""
    start = time.monotonic()
    while not tab.evaluate(condition):
        if time.monotonic() - start > TIMEOUT_SECONDS:
            raise AssertionError(f"after {TIMEOUT_SECONDS} s this is still false: {condition}")
        time.sleep(0.01)
    return time.monotonic() - start


def check_accessibility(tab, place: str) -> int:
    """Returns the number of rules of WCAG that axe-core finds fulfilled, and raises an error for each that is not."""
    # Colors are those of a transparent element while it appears.
    wait_for(tab, "document.getAnimations().every(({ playState }) => playState !== 'running')")
    response = Axe().run(tab, options={"runOnly": RULES}).response
    violations = [
        f"{rule['id']}: {node['html'][:200]}: {node['failureSummary']}" for rule in response["violations"] for node in rule["nodes"]]
    if violations:
        raise AssertionError(f"{place} is not accessible:\n" + "\n".join(violations))
    return len(response["passes"])
