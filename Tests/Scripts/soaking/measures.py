"""What is measured while a soak runs, and what is left at its end."""
import collections
import os
import statistics

INTERVAL = 10
# Growth is that of the last quarter of a process's life against the first one, from its second minute on.
WARM_UP = 60
SAMPLES = 6
GROWTH, GROWTH_MIB = 1.3, 24
# The largest resident memory of a coordinator in MiB, as in Tests/Scripts/hostile.
COORDINATOR_MIB = 300
# The number of descriptors by which a coordinator may have more without batches and clients than soon after its start.
DESCRIPTORS = 16


def status(number):
    """Returns the resident memory of a process in MiB, the number of its descriptors, and the parts of the memory."""
    with open(f"/proc/{number}/status") as file:
        lines = dict(line.split(":", 1) for line in file if ":" in line)
    whole, own, files, shared = (
        int(lines.get(name, "0 kB").split()[0]) / 1024 for name in ("VmRSS", "RssAnon", "RssFile", "RssShmem")
    )
    parts = f"{own:.0f} of its own, {files:.0f} of files, {shared:.0f} shared with its peers"
    return whole, len(os.listdir(f"/proc/{number}/fd")), parts


class Measures:
    def __init__(self, run, coordinator):
        self.run, self.coordinator = run, coordinator
        self.samples = collections.defaultdict(list)
        self.spool_bytes = []

    def measure(self):
        while not self.run.stopped.wait(INTERVAL):
            self.spool_bytes.append(self.spool_size())
            for number, command in self.run.processes().items():
                if command[1:2] in (["coordinator"], ["worker"]):
                    try:
                        self.samples[command[1], number].append(status(number))
                    except OSError:
                        pass

    def spool_files(self):
        return [path for path in self.coordinator.spool.rglob("*") if path.is_file()]

    def spool_size(self):
        size = 0
        for path in self.spool_files():
            try:
                size += path.stat().st_size
            except OSError:
                pass
        return size

    def line(self):
        memory, descriptors, _ = self.samples.get(("coordinator", self.coordinator.process.pid), [(0, 0, "")])[-1]
        return f"coordinator {memory:.0f} MiB, {descriptors} descriptors, spool {self.spool_size() >> 20} MiB"

    def result(self):
        """Returns the measures, and reports processes that grow."""
        longest = {}
        for (role, number), samples in self.samples.items():
            memory, _, parts = max(samples)
            if role == "coordinator" and memory > COORDINATOR_MIB:
                self.run.wrong(f"coordinator {number} had {memory:.0f} MiB, more than {COORDINATOR_MIB} MiB: {parts}")
            steady = samples[WARM_UP // INTERVAL :]
            if len(steady) < SAMPLES:
                continue
            quarter = len(steady) // 4
            first, last = steady[:quarter], steady[-quarter:]
            growth = [[statistics.mean(sample[index] for sample in part) for part in (first, last)] for index in (0, 1)]
            if growth[0][1] > growth[0][0] * GROWTH + GROWTH_MIB:
                self.run.wrong(f"{role} {number} grew from {growth[0][0]:.0f} to {growth[0][1]:.0f} MiB")
            if len(samples) > len(longest.get(role, {"samples": []})["samples"]):
                longest[role] = {"samples": samples, "growth": growth}
        measures = {"spool": {"largest_mib": round(max(self.spool_bytes, default=0) / (1 << 20), 1)}}
        for role in ("coordinator", "worker"):
            all_samples = [sample for (of, _), samples in self.samples.items() if of == role for sample in samples]
            measures[role] = {
                "processes": len([key for key in self.samples if key[0] == role]),
                "largest_mib": round(max((sample[0] for sample in all_samples), default=0), 1),
                "most_descriptors": max((sample[1] for sample in all_samples), default=0),
            }
            if role in longest:
                samples, growth = longest[role]["samples"], longest[role]["growth"]
                measures[role]["longest_life"] = {
                    "seconds": len(samples) * INTERVAL,
                    "first_quarter_mib": round(growth[0][0], 1), "last_quarter_mib": round(growth[0][1], 1),
                    "first_quarter_descriptors": round(growth[1][0]), "last_quarter_descriptors": round(growth[1][1]),
                }
        return measures

    # MARK: The end

    def check_rest(self):
        """Compares the coordinator, which has no batches and clients any more, with itself soon after its start."""
        number = self.coordinator.process.pid
        samples = self.samples.get(("coordinator", number))
        if not samples or self.coordinator.process.poll() is not None:
            return {}
        memory, descriptors, _ = status(number)
        if descriptors > samples[0][1] + DESCRIPTORS:
            names = collections.Counter()
            for descriptor in os.listdir(f"/proc/{number}/fd"):
                try:
                    names[os.readlink(f"/proc/{number}/fd/{descriptor}").split(":")[0]] += 1
                except OSError:
                    pass
            self.run.wrong(
                f"the coordinator at rest has {descriptors} descriptors, at first {samples[0][1]}: {dict(names)}"
            )
        return {"mib": round(memory, 1), "descriptors": descriptors}

    def left(self, shared_memory):
        """Counts what is left after all processes were ended, and reports it."""
        processes = self.run.processes()
        spool = self.spool_files()
        programs = [path for path in spool if path.parent.name == "programs" and path.suffix != ".partial"]
        files = [path for path in spool if path not in programs]
        shared = [name for name in os.listdir("/dev/shm") if name not in shared_memory and "galley" in name]
        endpoints = [path for path in self.run.directory.glob("pool*")]
        others = [path for name in ("runtime", "tmp") for path in (self.run.directory / name).iterdir()]
        with open("/proc/net/unix") as file:
            sockets = [line.split()[-1] for line in file if str(self.run.directory) in line]
        left = {
            "processes": len(processes), "spool_files": len(files), "spool_programs": len(programs),
            "shared_memory": len(shared), "endpoint_files": len(endpoints), "runtime_files": len(others),
            "sockets": len(sockets),
        }
        for name, found in [
            ("processes", [f"{number}: {' '.join(command)}" for number, command in processes.items()]),
            ("files in the spool", files), ("shared memory", shared), ("files of the endpoint", endpoints),
            ("files of the run time", others), ("sockets", sockets),
        ]:
            if found:
                self.run.wrong(f"{len(found)} {name} are left: {', '.join(map(str, found[:5]))}")
        return left
