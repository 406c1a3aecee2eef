"""The browsers of Debian in which pages are checked, and the check of a page's accessibility."""

from axe_playwright_python.sync_playwright import Axe

# Levels A and AA of WCAG 2.2.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def launch(playwright, name: str):
    """Starts `chromium` or `firefox` without a window."""
    if name == "firefox":
        return playwright.firefox.launch(channel="moz-firefox", executable_path="/usr/bin/firefox-esr")
    return playwright.chromium.launch(executable_path="/usr/bin/chromium", args=[
        "--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"])


def check_accessibility(tab, place: str) -> int:
    """Returns the number of rules of WCAG that axe-core finds fulfilled, and raises an error for each that is not."""
    response = Axe().run(tab, options={"runOnly": RULES}).response
    violations = [
        f"{rule['id']}: {node['html'][:200]}: {node['failureSummary']}" for rule in response["violations"] for node in rule["nodes"]]
    if violations:
        raise AssertionError(f"{place} is not accessible:\n" + "\n".join(violations))
    return len(response["passes"])
