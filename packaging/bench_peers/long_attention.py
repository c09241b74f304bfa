# SPDX-License-Identifier: Apache-2.0
"""Peer of `fathom-bench long-attention`: the attention of transformers' Longformer with the same band and as many
global tokens in front of the text. Its numbers are its own (no relative positions), so only times and memory are told."""
import sys

import torch
from transformers import LongformerConfig
from transformers.models.longformer.modeling_longformer import LongformerSelfAttention

from peer_io import read_config, serve

config = read_config(sys.argv[1])
torch.set_num_threads(config["threads"])
torch.manual_seed(3)
window = 2 * config["radius"]
length = config["length"] + config["globals"]
padded = (length + window - 1) // window * window  # as the model pads: its blocks are whole
attention = LongformerSelfAttention(
    LongformerConfig(hidden_size=config["width"], num_attention_heads=config["heads"], attention_window=[window],
                     attention_probs_dropout_prob=0.0), 0)
x = torch.randn(1, padded, config["width"], requires_grad=True)
mask = torch.zeros(1, padded)
mask[:, :config["globals"]] = 10000.0
mask[:, length:] = -10000.0


def step():
    x.grad = None
    attention.zero_grad()
    out = attention(x, attention_mask=mask, is_index_masked=mask < 0, is_index_global_attn=mask > 0,
                    is_global_attn=True)[0]
    out[:, :length].sin().sum().backward()


def check():
    step()
    return {}


serve(check, step)
