# SPDX-License-Identifier: Apache-2.0
"""Peer of `fathom-bench data-parallel`: one rank of torch's DistributedDataParallel over gloo, on the weights and batches the engine
wrote: the translation model of nmt_step.py, or BertForMaskedLM of transformers with sdpa; fused AdamW. Sums of losses are divided
by the units of all ranks, as fairseq does it. Arguments: folder, rank, ranks, address and port where they meet."""
import os
import sys

os.environ.setdefault("GOMP_SPINCOUNT", "1000")  # before torch: as the engine has it, docs/benchmarks.md §1

import torch
import torch.distributed as dist

from peer_io import read_config, read_tensors, serve

folder, address, port = sys.argv[1], sys.argv[4], sys.argv[5]
rank, ranks = int(sys.argv[2]), int(sys.argv[3])
config = read_config(folder)
torch.set_num_threads(config["threads"])


class Translation(torch.nn.Module):
    def __init__(self):
        super().__init__()
        import nmt_step
        self.peer = nmt_step.Peer(folder)
        self.peer.moments = None
        for name, value in self.peer.p.items():
            self.peer.p[name] = torch.nn.Parameter(value.detach())
            self.register_parameter(name.replace(".", "_"), self.peer.p[name])

    def forward(self, batch):
        self.peer.batch = batch
        return self.peer.loss()[0]

    @staticmethod
    def units(batch):
        return int(batch["target"].ne(1).sum())


class MaskedWords(torch.nn.Module):
    def __init__(self):
        super().__init__()
        import transformers
        transformers.logging.set_verbosity_error()
        self.model = transformers.BertForMaskedLM.from_pretrained(os.path.join(folder, "model"), attn_implementation="sdpa")
        self.model.train()
        for module in self.model.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.0
            if isinstance(module, torch.nn.Embedding):
                module.padding_idx = None
        for layer in self.model.bert.encoder.layer:
            layer.attention.self.dropout_prob = 0.0

    def forward(self, batch):
        out = self.model(input_ids=batch["tokens"], attention_mask=batch["mask"], token_type_ids=batch["segments"],
                         labels=batch["labels"])
        return out.loss * self.units(batch)

    @staticmethod
    def units(batch):
        return int(batch["labels"].ne(-100).sum())


dist.init_process_group("gloo", init_method=f"tcp://{address}:{port}", rank=rank, world_size=ranks)
inputs = read_tensors(os.path.join(folder, "inputs.safetensors"))
names = ("source", "decoder_input", "target", "tokens", "segments", "mask", "labels")
batches = [{name: inputs[f"{i * ranks + rank}.{name}"] for name in names if f"{i * ranks + rank}.{name}" in inputs}
           for i in range(config["updates"])]
module = Translation() if config["kind"] == "translation" else MaskedWords()
model = torch.nn.parallel.DistributedDataParallel(module, gradient_as_bucket_view=True)
parameters = list(model.parameters())
optimizer = torch.optim.AdamW(parameters, lr=config["rate"], betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01, fused=True)
count = 0


def step():
    global count
    batch = batches[count % len(batches)]
    count += 1
    optimizer.zero_grad(set_to_none=True)
    loss = model(batch)
    (loss * ranks).backward()  # it divides by them
    sums = torch.tensor([float(loss.detach()), module.units(batch)], dtype=torch.float64)
    dist.all_reduce(sums)
    torch._foreach_mul_([p.grad for p in parameters], 1.0 / float(sums[1]))
    torch.nn.utils.clip_grad_norm_(parameters, config["clip"])
    optimizer.step()
    return float(sums[0] / sums[1])


serve(lambda: {"losses": [step() for _ in range(config["compared"])]}, step)
