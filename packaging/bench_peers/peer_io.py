# SPDX-License-Identifier: Apache-2.0
"""What the peers share: tensors from the folder the engine wrote, and the loop of questions and answers."""
import json
import math
import os
import resource
import struct
import sys
import time


def read_tensors(path):
    """A minimal safetensors reader: float32 and int64 are all there is."""
    import torch  # peers without tensors do without it

    with open(path, "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(size))
        data = bytearray(file.read())
    kinds = {"F32": torch.float32, "I64": torch.int64}
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__":
            tensors[name] = torch.frombuffer(data, dtype=kinds[entry["dtype"]], offset=entry["data_offsets"][0],
                                             count=math.prod(entry["shape"])).reshape(entry["shape"]).clone()
    return tensors


def read_config(folder):
    return json.load(open(os.path.join(folder, "config.json")))


def reset_peak():
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def peak_bytes():
    for line in open("/proc/self/status"):
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


def grad_norm(parameters):
    return math.sqrt(sum(float(p.grad.double().norm()) ** 2 for p in parameters if p.grad is not None))


def serve(check, step):
    """Answers "check" with check(), "run N" with the seconds of N calls of step(). One JSON object a line."""
    for line in sys.stdin:
        words = line.split()
        if words[0] == "check":
            print(json.dumps(check()), flush=True)
            continue
        reset_peak()
        wall, used = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF)
        for _ in range(int(words[1])):
            step()
        now = resource.getrusage(resource.RUSAGE_SELF)
        cpu = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
        print(json.dumps({"seconds": time.monotonic() - wall, "cpu": cpu, "peak_bytes": peak_bytes()}), flush=True)
