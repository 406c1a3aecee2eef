"""Requests of a gateway by plain sockets, so that they can be slow or malformed."""

import json
import socket
from dataclasses import dataclass

TOKEN = "0123456789abcdef0123456789abcdef"


@dataclass
class Response:
    status: int
    headers: dict
    body: bytes

    @property
    def problem(self):
        """The problem details, which each error has to be."""
        assert self.headers["content-type"] == "application/problem+json", self
        problem = json.loads(self.body)
        assert problem["status"] == self.status and problem["title"] and problem["detail"], problem
        return problem


class Client:
    """A connection to a gateway."""

    def __init__(self, port, timeout=30):
        self.port = port
        self.socket = socket.create_connection(("127.0.0.1", port), timeout)
        self.reader = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.reader.close()
        self.socket.close()

    def head(self, method, target, headers):
        """Sends the head of a request. A header whose value is None is left out."""
        all_headers = {"host": f"127.0.0.1:{self.port}", "authorization": f"Bearer {TOKEN}"} | headers
        lines = [f"{method} {target} HTTP/1.1"] + [f"{k}: {v}" for k, v in all_headers.items() if v is not None]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())

    def response(self, method="GET"):
        line = self.reader.readline()
        assert line, "the connection ended without a response"
        headers = {}
        while (text := self.reader.readline().strip()):
            name, _, value = text.decode().partition(":")
            headers[name.lower()] = value.strip()
        status = int(line.split()[1])
        if status == 100:
            return self.response(method)
        return Response(status, headers, b"" if method == "HEAD" or status == 204 else self.body(headers))

    def body(self, headers):
        if headers.get("transfer-encoding") != "chunked":
            size = int(headers["content-length"])
            body = self.reader.read(size)
            assert len(body) == size, "the connection ended within the response"
            return body
        body = b""
        while (size := int(self.reader.readline(), 16)):
            body += self.reader.read(size)
            self.reader.readline()
        self.reader.readline()
        return body


def request(port, method, target, body=None, **headers):
    """Returns the response to a request on a connection of its own."""
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    if body is not None:
        headers = {"content-length": len(body), "content-type": "application/x-ndjson"} | headers
    with Client(port) as client:
        client.head(method, target, headers)
        if body:
            try:
                client.socket.sendall(body)
            except OSError:
                pass  # The response may come before the whole body was sent.
        return client.response(method)
