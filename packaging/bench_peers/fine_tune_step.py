# SPDX-License-Identifier: Apache-2.0
"""Peer of `fathom-bench fine-tune-step`: an encoder of transformers with sdpa, a linear head as its
BertForSequenceClassification, BertForMultipleChoice and BertForQuestionAnswering have it, and fused AdamW, on the weights and batches
the engine wrote."""
import os
import sys

import torch
import transformers

from peer_io import read_config, read_tensors, serve

transformers.logging.set_verbosity_error()
folder = sys.argv[1]
config = read_config(folder)
torch.set_num_threads(config["threads"])
inputs = read_tensors(os.path.join(folder, "inputs.safetensors"))
# transformers passes the pooling layer on to BERT and RoBERTa alike.
encoder = transformers.AutoModel.from_pretrained(os.path.join(folder, "model"), attn_implementation="sdpa",
                                                 add_pooling_layer=config["pooled"])
encoder.train()
for module in encoder.modules():
    if isinstance(module, torch.nn.Dropout):
        module.p = 0.0
    # The padding's row of the token table learns as any other row does in the original code.
    if isinstance(module, torch.nn.Embedding):
        module.padding_idx = None
for layer in encoder.encoder.layer:
    layer.attention.self.dropout_prob = 0.0
head = torch.nn.Linear(inputs["head.weight"].shape[1], inputs["head.weight"].shape[0])
with torch.no_grad():
    head.weight.copy_(inputs["head.weight"])
    head.bias.copy_(inputs["head.bias"])
parameters = [*encoder.parameters(), *head.parameters()]
optimizer = torch.optim.AdamW(parameters, lr=config["rate"], betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01, fused=True)
names = ("tokens", "segments", "mask", "labels", "targets", "choices")
batches = [{name: inputs[f"{i}.{name}"] for name in names if f"{i}.{name}" in inputs} for i in range(config["batches"])]
entropy = torch.nn.functional.cross_entropy


def loss_of(batch):
    out = encoder(input_ids=batch["tokens"], attention_mask=batch["mask"], token_type_ids=batch["segments"])
    if config["kind"] == "span":
        logits = head(out.last_hidden_state)
        if config.get("real_positions"):  # transformers itself has padding in the softmax: squad.positions=all
            logits = logits.masked_fill(batch["mask"].unsqueeze(-1) == 0, float("-inf"))
        starts, ends = logits.unbind(-1)
        return (entropy(starts, batch["targets"][:, 0]) + entropy(ends, batch["targets"][:, 1])) / 2
    logits = head(out.pooler_output if config["pooled"] else out.last_hidden_state[:, 0])
    if config["kind"] == "choice":
        scores = torch.nn.utils.rnn.pad_sequence(torch.split(logits.squeeze(1), batch["choices"].tolist()), batch_first=True,
                                                 padding_value=float("-inf"))
        return entropy(scores, batch["labels"])
    if batch["labels"].is_floating_point():
        return torch.nn.functional.mse_loss(logits.squeeze(1), batch["labels"])
    return entropy(logits, batch["labels"])


count = 0


def step():
    global count
    batch = batches[count % len(batches)]
    count += 1
    optimizer.zero_grad(set_to_none=True)
    loss = loss_of(batch)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(parameters, config["clip"])
    optimizer.step()
    return float(loss.detach())


serve(lambda: {f"loss_{i + 1}": step() for i in range(len(batches))}, step)
