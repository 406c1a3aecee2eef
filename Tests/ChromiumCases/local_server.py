"""A server of pages for Chromium on this machine."""

import http.server
import sys
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers requests without a log. A subclass has `do_GET`, which calls `reply`."""

    protocol_version = "HTTP/1.1"

    def reply(self, content, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        # A page that is closed while it loads resets its connections.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, address)


def start(handler) -> str:
    """Serves requests until the program ends, and returns the address, without a slash at its end."""
    server = Server(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"
