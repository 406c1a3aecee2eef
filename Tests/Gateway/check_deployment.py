"""Checks what no schema checks in deploy/: objects of operators select what is there, compose declares what it uses."""

import glob

import yaml


def documents(pattern):
    return [document for path in sorted(glob.glob(pattern)) for document in yaml.safe_load_all(open(path))]


def find(objects, kind, name):
    found = [o for o in objects if o["kind"] == kind and o["metadata"]["name"] == name]
    assert len(found) == 1, (kind, name)
    return found[0]


objects = documents("kubernetes/*.yaml")
for service in (o for o in objects if o["kind"] == "Service"):
    pods = [o for o in objects if o["kind"] == "Deployment"
            and service["spec"]["selector"].items() <= o["spec"]["template"]["metadata"]["labels"].items()]
    assert len(pods) == 1, service["metadata"]["name"]
    ports = {port["name"] for port in pods[0]["spec"]["template"]["spec"]["containers"][0]["ports"]}
    assert all(port["targetPort"] in ports for port in service["spec"]["ports"]), service["metadata"]["name"]

monitored = documents("kubernetes/monitoring/*.yaml")
monitor = find(monitored, "ServiceMonitor", "galley-gateway")
service = find(objects, "Service", "galley-gateway")
assert monitor["spec"]["selector"]["matchLabels"].items() <= service["metadata"]["labels"].items()
endpoint = monitor["spec"]["endpoints"][0]
assert endpoint["port"] in {port["name"] for port in service["spec"]["ports"]}
volumes = find(objects, "Deployment", "galley-gateway")["spec"]["template"]["spec"]["volumes"]
secrets = {volume["secret"]["secretName"] for volume in volumes if "secret" in volume}
assert endpoint["authorization"]["credentials"]["name"] in secrets
scaled = find(monitored, "ScaledObject", "galley-workers")
find(objects, "Deployment", scaled["spec"]["scaleTargetRef"]["name"])

compose = yaml.safe_load(open("container/compose.yaml"))
for name, entry in compose["services"].items():
    for volume in entry.get("volumes", []):
        source = volume.split(":")[0]
        assert source.startswith(".") or source in compose["volumes"], (name, volume)
    assert set(entry.get("secrets", [])) <= set(compose.get("secrets", {})), name
    assert set(entry.get("depends_on", {})) <= set(compose["services"]), name
print("the objects of operators and the compose file refer to what is there")
