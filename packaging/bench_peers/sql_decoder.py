# SPDX-License-Identifier: Apache-2.0
"""Peer of `fathom-bench sql-decoder` and `bench grammar-beam`: DT-Fixup's grammar decoder step by step. With a folder of
DT-Fixup's code (config "reference") that code itself (released_decoder.py); else the same here, written as it works: keys, values and
pointers are projected anew at every step, the probability of every action is a tensor of its own, a search has one example."""
import os
import sys

import torch
import torch.nn.functional as F

from peer_io import grad_norm, read_config, read_tensors, serve

REDUCE, SELECT = 45, 1000
ONE, OPTIONAL, MANY = 0, 1, 2
COLUMN_TYPE = 1


class Derivation:
    """Where a partial tree goes on: actions so far, and the open nodes as [production, field, step]."""

    def __init__(self, grammar):
        self.grammar, self.frames, self.actions, self.score, self.complete = grammar, [], [], 0.0, False

    def copy(self):
        other = Derivation(self.grammar)
        other.frames = [list(frame) for frame in self.frames]
        other.actions, other.score = list(self.actions), self.score
        return other

    def field(self):
        if not self.frames:
            return self.grammar["root"], ONE
        production, field, _ = self.frames[-1]
        return self.grammar["productions"][production]["fields"][field]

    def parent(self):
        return (self.frames[-1][0], self.frames[-1][2]) if self.frames else (None, 0)

    def valid(self, columns):
        kind, cardinality = self.field()
        if kind == COLUMN_TYPE:
            return [SELECT + column for column in range(columns)]
        rules = [i for i, production in enumerate(self.grammar["productions"]) if production["type"] == kind]
        return rules + ([REDUCE] if cardinality != ONE else [])

    def apply(self, action):
        step, many = len(self.actions), bool(self.frames) and self.field()[1] == MANY
        if self.frames and (action == REDUCE or not many):
            self.frames[-1][1] += 1
        if action < REDUCE:
            self.frames.append([action, 0, step])
        while self.frames and self.frames[-1][1] == len(self.grammar["productions"][self.frames[-1][0]]["fields"]):
            self.frames.pop()
        self.complete = not self.frames
        self.actions.append(action)


class StepDecoder:
    def __init__(self, p, config):
        self.p, self.heads, self.smoothing, self.dropout = p, config["heads"], config.get("smoothing", 0.0), 0.0
        self.grammar = config["grammar"]

    def zeros(self, *shape):
        return torch.zeros(shape, dtype=self.p["decoder.gate.weight"].dtype)

    def step(self, x, state, memory, blocked):
        p, at = self.p, "decoder.attention."
        h, c = torch.lstm_cell(x, state, p["decoder.cell.input.weight"], p["decoder.cell.hidden.weight"],
                               p["decoder.cell.input.bias"], p["decoder.cell.hidden.bias"])
        b, n, d = memory.shape
        q, k, v = (F.linear(of, p[at + name + ".weight"]).view(b, -1, self.heads, d // self.heads)
                   for name, of in (("query", h.unsqueeze(1)), ("key", memory), ("value", memory)))
        scores = torch.einsum("bqhs,bkhs->bqkh", q, k)
        if blocked is not None:
            scores = scores.masked_fill(blocked[:, None, :, None], -1e9)
        context = torch.einsum("bqkh,bkhs->bqhs", F.softmax(scores, 2), v).reshape(b, d)
        context = F.linear(context, p[at + "output.weight"], p[at + "output.bias"])
        vector = torch.tanh(F.linear(torch.cat([h, context], 1), p["decoder.attention_vector.weight"]))
        return (h, c), F.dropout(vector, self.dropout, training=self.dropout > 0)

    def rules(self, vector):
        p = self.p
        inner = torch.tanh(F.linear(vector, p["decoder.readout.input.weight"], p["decoder.readout.input.bias"]))
        inner = F.linear(inner, p["decoder.readout.output.weight"], p["decoder.readout.output.bias"])
        return F.log_softmax(F.linear(inner, p["decoder.production_embedding.weight"], p["decoder.production_embedding.bias"]), -1)

    def columns(self, vector, columns, chosen, blocked):
        """vector [rows, v]; columns [rows or 1, C, d]; chosen [rows, C], 1 where a column was selected before."""
        keys = F.linear(columns, self.p["decoder.column_pointer.weight"])
        raw = torch.matmul(keys, vector.unsqueeze(2)).squeeze(2)
        gate = torch.sigmoid(F.linear(vector, self.p["decoder.gate.weight"]))
        logits = raw * chosen * gate + raw * (1 - chosen) * (1 - gate)
        if blocked is not None:
            logits = logits.masked_fill(blocked, -float("inf"))
        return F.log_softmax(logits, -1)

    def action_row(self, action, columns):
        if action >= SELECT:
            return F.linear(columns[action - SELECT], self.p["decoder.column_input.weight"])
        return self.p["decoder.production_embedding.weight"][action]

    def cell_input(self, actions, vector, productions, kinds, parents):
        return torch.cat([torch.stack(actions), vector, F.embedding(torch.tensor(productions), self.p["decoder.production_embedding.weight"]),
                          F.embedding(torch.tensor(kinds), self.p["decoder.type_embedding.weight"]), torch.stack(parents)], 1)

    def first_input(self, rows):
        return self.zeros(rows, self.p["decoder.cell.input.weight"].shape[1])

    def empty_state(self, rows):
        width = self.p["decoder.cell.hidden.weight"].shape[1]
        return self.zeros(rows, width), self.zeros(rows, width)

    def plan(self, actions):
        """Of every step: production of the parent, open type, step of the parent."""
        plan, derivation = [], Derivation(self.grammar)
        for action in actions:
            production, step = derivation.parent()
            plan.append((production if production is not None else 0, derivation.field()[0], step))
            derivation.apply(action)
        return plan

    def loss(self, memory, blocked, columns, counts, column_blocked, actions, plans):
        """Mean over the examples of the summed, smoothed -log p."""
        rows = len(actions)
        chosen = self.zeros(*columns.shape[:2])
        state, vector, history = self.empty_state(rows), None, []
        sums = [[] for _ in actions]
        nothing = self.zeros(self.p["decoder.production_embedding.weight"].shape[1])
        for t in range(max(len(one) for one in actions)):
            if t == 0:
                x = self.first_input(rows)
            else:
                live = [t < len(one) for one in actions]
                before = [self.action_row(one[t - 1], columns[e]) if live[e] else nothing for e, one in enumerate(actions)]
                at = [plans[e][t] if live[e] else (0, 0, 0) for e in range(rows)]
                parents = [history[step][e] for e, (_, _, step) in enumerate(at)]
                x = self.cell_input(before, vector, [one[0] for one in at], [one[1] for one in at], parents)
            state, vector = self.step(x, state, memory, blocked)
            history.append(state[0])
            rules, pointed = self.rules(vector), self.columns(vector, columns, chosen.clone(), column_blocked)
            for e, one in enumerate(actions):
                if t >= len(one):
                    continue
                if one[t] < SELECT:
                    sums[e].append(rules[e, one[t]])
                    continue
                log_p = pointed[e, one[t] - SELECT]
                if self.smoothing > 0:
                    log_p = (1 - self.smoothing) * log_p + pointed[e, :counts[e]].sum() * self.smoothing / counts[e]
                sums[e].append(log_p)
                chosen[e, one[t] - SELECT] = 1
        return -torch.stack([torch.stack(one).sum() for one in sums]).mean()

    def search(self, memory, columns, beam, max_steps, column_weight):
        """Completed derivations of one example, best first: memory [1, n, d], columns [1, C, d]."""
        hypotheses, histories, completed = [Derivation(self.grammar)], [[]], []
        state, vector, count = self.empty_state(1), None, columns.shape[1]
        for t in range(max_steps):
            if len(completed) >= beam:
                break
            rows = len(hypotheses)
            chosen = self.zeros(rows, count)
            for e, hypothesis in enumerate(hypotheses):
                for action in hypothesis.actions:
                    if action >= SELECT:
                        chosen[e, action - SELECT] = 1
            if t == 0:
                x = self.first_input(1)
            else:
                parents = [hypothesis.parent() for hypothesis in hypotheses]
                x = self.cell_input([self.action_row(one.actions[-1], columns[0]) for one in hypotheses], vector, [one[0] for one in parents],
                                    [one.field()[0] for one in hypotheses], [histories[e][step] for e, (_, step) in enumerate(parents)])
            state, vector = self.step(x, state, memory.expand(rows, -1, -1), None)
            rules, pointed = self.rules(vector), self.columns(vector, columns, chosen, None)
            candidates = []
            for e, hypothesis in enumerate(hypotheses):
                for action in hypothesis.valid(count):
                    column = action >= SELECT
                    gain = column_weight * pointed[e, action - SELECT] if column else rules[e, action]
                    candidates.append((hypothesis.score + gain, e, action))
            if not candidates:
                break
            scores = torch.cat([one[0].reshape(1) for one in candidates])
            best, places = torch.topk(scores, min(len(candidates), beam - len(completed)))
            following, kept = [], []
            for score, place in zip(best, places):
                _, e, action = candidates[int(place)]
                grown = hypotheses[e].copy()
                grown.apply(action)
                grown.score = score
                if grown.complete:
                    completed.append(grown)
                else:
                    following.append(grown)
                    kept.append(e)
            if not kept:
                break
            histories = [histories[e] + [state[0][e]] for e in kept]
            state, vector, hypotheses = (state[0][kept], state[1][kept]), vector[kept], following
        completed.sort(key=lambda one: -one.score)
        return [(one.actions, float(one.score)) for one in completed]


def padded_beyond(counts, longest):
    blocked = torch.arange(longest)[None] >= torch.tensor(counts)[:, None]
    return blocked if bool(blocked.any()) else None


def digest(found):
    """Number of hypotheses, a number that knows every action and the order, and the sum of the scores."""
    count, mixed, score = 0, 0, 0.0
    for hypotheses in found:
        for actions, one in hypotheses:
            for action in list(actions) + [-1]:
                mixed = (mixed * 31 + action + 2) % 1000000007
            count, score = count + 1, score + one
    return {"hypotheses": count, "actions": mixed, "score": score}


class LossWork:
    def __init__(self, folder, config, decoder_of):
        weights = {name: value.requires_grad_() for name, value in read_tensors(os.path.join(folder, "weights.safetensors")).items()}
        batch = read_tensors(os.path.join(folder, "batch.safetensors"))
        self.decoder = decoder_of(weights, config)
        self.weights = getattr(self.decoder, "weights", list(weights.values()))
        self.memory, self.columns = batch["memory"].requires_grad_(), batch["columns"].requires_grad_()
        self.lengths, self.counts = batch["lengths"].tolist(), batch["column_counts"].tolist()
        self.actions = [[action for action in row if action >= 0] for row in batch["actions"].tolist()]
        self.plans = [self.decoder.plan(one) for one in self.actions]
        self.blocked = padded_beyond(self.lengths, self.memory.shape[1])
        self.column_blocked = padded_beyond(self.counts, self.columns.shape[1])

    def step(self):
        for value in self.weights + [self.memory, self.columns]:
            value.grad = None
        loss = self.decoder.loss(self.memory, self.blocked, self.columns, self.counts, self.column_blocked, self.actions, self.plans)
        loss.backward()
        return float(loss.detach())

    def check(self):
        loss = self.step()
        return {"loss": loss, "grad_norm": grad_norm(self.weights), "memory_grad_norm": grad_norm([self.memory]),
                "column_grad_norm": grad_norm([self.columns])}


class BeamWork:
    """Examples stand one behind the other in "memory" and "columns"; the check is in float64, the timing in float32."""

    def __init__(self, folder, config, decoder_of):
        self.weights = read_tensors(os.path.join(folder, "weights.safetensors"))
        self.batch = read_tensors(os.path.join(folder, "batch.safetensors"))
        self.config, self.decoder_of = config, decoder_of
        self.decoder, self.examples = self.made(torch.float32)

    def made(self, kind):
        decoder = self.decoder_of({name: value.to(kind) for name, value in self.weights.items()}, self.config)
        parts = [self.batch[name].to(kind).split(self.batch[counts].tolist())
                 for name, counts in (("memory", "lengths"), ("columns", "column_counts"))]
        return decoder, [(memory.unsqueeze(0), columns.unsqueeze(0)) for memory, columns in zip(*parts)]

    @torch.no_grad()
    def run(self, decoder, examples):
        c = self.config
        return [decoder.search(memory, columns, c["beam"], c["max_steps"], c["column_weight"]) for memory, columns in examples]

    def check(self):
        return digest(self.run(*self.made(torch.float64)))

    def step(self):
        self.run(self.decoder, self.examples)


def main():
    folder = sys.argv[1]
    config = read_config(folder)
    torch.set_num_threads(config["threads"])
    decoder_of = StepDecoder
    if config["reference"]:
        from released_decoder import released
        decoder_of = released(config["reference"])
    work = {"loss": LossWork, "beam": BeamWork}[config["work"]](folder, config, decoder_of)
    serve(work.check, work.step)


if __name__ == "__main__":
    main()
