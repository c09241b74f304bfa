# SPDX-License-Identifier: Apache-2.0
"""DT-Fixup's own decoder behind the interface of sql_decoder.StepDecoder. Its code is read from the folder that the user names (a checkout
of BorealisAI/DT-Fixup, or its folder `spider`); nothing of it is here."""
import os
import sys
from types import SimpleNamespace

import torch

REDUCE, SELECT = 45, 1000
ASDL = "semparser/modules/semantic_parser/asdl/spider/spider_asdl.txt"


def released(folder):
    root = next((path for path in (os.path.join(folder, "spider"), folder) if os.path.isfile(os.path.join(path, ASDL))), None)
    if root is None:
        raise SystemExit(f"{folder} holds no {ASDL}: name a checkout of DT-Fixup")
    sys.path.insert(0, root)
    from semparser.model.rnn_decoders import ParentFeedingLSTMDecoder
    from semparser.modules.semantic_parser.asdl.action_info import ActionInfo
    from semparser.modules.semantic_parser.asdl.asdl import ASDLGrammar
    from semparser.modules.semantic_parser.asdl.spider.spider_transition_system import SpiderSelectColumnAction, SpiderTransitionSystem
    from semparser.modules.semantic_parser.asdl.transition_system import ApplyRuleAction, ReduceAction

    from_numpy = torch.from_numpy
    # A copy, as it is on a GPU: on the processor later steps would change what an earlier one keeps for its gradient.
    torch.from_numpy = lambda array: from_numpy(array).clone()
    system = SpiderTransitionSystem(ASDLGrammar.from_path(os.path.join(root, ASDL)))
    grammar = system.grammar

    class Batch:
        """What the decoder asks of a training batch."""

        def __init__(self, infos, plans, column_mask, columns):
            self.examples = [SimpleNamespace(tgt_actions=one) for one in infos]
            self.column_mask, self.max_col_num = column_mask, columns
            self.max_action_num = max(len(one) for one in infos)
            self.plans = plans

        def column(self, t, place):
            return torch.tensor([plan[t][place] if t < len(plan) else 0 for plan in self.plans])

        def get_frontier_prod_idx(self, t):
            return self.column(t, 0)

        def get_frontier_type_idx(self, t):
            return self.column(t, 1)

    class Released:
        def __init__(self, weights, config):
            names = [production["name"] for production in config["grammar"]["productions"]]
            theirs = [grammar.id2prod[i].constructor.name for i in range(len(grammar))]
            if names != theirs or config["heads"] != 8:
                raise SystemExit("the released decoder has another grammar or other heads")
            self.config = config
            p = {name.removeprefix("decoder."): value for name, value in weights.items()}
            kind = p["gate.weight"].dtype
            torch.float = kind  # the code names its floats
            memory = p["attention.output.weight"].shape[0]
            self.module = ParentFeedingLSTMDecoder(
                enc_dim=memory, act_dim=p["production_embedding.weight"].shape[1], col_dim=memory, type_dim=p["type_embedding.weight"].shape[1],
                rnn_dim=p["cell.hidden.weight"].shape[1], attn_dim=p["attention_vector.weight"].shape[0], col_sel_weight=config.get("column_weight", 3),
                transition_system=system, beam_size=config.get("beam", 5), max_decode_step=config.get("max_steps", 100),
                label_smoothing=config.get("smoothing", 0.0), att_dropout=0.0, input_dropout=0.0).to(kind)
            m = self.module
            m.production_embed.weight = m.linear.weight = torch.nn.Parameter(p["production_embedding.weight"].detach())
            places = {"production_embedding.bias": (m.linear, "bias"), "type_embedding.weight": (m.type_embed, "weight"),
                      "cell.input.weight": (m.decoder_lstm, "weight_ih"), "cell.hidden.weight": (m.decoder_lstm, "weight_hh"),
                      "cell.input.bias": (m.decoder_lstm, "bias_ih"), "cell.hidden.bias": (m.decoder_lstm, "bias_hh"),
                      "attention.query.weight": (m.att_over_enc.to_q, "weight"), "attention.key.weight": (m.att_over_enc.to_k, "weight"),
                      "attention.value.weight": (m.att_over_enc.to_v, "weight"), "attention.output.weight": (m.att_over_enc.unifyheads, "weight"),
                      "attention.output.bias": (m.att_over_enc.unifyheads, "bias"), "attention_vector.weight": (m.att_vec_linear, "weight"),
                      "readout.input.weight": (m.query_vec_to_action_embed[0], "weight"), "readout.input.bias": (m.query_vec_to_action_embed[0], "bias"),
                      "readout.output.weight": (m.query_vec_to_action_embed[2], "weight"), "readout.output.bias": (m.query_vec_to_action_embed[2], "bias"),
                      "column_pointer.weight": (m.column_pointer_net.src_encoding_linear, "weight"),
                      "column_input.weight": (m.column_rnn_input, "weight"), "gate.weight": (m.column_mem, "weight")}
            for name, (module, attribute) in places.items():
                setattr(module, attribute, torch.nn.Parameter(p[name].detach()))
            self.weights = list(m.parameters())  # the tied table once

        def action(self, action):
            if action >= SELECT:
                return SpiderSelectColumnAction(action - SELECT)
            return ReduceAction() if action == REDUCE else ApplyRuleAction(grammar.id2prod[action])

        def number(self, action):
            if isinstance(action, SpiderSelectColumnAction):
                return SELECT + action.column_id
            return REDUCE if isinstance(action, ReduceAction) else grammar.prod2id[action.production]

        def plan(self, actions):
            from sql_decoder import Derivation
            plan, derivation = [], Derivation(self.config["grammar"])
            for action in actions:
                production, step = derivation.parent()
                plan.append((production if production is not None else 0, derivation.field()[0], step))
                derivation.apply(action)
            return plan

        def loss(self, memory, blocked, columns, counts, column_blocked, actions, plans):
            if not hasattr(self, "batch"):
                infos = []
                for one, plan in zip(actions, plans):
                    infos.append([])
                    for action, (_, _, step) in zip(one, plan):
                        info = ActionInfo(self.action(action))
                        info.parent_t = step
                        infos[-1].append(info)
                mask = column_blocked if column_blocked is not None else torch.zeros(columns.shape[:2], dtype=torch.bool)
                self.batch = Batch(infos, plans, mask, columns.shape[1])
                lengths = [memory.shape[1]] * len(actions) if blocked is None else (~blocked).sum(1).tolist()
                self.lengths = lengths
            self.module.train()
            return self.module(self.batch, memory, columns, self.lengths, counts)

        def search(self, memory, columns, beam, max_steps, column_weight):
            count = columns.shape[1]
            schema = SimpleNamespace(_table={"exp_column_names": [(0, str(i)) for i in range(count)]})
            example = SimpleNamespace(schema=schema, origin_col_names=list(range(count)))
            torch.float = memory.dtype
            self.module.eval()
            found = self.module.decode_single_example(example, memory, columns)
            return [([self.number(action) for action in one.actions], float(one.score)) for one in found]

    return Released
