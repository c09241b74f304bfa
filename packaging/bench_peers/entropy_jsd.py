# SPDX-License-Identifier: Apache-2.0
"""Peer of `fathom-bench entropy-jsd`: attention of all layers is kept, as `output_attentions=True` gives it, then
-sum P ln P and the Jensen-Shannon divergence of adjacent layers by tensor operations. Reads queries and keys
[L, B, H, T, d] from a folder; answers "check" with both means, "run N" with seconds and with the memory beyond the inputs."""
import json
import math
import os
import resource
import sys
import time

import torch

from peer_io import peak_bytes, read_config, read_tensors, reset_peak

folder = sys.argv[1]
torch.set_num_threads(read_config(folder)["threads"])
inputs = read_tensors(os.path.join(folder, "inputs.safetensors"))
queries, keys = inputs["queries"], inputs["keys"]


def entropy(p):
    return torch.special.entr(p).sum(-1)


def step():
    scale = 1 / math.sqrt(queries.shape[-1])
    attentions = [torch.softmax(q @ k.transpose(-1, -2) * scale, -1) for q, k in zip(queries, keys)]
    entropies = [entropy(p) for p in attentions]
    divergences = []
    for layer in range(1, len(attentions)):
        mean = (attentions[layer] + attentions[layer - 1]) / 2
        nats = entropy(mean) - (entropies[layer] + entropies[layer - 1]) / 2
        divergences.append(nats.clamp_min(0) / math.log(2))
    return torch.stack(entropies).double().mean().item(), torch.stack(divergences).double().mean().item()


def resident():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


with torch.inference_mode():
    for line in sys.stdin:
        words = line.split()
        if words[0] == "check":
            nats, bits = step()
            print(json.dumps({"entropy": nats, "jsd": bits}), flush=True)
            continue
        reset_peak()
        before = resident()
        wall, used = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF)
        for _ in range(int(words[1])):
            step()
        now = resource.getrusage(resource.RUSAGE_SELF)
        cpu = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
        print(json.dumps({"seconds": time.monotonic() - wall, "cpu": cpu, "peak_bytes": peak_bytes() - before}), flush=True)
