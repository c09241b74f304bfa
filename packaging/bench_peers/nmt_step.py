# SPDX-License-Identifier: Apache-2.0
"""Peer of `fathom-bench nmt-step`: the same Post-LN Transformer in Python with torch, written the way fairseq's layers are
(time-first tensors, joined in-projection, bmm attention, per-tensor RAdam). Reads weights and one batch from a folder; answers
"check" with loss and gradient norm without dropout, "run N" with the seconds of N steps. One JSON object a line."""
import math
import os
import sys

import torch
import torch.nn.functional as F

from peer_io import read_config, read_tensors, serve

PAD = 1


def positions(width, rows):
    half = width // 2
    step = math.log(10000.0) / (half - 1)
    angles = torch.arange(rows, dtype=torch.float64)[:, None] * torch.exp(torch.arange(half, dtype=torch.float64) * -step)[None]
    table = torch.cat([angles.sin(), angles.cos()], 1)
    table[PAD] = 0
    return table.float()


class Peer:
    def __init__(self, folder):
        self.config = read_config(folder)
        torch.set_num_threads(self.config["threads"])
        weights = read_tensors(os.path.join(folder, "weights.safetensors"))
        batch = os.path.join(folder, "batch.safetensors")
        self.batch = read_tensors(batch) if os.path.exists(batch) else None
        self.p = {}
        for name, value in weights.items():  # one in-projection for each attention, as fairseq keeps it
            stem, _, last = name.rpartition(".")
            if stem.endswith((".query", ".key", ".value")):
                if stem.endswith(".query"):
                    base = stem[: -len("query")]
                    value = torch.cat([weights[f"{base}{part}.{last}"] for part in ("query", "key", "value")])
                    self.p[f"{base}in.{last}"] = value.clone().requires_grad_()
            else:
                self.p[name] = value.clone().requires_grad_()
        self.width = self.p["embedding.token.weight"].shape[1]
        self.table = positions(self.width, 1026)
        self.moments = {name: (torch.zeros_like(v), torch.zeros_like(v)) for name, v in self.p.items()}
        self.updates = 0
        self.dropout = 0.0

    def drop(self, x):
        return F.dropout(x, self.dropout, training=True)

    def embed(self, tokens):
        real = tokens.ne(PAD).long()
        places = torch.cumsum(real, 1) * real + PAD
        x = math.sqrt(self.width) * F.embedding(tokens, self.p["embedding.token.weight"], PAD) + self.table[places]
        return self.drop(x).transpose(0, 1)

    def attention(self, prefix, query, memory, padding, causal):
        heads = self.config["heads"]
        size = self.width // heads
        weight, bias = self.p[prefix + ".in.weight"], self.p[prefix + ".in.bias"]
        t, b, d = query.shape
        if memory is query:
            q, k, v = F.linear(query, weight, bias).chunk(3, -1)
        else:
            q = F.linear(query, weight[:d], bias[:d])
            k, v = F.linear(memory, weight[d:], bias[d:]).chunk(2, -1)
        q = (q * size**-0.5).contiguous().view(t, b * heads, size).transpose(0, 1)
        k = k.contiguous().view(-1, b * heads, size).transpose(0, 1)
        v = v.contiguous().view(-1, b * heads, size).transpose(0, 1)
        scores = torch.bmm(q, k.transpose(1, 2))
        if causal:
            scores = scores + torch.triu(torch.full((t, t), float("-inf")), 1)[None]
        if padding is not None:
            scores = scores.view(b, heads, t, -1).masked_fill(padding[:, None, None, :], float("-inf")).view(b * heads, t, -1)
        probabilities = self.drop(F.softmax(scores, -1, dtype=torch.float32))
        x = torch.bmm(probabilities, v).transpose(0, 1).contiguous().view(t, b, d)
        return F.linear(x, self.p[prefix + ".output.weight"], self.p[prefix + ".output.bias"])

    def norm(self, prefix, x):
        return F.layer_norm(x, (self.width,), self.p[prefix + ".layer_norm.weight"], self.p[prefix + ".layer_norm.bias"])

    def feed_forward(self, prefix, x):
        hidden = F.relu(F.linear(x, self.p[prefix + ".input.weight"], self.p[prefix + ".input.bias"]))
        return F.linear(self.drop(hidden), self.p[prefix + ".output.weight"], self.p[prefix + ".output.bias"])

    def loss(self):
        source, target = self.batch["source"], self.batch["target"]
        padding = source.eq(PAD)
        x = self.embed(source)
        for layer in range(self.config["layers"]):
            at = f"encoder.layers.{layer}."
            x = self.norm(at + "self_attention", x + self.drop(self.attention(at + "self_attention", x, x, padding, False)))
            x = self.norm(at + "feed_forward", x + self.drop(self.feed_forward(at + "feed_forward", x)))
        memory, x = x, self.embed(self.batch["decoder_input"])
        for layer in range(self.config["layers"]):
            at = f"decoder.layers.{layer}."
            x = self.norm(at + "self_attention", x + self.drop(self.attention(at + "self_attention", x, x, None, True)))
            x = self.norm(at + "cross_attention", x + self.drop(self.attention(at + "cross_attention", x, memory, padding, False)))
            x = self.norm(at + "feed_forward", x + self.drop(self.feed_forward(at + "feed_forward", x)))
        logits = F.linear(x.transpose(0, 1), self.p["embedding.token.weight"])
        lprobs = F.log_softmax(logits, -1, dtype=torch.float32).view(-1, logits.shape[-1])
        flat = target.reshape(-1, 1)
        real = flat.ne(PAD)
        nll = -lprobs.gather(-1, flat)[real].sum()
        smooth = -lprobs.sum(-1, keepdim=True)[real].sum()
        return 0.9 * nll + 0.1 / lprobs.shape[-1] * smooth, int(real.sum())

    def backward(self):
        for value in self.p.values():
            value.grad = None
        loss, tokens = self.loss()
        loss.backward()
        for value in self.p.values():
            value.grad.mul_(1.0 / tokens)
        norm = math.sqrt(sum(float(value.grad.norm()) ** 2 for value in self.p.values()))
        return float(loss.detach()) / tokens, norm

    @torch.no_grad()
    def radam(self):
        self.updates += 1
        t, b1, b2 = self.updates, 0.9, 0.98
        longest = 2 / (1 - b2) - 1
        rho = longest - 2 * t * b2**t / (1 - b2**t)
        for name, value in self.p.items():
            m, v = self.moments[name]
            v.mul_(b2).addcmul_(value.grad, value.grad, value=1 - b2)
            m.mul_(b1).add_(value.grad, alpha=1 - b1)
            if rho >= 5:
                rectifier = math.sqrt((1 - b2**t) * (rho - 4) / (longest - 4) * (rho - 2) / rho * longest / (longest - 2))
                value.addcdiv_(m, v.sqrt().add_(1e-8), value=-self.config["rate"] * rectifier / (1 - b1**t))


def main():
    peer = Peer(sys.argv[1])

    def check():
        peer.dropout = 0.0
        loss, norm = peer.backward()
        peer.dropout = peer.config["dropout"]
        return {"loss": loss, "grad_norm": norm}

    def step():
        peer.backward()
        peer.radam()

    serve(check, step)


if __name__ == "__main__":
    main()
