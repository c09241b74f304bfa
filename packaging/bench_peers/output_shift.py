# SPDX-License-Identifier: Apache-2.0
"""Peer of `fathom-bench output-shift`: one net for each depth, each run before and after its weights move by
delta times a sign, in torch's own functions."""
import os
import sys

import torch
import torch.nn.functional as F

from peer_io import read_config, read_tensors, serve

folder = sys.argv[1]
config = read_config(folder)
torch.set_num_threads(config["threads"])
heads, delta = config["heads"], config["delta"]
batch = read_tensors(os.path.join(folder, "batch.safetensors"))
seeds = range(1, config["seeds"] + 1)
weights = {seed: read_tensors(os.path.join(folder, f"weights.{seed}.safetensors")) for seed in seeds}
signs = {seed: read_tensors(os.path.join(folder, f"signs.{seed}.safetensors")) for seed in seeds}
depths = range(config["every"], config["deepest"] + 1, config["every"])


def norm(x):
    return F.layer_norm(x, x.shape[-1:])


def linear(p, name, x):
    return F.linear(x, p[name + ".weight"], p[name + ".bias"])


def attention(p, at, x):
    b, n, d = x.shape
    q, k, v = (linear(p, f"{at}.{part}", x).view(b, n, heads, d // heads).transpose(1, 2) for part in ("query", "key", "value"))
    z = F.scaled_dot_product_attention(q, k, v)
    return linear(p, at + ".output", z.transpose(1, 2).reshape(b, n, d))


def feed_forward(p, at, x):
    return linear(p, at + ".output", F.relu(linear(p, at + ".input", x)))


def encoder(p, seed, scheme, depth):
    x = batch[f"{seed}.input"]
    for layer in range(depth):
        for part, branch in (("self_attention", attention), ("feed_forward", feed_forward)):
            at = f"encoder.layers.{layer}.{part}"
            if scheme == "pre_ln":
                x = x + branch(p, at, norm(x))
            elif scheme == "admin":
                x = norm(x * batch[f"{seed}.{at}.omega"] + branch(p, at, x))
            else:
                x = norm(x + branch(p, at, x))
    return norm(x) if scheme == "pre_ln" else x


def shift(seed, scheme, depth):
    p = weights[seed]
    before = encoder(p, seed, scheme, depth)
    own = [name for name in signs[seed] if int(name.split(".")[2]) < depth]
    kept = {name: p[name].clone() for name in own}
    for name in own:
        p[name].sub_(signs[seed][name], alpha=delta)
    after = encoder(p, seed, scheme, depth)
    for name in own:
        p[name].copy_(kept[name])
    return float((before.double() - after.double()).square().sum())


@torch.no_grad()
def step():
    return {f"{scheme}.{depth}": sum(shift(seed, scheme, depth) for seed in seeds)
            for scheme in ("post_ln", "pre_ln", "admin") for depth in depths}


serve(step, step)
