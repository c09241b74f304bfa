# SPDX-License-Identifier: Apache-2.0
"""Peer of `fathom-bench optimizer-step`: clip_grad_norm_ and AdamW(fused=True) on the same tensors."""
import os
import sys

import torch

from peer_io import grad_norm, read_config, read_tensors, serve

folder = sys.argv[1]
config = read_config(folder)
torch.set_num_threads(config["threads"])
values = read_tensors(os.path.join(folder, "tensors.safetensors"))
parameters = [torch.nn.Parameter(values[f"tensor.{i}"]) for i in range(config["tensors"])]
for i, parameter in enumerate(parameters):
    parameter.grad = values[f"gradient.{i}"].clone()
optimizer = torch.optim.AdamW(parameters, lr=1e-4, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01, fused=True)


def step():
    torch.nn.utils.clip_grad_norm_(parameters, 1.0, foreach=True)
    optimizer.step()


def check():
    norm = grad_norm(parameters)
    step()
    return {"grad_norm": norm, "sum": float(sum(p.detach().abs().double().sum() for p in parameters))}


serve(check, step)
