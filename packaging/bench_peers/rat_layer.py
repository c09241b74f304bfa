# SPDX-License-Identifier: Apache-2.0
"""Peer of `fathom-bench rat-layer`: relation-aware layers the usual way, with an embedding of every relation id
([B, n, n, d_k], forward and backward), Post-LN and one more norm on top."""
import math
import os
import sys

import torch
import torch.nn.functional as F

from peer_io import grad_norm, read_config, read_tensors, serve

folder = sys.argv[1]
config = read_config(folder)
torch.set_num_threads(config["threads"])
p = {name: value.requires_grad_() for name, value in read_tensors(os.path.join(folder, "weights.safetensors")).items()}
batch = read_tensors(os.path.join(folder, "batch.safetensors"))
heads = config["heads"]
padding = batch["padding"].bool()
blocked = (padding[:, None, :, None] | padding[:, None, None, :]) if padding.any() else None
real = (~padding)[..., None].float()


def norm(name, x):
    return F.layer_norm(x, x.shape[-1:], p[name + ".weight"], p[name + ".bias"])


def attention(at, x):
    b, n, d = x.shape
    size = d // heads
    q, k, v = (F.linear(x, p[f"{at}.{part}.weight"]).view(b, n, heads, size).transpose(1, 2) for part in ("query", "key", "value"))
    relation_keys = F.embedding(batch["relations"], p[at + ".relation_key.weight"])
    relation_values = F.embedding(batch["relations"], p[at + ".relation_value.weight"])
    scores = torch.matmul(q, k.transpose(-2, -1))
    scores = scores + torch.matmul(q.transpose(1, 2), relation_keys.transpose(-2, -1)).transpose(1, 2)
    scores = scores / math.sqrt(size)
    if blocked is not None:
        scores = scores.masked_fill(blocked, -1e9)
    weights = F.softmax(scores, -1)
    z = torch.matmul(weights, v) + torch.matmul(weights.transpose(1, 2), relation_values).transpose(1, 2)
    return F.linear(z.transpose(1, 2).reshape(b, n, d), p[at + ".output.weight"], p[at + ".output.bias"])


def step():
    for value in p.values():
        value.grad = None
    x = F.linear(batch["states"], p["input_projection.weight"])
    for layer in range(config["layers"]):
        at = f"extra.layers.{layer}."
        x = norm(at + "self_attention.layer_norm", x + attention(at + "self_attention", x))
        hidden = F.relu(F.linear(x, p[at + "feed_forward.input.weight"], p[at + "feed_forward.input.bias"]))
        x = norm(at + "feed_forward.layer_norm", x + F.linear(hidden, p[at + "feed_forward.output.weight"], p[at + "feed_forward.output.bias"]))
    x = norm("extra.layer_norm", x)
    loss = ((x * batch["weight"]).sin() * real).sum() / real.sum()
    loss.backward()
    return float(loss.detach())


serve(lambda: {"loss": step(), "grad_norm": grad_norm(p.values())}, step)
