# SPDX-License-Identifier: Apache-2.0
"""Peer of `fathom-bench bert-step`: BertForMaskedLM of transformers with sdpa and fused AdamW, on the model folder the
engine exported."""
import os
import sys

import torch
import transformers

from peer_io import grad_norm, read_config, read_tensors, serve

transformers.logging.set_verbosity_error()
folder = sys.argv[1]
torch.set_num_threads(read_config(folder)["threads"])
model = transformers.BertForMaskedLM.from_pretrained(os.path.join(folder, "model"), attn_implementation="sdpa")
model.train()
batch = read_tensors(os.path.join(folder, "batch.safetensors"))
for module in model.modules():
    if isinstance(module, torch.nn.Dropout):
        module.p = 0.0
for layer in model.bert.encoder.layer:
    layer.attention.self.dropout_prob = 0.0
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, weight_decay=0.01, fused=True)


def forward_backward():
    optimizer.zero_grad(set_to_none=True)
    loss = model(input_ids=batch["tokens"], attention_mask=batch["mask"], labels=batch["labels"]).loss
    loss.backward()
    return float(loss.detach())


def step():
    forward_backward()
    optimizer.step()


serve(lambda: {"loss": forward_backward(), "grad_norm": grad_norm(model.parameters())}, step)
