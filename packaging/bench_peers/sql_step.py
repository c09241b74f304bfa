# SPDX-License-Identifier: Apache-2.0
"""Peer of `fathom-bench sql-step`: one training step of SQL-SP on a frozen encoder's states, as it is usually written: rows are
padded to the longest, relations are embedded as [B, n, n, d_k] in every layer, the decoder goes step by step (sql_decoder.py), then
clipping and torch's Adam."""
import math
import os
import sys

import torch
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from peer_io import grad_norm, read_config, read_tensors, serve
from sql_decoder import StepDecoder, padded_beyond


class Peer:
    def __init__(self, folder):
        self.config = config = read_config(folder)
        torch.set_num_threads(config["threads"])
        self.p = {name: value.requires_grad_() for name, value in read_tensors(os.path.join(folder, "weights.safetensors")).items()}
        self.batch = batch = read_tensors(os.path.join(folder, "batch.safetensors"))
        self.decoder = StepDecoder(self.p, config)
        self.counts = {name: batch[name].tolist() for name in ("words", "columns", "tables")}
        self.actions = [[action for action in row if action >= 0] for row in batch["actions"].tolist()]
        self.plans = [self.decoder.plan(one) for one in self.actions]
        self.lengths = [sum(one) for one in zip(*self.counts.values())]
        self.longest = max(self.lengths)
        self.blocked = padded_beyond(self.lengths, self.longest)
        self.column_blocked = padded_beyond(self.counts["columns"], max(self.counts["columns"]))
        self.lstm = torch.nn.LSTM(batch["states"].shape[-1], self.p["item_lstm.forward.hidden.weight"].shape[1], bidirectional=True)
        for direction, suffix in (("forward", ""), ("backward", "_reverse")):
            for ours, theirs in (("input.weight", "weight_ih_l0"), ("hidden.weight", "weight_hh_l0"), ("input.bias", "bias_ih_l0"), ("hidden.bias", "bias_hh_l0")):
                name = f"item_lstm.{direction}.{ours}"
                setattr(self.lstm, theirs + suffix, torch.nn.Parameter(self.p[name].detach()))
                self.p[name] = getattr(self.lstm, theirs + suffix)
        self.optimizer = torch.optim.Adam(self.p.values(), lr=config["rate"])
        self.dropout = 0.0

    def drop(self, x):
        return F.dropout(x, self.dropout, training=self.dropout > 0)

    def items(self, b, first, count):
        """Vectors of an example's items: tables, extra table, columns."""
        spans = self.batch["item_spans"][first:first + count].tolist()
        rows = [self.batch["states"][b, begin:end] for begin, end in spans]
        lengths = torch.tensor([len(row) for row in rows])
        padded = torch.nn.utils.rnn.pad_sequence(rows)
        outputs, _ = pad_packed_sequence(self.lstm(pack_padded_sequence(padded, lengths, enforce_sorted=False))[0])
        last = outputs[lengths - 1, torch.arange(len(rows))]
        return outputs.sum(0) / lengths[:, None] + last

    def inputs(self):
        rows, word, item = [], 0, 0
        for b in range(len(self.lengths)):
            words, columns, tables = (self.counts[name][b] for name in ("words", "columns", "tables"))
            spans = self.batch["word_spans"][word:word + words].tolist()
            question = torch.stack([self.batch["states"][b, begin:end].mean(0) for begin, end in spans])
            schema = self.items(b, item, tables + columns)
            schema = torch.cat([schema[tables:], schema[:tables]])
            rows.append(torch.cat([F.linear(self.drop(question), self.p["question_projection.weight"]),
                                   F.linear(self.drop(schema), self.p["schema_projection.weight"])]))
            word, item = word + words, item + tables + columns
        return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)

    def attention(self, at, x):
        b, n, d = x.shape
        p, heads = self.p, self.config["layer_heads"]
        size = d // heads
        q, k, v = (F.linear(x, p[f"{at}.{part}.weight"]).view(b, n, heads, size).transpose(1, 2) for part in ("query", "key", "value"))
        relation_keys = F.embedding(self.batch["relations"], p[at + ".relation_key.weight"])
        relation_values = F.embedding(self.batch["relations"], p[at + ".relation_value.weight"])
        scores = torch.matmul(q, k.transpose(-2, -1))
        scores = scores + torch.matmul(q.transpose(1, 2), relation_keys.transpose(-2, -1)).transpose(1, 2)
        scores = scores / math.sqrt(size)
        if self.blocked is not None:
            scores = scores.masked_fill(self.blocked[:, None, None, :], -1e9)
        weights = F.softmax(scores, -1)
        z = torch.matmul(weights, v) + torch.matmul(weights.transpose(1, 2), relation_values).transpose(1, 2)
        return F.linear(z.transpose(1, 2).reshape(b, n, d), p[at + ".output.weight"], p[at + ".output.bias"])

    def loss(self):
        p, x = self.p, self.inputs()
        for layer in range(self.config["layers"]):
            at = f"extra.layers.{layer}."
            x = x + self.attention(at + "self_attention", x)
            hidden = F.relu(F.linear(x, p[at + "feed_forward.input.weight"], p[at + "feed_forward.input.bias"]))
            x = x + F.linear(hidden, p[at + "feed_forward.output.weight"], p[at + "feed_forward.output.bias"])
        columns, first = [], 0
        for b in range(len(self.lengths)):
            words, count = self.counts["words"][b], self.counts["columns"][b]
            tables = self.batch["column_tables"][first:first + count]
            columns.append(x[b, words:words + count] + x[b, words + count + tables])
            first += count
        columns = torch.nn.utils.rnn.pad_sequence(columns, batch_first=True)
        self.decoder.dropout = self.dropout
        return self.decoder.loss(x, self.blocked, columns, self.counts["columns"], self.column_blocked, self.actions, self.plans)

    def backward(self):
        self.optimizer.zero_grad()
        loss = self.loss()
        loss.backward()
        return float(loss.detach())

    def check(self):
        self.dropout = 0.0
        loss = self.backward()
        self.dropout = self.config["dropout"]
        return {"loss": loss, "grad_norm": grad_norm(self.p.values())}

    def step(self):
        self.backward()
        torch.nn.utils.clip_grad_norm_(self.p.values(), 5.0)
        self.optimizer.step()


def main():
    peer = Peer(sys.argv[1])
    serve(peer.check, peer.step)


if __name__ == "__main__":
    main()
