"""Opens a page in Chromium, Firefox or WebKitGTK and returns the JSON that it writes into its element `results`."""

import http.server
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading

HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE.parent / "ChromiumCases"))
import chromium  # noqa: E402

# Without these, Firefox scales pages and opens others first.
FIREFOX_PREFERENCES = {
    "layout.css.devPixelsPerPx": "1.0",
    "browser.aboutwelcome.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.firstRunURL": "",
}

# Sends the results when they are there.
SENDER = """
<script>
const element = document.getElementById("results");
new MutationObserver(() => {
  fetch("/", { method: "POST", body: element.textContent });
}).observe(element, { childList: true });
</script>
"""


def read_results(browser, page, scratch, environment):
    if browser == "chromium":
        return chromium.read_results(page, scratch, environment)
    received = threading.Event()
    results = []

    class Receiver(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory="/")

        def do_POST(self):
            results.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(204)
            self.end_headers()
            received.set()

        def log_message(self, *arguments):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        # Firefox reads no fonts of other directories from files, so that the server gives it the page and the fonts.
        page.write_text(page.read_text().replace("file:///", "/").replace("</html>", SENDER + "</html>"))
        address = f"http://127.0.0.1:{server.server_port}{page}"
        log = scratch / "browser.log"
        with log.open("w") as output:
            process = subprocess.Popen(
                command(browser, address, scratch), env={**os.environ, "HOME": str(scratch)}, stdout=output, stderr=output, start_new_session=True
            )
        try:
            if not received.wait(chromium.PAGE_SECONDS):
                raise SystemExit(f"{browser} sent no results: {log.read_text()[-2000:]}")
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            server.shutdown()
    return json.loads(results[0])


def command(browser, address, scratch):
    if browser == "webkit":
        return ["xvfb-run", "-a", "/usr/bin/python3", str(HERE / "webkit.py"), address]
    profile = scratch / "firefox"
    profile.mkdir(exist_ok=True)
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in FIREFOX_PREFERENCES.items()]
    (profile / "user.js").write_text("\n".join(lines))
    return ["firefox-esr", "--headless", "--no-remote", "--profile", str(profile), address]
