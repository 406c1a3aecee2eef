"""Checks what no schema checks in deploy/, which is the working directory: that its files agree with each other."""

import glob
import json
import pathlib
import re
import subprocess

import yaml


def documents(pattern):
    return [document for path in sorted(glob.glob(pattern)) for document in yaml.safe_load_all(open(path))]


def find(objects, kind, name):
    found = [o for o in objects if o["kind"] == kind and o["metadata"]["name"] == name]
    assert len(found) == 1, (kind, name)
    return found[0]


def pods_with(labels, deployments):
    return [d for d in deployments if labels.items() <= d["spec"]["template"]["metadata"]["labels"].items()]


def containers(deployment):
    spec = deployment["spec"]["template"]["spec"]
    return spec.get("initContainers", []) + spec["containers"]


def bytes_of(text):
    number, unit = re.fullmatch(r"(\d+)([KMGT])(?:iB?)?", text).groups()
    return int(number) << 10 * (1 + "KMGT".index(unit))


def option(command, name):
    return command[command.index(name) + 1]


def check_images(deployments, compose):
    """Each image has a tag, without which Kubernetes would always pull it; that of the program is the version."""
    version = re.search(r'current = "(.*)"', pathlib.Path("../Sources/Pool/PoolProtocol/Version.swift").read_text())[1]
    images = [container["image"] for deployment in deployments for container in containers(deployment)]
    images += [entry["image"] for entry in compose["services"].values()]
    images += re.findall("^ARG GALLEY=(.*)", pathlib.Path("container/Cells.containerfile").read_text(), re.M)
    assert set(images) == {f"galley:{version}", "galley-cells:1"}, images


def check_objects(objects):
    """Services and policies select pods of the deployments and name their ports; each container has bounds."""
    deployments = [o for o in objects if o["kind"] == "Deployment"]
    for deployment in deployments:
        for container in containers(deployment):
            name = deployment["metadata"]["name"], container["name"]
            for bound in ("requests", "limits"):
                assert {"cpu", "memory", "ephemeral-storage"} <= set(container["resources"][bound]), (name, bound)
            assert container["securityContext"]["readOnlyRootFilesystem"], name
            volumes = {volume["name"] for volume in deployment["spec"]["template"]["spec"]["volumes"]}
            assert {mount["name"] for mount in container["volumeMounts"]} <= volumes, name
        arguments = deployment["spec"]["template"]["spec"]["containers"][0]["args"]
        assert option(arguments, "--log-format") == "json", deployment["metadata"]["name"]
    check_end_of_gateway(find(deployments, "Deployment", "galley-gateway")["spec"]["template"]["spec"])
    for service in (o for o in objects if o["kind"] == "Service"):
        pods = pods_with(service["spec"]["selector"], deployments)
        assert len(pods) == 1, service["metadata"]["name"]
        ports = {port["name"] for port in containers(pods[0])[-1]["ports"]}
        assert all(port["targetPort"] in ports for port in service["spec"]["ports"]), service["metadata"]["name"]
    coordinator = containers(find(objects, "Deployment", "galley-coordinator"))[0]["args"]
    claim = find(objects, "PersistentVolumeClaim", "galley-spool")["spec"]["resources"]["requests"]["storage"]
    assert bytes_of(option(coordinator, "--spool-limit")) <= 0.9 * bytes_of(claim)
    check_policies([o for o in objects if o["kind"] == "NetworkPolicy"], deployments)


def check_end_of_gateway(pod):
    """A gateway accepts connections until the nodes send it none, and has 20 seconds then."""
    command = pod["containers"][0]["lifecycle"]["preStop"]["exec"]["command"]
    assert command[0] == "sleep" and 5 <= int(command[1]) <= pod["terminationGracePeriodSeconds"] - 20, command


def check_policies(policies, deployments):
    """Each deployment has one policy, whose ports are those of the pods that are reached."""
    for deployment in deployments:
        labels = deployment["spec"]["template"]["metadata"]["labels"]
        matching = [p for p in policies if p["spec"]["podSelector"]["matchLabels"].items() <= labels.items()]
        assert len(matching) == 1, deployment["metadata"]["name"]
    for policy in policies:
        spec, name = policy["spec"], policy["metadata"]["name"]
        assert spec["policyTypes"] == ["Ingress", "Egress"], name
        own = pods_with(spec["podSelector"]["matchLabels"], deployments)[0]
        for rule in spec["ingress"]:
            assert rule["from"] and has_ports(own, rule), name
        for rule in spec["egress"]:
            for peer in rule.get("to", []):
                assert has_ports(pods_with(peer["podSelector"]["matchLabels"], deployments)[0], rule), name


def has_ports(deployment, rule):
    return {port["port"] for port in rule["ports"]} <= {port["name"] for port in containers(deployment)[-1]["ports"]}


def check_operators(objects, monitored):
    """The objects of the Prometheus operator and of KEDA refer to the gateway and the workers."""
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
    for trigger in scaled["spec"]["triggers"]:
        # The operator names the job by the service.
        selectors = selectors_in(trigger["metadata"]["query"])
        assert set(selectors) == {f'{{namespace="default", job="{service["metadata"]["name"]}"}}'}, selectors


def selectors_in(query):
    """Returns the labels that each metric of a query is selected by."""
    return re.findall(r"galley_\w+({[^}]*})?", query)


def check_compose(compose):
    for name, entry in compose["services"].items():
        for volume in entry.get("volumes", []):
            source = volume.split(":")[0]
            assert source.startswith(".") or source in compose["volumes"], (name, volume)
        assert set(entry.get("secrets", [])) <= set(compose.get("secrets", {})), name
        assert set(entry.get("depends_on", {})) <= set(compose["services"]), name
        # The service of the keys ends at once.
        assert name == "keys" or {"cpus", "memory", "pids"} <= set(entry["deploy"]["resources"]["limits"]), name
    assert {"--spool-limit", "--keep"} <= set(compose["services"]["coordinator"]["command"])


def check_units():
    """The defaults of a unit are those of the file that an administrator edits."""
    unit = pathlib.Path("systemd/galley-coordinator.service").read_text()
    defaults = pathlib.Path("debian/galley.default").read_text()
    options = re.search(r'^COORDINATOR_OPTIONS="(.*)"$', defaults, re.M)[1]
    assert f'"COORDINATOR_OPTIONS={options}"' in unit
    assert re.search(r"^ExecReload=", unit, re.M) and "--spool-limit" in options and "--keep" in options


def check_memory_of_workers(objects, compose):
    """The system leaves a worker room above --memory-limit, where it ends by itself after its job."""
    options = pathlib.Path("../Sources/Programs/GalleyWorker/WorkerOptions.swift").read_text()
    limit = int(re.search(r"memoryLimit = (\d+)", options)[1]) << 20
    unit = pathlib.Path("systemd/galley-worker@.service").read_text()
    limits = {
        "systemd": re.search(r"^MemoryMax=(.*)$", unit, re.M)[1],
        "compose": compose["services"]["worker"]["deploy"]["resources"]["limits"]["memory"],
        "kubernetes": containers(find(objects, "Deployment", "galley-workers"))[0]["resources"]["limits"]["memory"],
    }
    assert all(bytes_of(memory) >= 1.25 * limit for memory in limits.values()), limits


def check_setup():
    """A group of packages that there is not is an error that names those that there are."""
    setup = subprocess.run(["./setup", "nonsense"], capture_output=True, text=True)
    groups = re.findall(r"^([a-z-]+): ", pathlib.Path("packages").read_text(), re.M)
    message = f"deploy/setup: there is no group nonsense in deploy/packages, only {' '.join(groups)}\n"
    assert (setup.returncode, setup.stdout, setup.stderr) == (2, "", message), setup


def check_alerts(rules, article):
    """Each alert says what it is and has a line in the article, which has no others."""
    alerts = [rule for group in rules["groups"] for rule in group["rules"]]
    names = [alert["alert"] for alert in alerts]
    assert len(set(names)) == len(names)
    for alert in alerts:
        assert alert["labels"]["severity"] in ("critical", "warning"), alert
        assert alert["expr"] and set(alert["annotations"]) == {"summary", "description"}, alert
    documented = re.findall(r"^\| `(Galley[A-Za-z]+)` \|", article, re.M)
    assert sorted(documented) == sorted(names), set(documented) ^ set(names)


def check_panels(dashboard):
    places = set()
    for panel in dashboard["panels"]:
        assert panel["title"] and panel["description"] and panel["targets"], panel["id"]
        for query in (target["expr"] for target in panel["targets"]):
            assert query.count("(") == query.count(")"), panel["title"]
            # Pools of two namespaces can have the same job.
            assert set(selectors_in(query)) == {'{namespace=~"$namespace", job=~"$job"}'}, query
            assert "by (job" not in query, query
        place = panel["gridPos"]
        cells = {(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])}
        assert not cells & places and place["x"] + place["w"] <= 24, panel["title"]
        places |= cells
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])


objects = documents("kubernetes/*.yaml")
check_objects(objects)
check_operators(objects, documents("kubernetes/monitoring/*.yaml"))
compose = yaml.safe_load(open("container/compose.yaml"))
check_compose(compose)
check_images([o for o in objects if o["kind"] == "Deployment"], compose)
check_units()
check_memory_of_workers(objects, compose)
check_setup()
article = pathlib.Path("../Sources/Documentation.docc/Operating.md").read_text()
check_alerts(yaml.safe_load(open("monitoring/galley.rules.yaml")), article)
check_panels(json.load(open("monitoring/grafana.json")))
print("units, objects, the compose file, alerts and panels agree")
