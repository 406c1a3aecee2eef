"""Checks a gateway from outside: `check_gateway.py PROGRAM DIRECTORY SECONDS`. See Tests/Scripts/check-gateway."""

import gzip
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import jsonschema
import pyarrow.ipc
from prometheus_client.parser import text_string_to_metric_families

from connection import TOKEN, Client, request
from pool import Pool, wait_until

galley, work, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3])
rows = pathlib.Path(work, "examples/posts.jsonl").read_bytes()
one_row = rows.split(b"\n")[0] + b"\n"
layouts = "/v1/layouts?cells=posts&width=320,390"
tests = pathlib.Path(__file__).parent


def check_description(port):
    document = json.loads(request(port, "GET", "/openapi.json", authorization=None).body)
    version = subprocess.run([galley, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    assert document["info"]["version"] == version.split()[-1], (document["info"], version)
    assert document["components"]["parameters"]["cells"]["schema"]["enum"] == ["posts"]
    return document


def run_schemathesis(port):
    """Runs all checks on all routes but that of events, which has no end. The seed is constant, so that failures are repeatable."""
    environment = os.environ | {"SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(tests), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [
        pathlib.Path(sys.executable).with_name("schemathesis"), "run", f"http://127.0.0.1:{port}/openapi.json",
        "--header", f"Authorization: Bearer {TOKEN}", "--exclude-path", "/v1/events", "--checks", "all",
        "--max-time", str(seconds), "--continue-on-failure", "--warnings", "off", "--seed", "1"]
    run = subprocess.run(command, env=environment, cwd=work, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    print("schemathesis:", re.search(r"(\d+) generated.*", run.stdout)[0])


def check_results(port, document):
    def is_valid(value, name):
        jsonschema.validate(value, {"$ref": f"#/components/schemas/{name}", "components": document["components"]})

    count = rows.count(b"\n")
    lines = request(port, "POST", layouts, rows)
    results = [json.loads(line) for line in lines.body.splitlines()]
    assert lines.status == 200 and len(results) == 2 * count, lines.status
    ended = request(port, "POST", layouts + "&end=true", rows)
    assert ended.headers["galley-rows"] == str(count) and ended.body == lines.body + b'{"rows":%d}\n' % count
    array = request(port, "POST", layouts, rows, accept="application/json")
    assert json.loads(array.body) == results
    for result in results:
        is_valid(result, "Result")
    packed = request(port, "POST", layouts, gzip.compress(rows), content_encoding="gzip", accept_encoding="gzip")
    assert packed.headers["content-encoding"] == "gzip" and gzip.decompress(packed.body) == lines.body
    for encoding in document["components"]["parameters"]["contentEncoding"]["schema"]["enum"]:
        assert request(port, "POST", layouts, b"", content_encoding=encoding).body == b"", encoding
    arrow = request(port, "POST", layouts, rows, accept="application/vnd.apache.arrow.stream")
    table = pyarrow.ipc.open_stream(io.BytesIO(arrow.body)).read_all()
    heights = {(row["variant"], row["row"]): row["height"] for row in table.select(["variant", "row", "height"]).to_pylist()}
    assert len(heights) == len(results)
    for result in results:
        assert abs(heights[result["variant"], result["row"]] - result["height"]) < 0.01, result
    bad = request(port, "POST", layouts, one_row + b"nonsense\n" + one_row)
    errors = [json.loads(line)["error"] for line in bad.body.splitlines()]
    assert [error is None for error in errors].count(False) == 2, errors
    is_valid(json.loads(request(port, "GET", "/v1/status").body), "Status")
    with Client(port) as slow:
        slow.head("POST", "/v1/layouts?width=320", {"transfer-encoding": "chunked", "content-type": "application/x-ndjson"})
        slow.socket.sendall(b"%x\r\n%s\r\n" % (len(one_row), one_row))
        batches = []
        wait_until(lambda: batches.extend(json.loads(request(port, "GET", "/v1/status").body)["batches"]) or batches)
        name = batches[0]["name"]
        is_valid(json.loads(request(port, "GET", f"/v1/batches/{name}").body), "Batch")
        assert request(port, "DELETE", f"/v1/batches/{name}").status == 204
        wait_until(lambda: request(port, "GET", f"/v1/batches/{name}").status == 404)
    print("results: as described, in all forms")


def check_events(port):
    with Client(port) as client:
        client.head("GET", "/v1/events", {})
        assert client.reader.readline().split()[1] == b"200"
        seen = b""
        while seen.count(b"event: status") < 2:
            seen += client.reader.readline()
    events = [event for event in seen.decode().split("\n\n") if "data: " in event]
    assert all(json.loads(event.split("data: ")[1])["version"] for event in events if "event: status" in event)


def families(port):
    response = request(port, "GET", "/metrics")
    assert response.status == 200, response
    return {family.name: family for family in text_string_to_metric_families(response.body.decode())}


def check_metrics(port):
    """Compares the metrics with the status, both of a pool without work."""
    def value(found, name, **labels):
        family = found[re.sub("_(total|bucket|sum|count)$", "", name)]
        return next(s.value for s in family.samples if s.name == name and labels.items() <= s.labels.items())

    def state():
        return json.loads(request(port, "GET", "/v1/status").body)

    wait_until(lambda: state()["batchCount"] == 0)
    status = state()
    metrics = status["metrics"]
    # The gateway asks for the state every second. One that is newer has the same figures.
    wait_until(lambda: value(families(port), "galley_coordinator_uptime_seconds") > metrics["uptime"])
    found = families(port)
    assert value(found, "galley_up") == 1 and value(found, "galley_workers") == status["workerCount"] == 2
    pairs = {
        "batches_accepted": "batchesAccepted", "batches_recovered": "batchesRecovered", "batches_done": "batchesDone",
        "batches_failed": "batchesFailed", "batches_cancelled": "batchesCancelled", "jobs_done": "jobsDone",
        "jobs_retried": "retries", "rows_done": "rowsDone", "workers_lost": "lostWorkers",
        "received_rows_bytes": "rowBytesReceived", "sent_results_bytes": "resultBytesSent"}
    for name, key in pairs.items():
        assert value(found, f"galley_{name}_total") == metrics[key], name
    assert metrics["rowsDone"] > 0
    for name, key in {"queue": "queueTime", "layout": "layoutTime", "batch": "batchTime"}.items():
        family = f"galley_{name}_time_seconds"
        assert found[family].type == "histogram"
        for bucket in metrics[key]["buckets"]:
            # The text of a bound may differ, such as 1 and 1.0.
            counts = [s.value for s in found[family].samples if s.labels.get("le", "x") != "x"
                      and float(s.labels["le"]) == bucket["le"]]
            assert counts == [bucket["count"]], (name, bucket, counts)
        assert value(found, f"{family}_bucket", le="+Inf") == value(found, f"{family}_count") == metrics[key]["count"]
        assert abs(value(found, f"{family}_sum") - metrics[key]["sum"]) < 1e-6
    for worker in status["workers"]:
        assert value(found, "galley_worker_rows_total", worker=worker["name"]) == worker["rows"]
    assert value(found, "galley_gateway_responses_total", code="200") > 0
    assert value(found, "galley_gateway_connections") >= 1
    requests = "galley_gateway_request_time_seconds"
    assert found[requests].type == "histogram"
    for route in ("layouts", "status", "metrics", "readiness", "other"):
        count = value(found, f"{requests}_count", route=route)
        assert 0 < count == value(found, f"{requests}_bucket", route=route, le="+Inf"), route
        assert value(found, f"{requests}_sum", route=route) > 0
    check_cited_metrics({sample.name for family in found.values() for sample in family.samples})
    print(f"metrics: {len(found)} families, the figures of the status")


def check_cited_metrics(names):
    """Checks that the article, alerts, panels and rules of scaling name metrics that there are, and that the article names all."""
    root = tests.parent.parent
    article = (root / "Sources/Documentation.docc/Gateway.md").read_text()
    folders = (root / "deploy/monitoring", root / "deploy/kubernetes/monitoring")
    monitoring = "".join(path.read_text() for folder in folders for path in folder.iterdir())
    families = {re.sub("_(bucket|sum|count)$", "", name) for name in names}
    cited = set(re.findall(r"\bgalley_[a-z_]+", article))
    assert cited == families, cited ^ families
    # galley_gateway_* in a comment stands for several.
    unknown = set(re.findall(r"\bgalley_[a-z_]+\b(?!\*)", monitoring)) - names
    assert not unknown, unknown


def expect(status, response, **headers):
    assert response.status == status, (status, response)
    for name, value in headers.items():
        assert response.headers[name.replace("_", "-")] == value, response
    return response.problem


def check_refusals(port):
    expect(401, request(port, "GET", "/v1/status", authorization=None), www_authenticate="Bearer")
    expect(401, request(port, "POST", layouts, one_row, authorization=f"Bearer {TOKEN}x"))
    expect(401, request(port, "POST", layouts, one_row, authorization=f"Basic {TOKEN}"))
    expect(403, request(port, "POST", layouts, one_row, origin="https://example.org"))
    expect(403, request(port, "POST", layouts, one_row, sec_fetch_site="cross-site"))
    expect(421, request(port, "POST", layouts, one_row, host="example.org"))
    expect(404, request(port, "GET", "/v1/nothing"))
    expect(404, request(port, "GET", "/v1/batches/none"))
    expect(405, request(port, "GET", layouts), allow="POST")
    expect(406, request(port, "POST", layouts, one_row, accept="text/html"))
    expect(415, request(port, "POST", layouts, one_row, content_type="text/csv"))
    expect(415, request(port, "POST", layouts, one_row, content_encoding="br"))
    for query in ("cells=posts", "width=0", "width=430-320", "width=1e3", "width=1&width=2", "width=1&colour=red",
                  "width=1&cells=none", "width=1&frames=yes", "width=1-300", "width=1-200&scale=1,2"):
        expect(400, request(port, "POST", f"/v1/layouts?{query}", one_row))
    # Very many variants are refused at once: a list of them would fill the memory.
    many = ",".join(str(number) for number in range(1, 257))
    expect(400, request(port, "POST", f"/v1/layouts?width={many}&textScale={many}&scale={many}", one_row))
    page = request(port, "GET", "/", authorization=None)
    assert page.status == 200 and "default-src 'none'" in page.headers["content-security-policy"]
    names = re.findall(rb'(?:src|href)="([^"]+\.(?:css|js))"', page.body)
    assert names, page.body
    for name in names:
        assert request(port, "GET", "/" + name.decode(), authorization=None).status == 200, name


def check_limits(pool):
    port = pool.gateway("--row-limit", 1000, "--body-limit", "1MiB")
    bomb = gzip.compress(b'{"id":"x"}\n' * 5_000_000)
    assert len(bomb) < 1 << 20
    assert "1000 rows" in expect(413, request(port, "POST", layouts, bomb, content_encoding="gzip"))["detail"]
    long = b" " * (2 << 20)
    expect(413, request(port, "POST", layouts, long))
    with Client(port) as client:
        client.head("POST", layouts, {"transfer-encoding": "chunked", "content-type": "application/x-ndjson"})
        try:
            client.socket.sendall(b"%x\r\n%s\r\n0\r\n\r\n" % (len(long), long))
        except OSError:
            pass
        expect(413, client.response())
    assert request(port, "POST", layouts, one_row * 1000).status == 200
    print("limits: bodies and rows beyond them get status 413")


def begin_halves(port):
    """Begins a request without the rest of its head, and one without the rest of its body."""
    head, body = Client(port), Client(port, timeout=60)
    head.socket.sendall(b"POST /v1/layouts HTTP/1.1\r\nhost: 127")
    body.head("POST", layouts, {"content-length": 1000, "content-type": "application/x-ndjson"})
    body.socket.sendall(one_row[:10])
    return head, body


def check_halves(head, body):
    with head, body:
        expect(408, body.response())
        head.socket.settimeout(60)
        while head.reader.read(4096):
            pass
    print("half requests: status 408, and the end of the connection")


def begin_stream(port):
    """Begins a request whose body has no end, and waits for the first results."""
    client = Client(port)
    client.head("POST", layouts, {"transfer-encoding": "chunked", "content-type": "application/x-ndjson"})
    client.socket.sendall(b"%x\r\n%s\r\n" % (len(one_row), one_row))
    assert client.reader.readline().split()[1] == b"200"
    return client


def expect_reset(client):
    """Reads the response up to the reset that shows that it is not whole."""
    with client:
        try:
            while client.reader.read(4096):
                pass
        except ConnectionResetError:
            return
        raise AssertionError("a response that is not whole ended like a whole one")


def check_lost_coordinator(pool, port):
    under_way = begin_stream(port)
    pool.kill_coordinator()
    begin = time.monotonic()
    expect(503, request(port, "POST", layouts, one_row), retry_after="1")
    refused = time.monotonic() - begin
    expect_reset(under_way)
    ended = time.monotonic() - begin
    # About a second and a quarter, with room for a busy machine: without the connection's loss these are 20 and 60 seconds.
    assert refused < 10 and ended < 10, (refused, ended)
    print(f"killed coordinator: status 503 after {refused:.1f} s, the end of a response under way after {ended:.1f} s")
    wait_until(lambda: request(port, "GET", "/readyz").status == 503)
    expect(503, request(port, "POST", layouts, one_row), retry_after="1")
    expect(503, request(port, "GET", "/v1/status"), retry_after="1")
    assert request(port, "GET", "/healthz").status == 200
    assert families(port)["galley_up"].samples[0].value == 0
    pool.restart_coordinator()
    wait_until(lambda: request(port, "GET", "/readyz").status == 200)
    assert request(port, "POST", layouts, rows).status == 200
    print("lost coordinator: status 503 until it is back")


with Pool(galley, work) as pool:
    port = pool.gateway()
    halves = begin_halves(port)
    document = check_description(port)
    check_refusals(port)
    check_results(port, document)
    check_events(port)
    check_limits(pool)
    run_schemathesis(port)
    check_metrics(port)
    check_halves(*halves)
    check_lost_coordinator(pool, port)
print("the gateway is as described")
