# SPDX-License-Identifier: Apache-2.0
"""Peer of `fathom-bench tokenize`: encode_batch of the tokenizers package on one thread."""
import os
import sys

os.environ["TOKENIZERS_PARALLELISM"] = "false"
from tokenizers import ByteLevelBPETokenizer, BertWordPieceTokenizer

from peer_io import read_config, serve

folder = sys.argv[1]
config = read_config(folder)
if config["merges"]:
    tokenizer = ByteLevelBPETokenizer(config["vocabulary"], config["merges"])
else:
    tokenizer = BertWordPieceTokenizer(config["vocabulary"], lowercase=config["lower_case"])
lines = open(os.path.join(folder, "text.txt"), encoding="utf-8", newline="\n").read().split("\n")[:-1]


def step():
    return tokenizer.encode_batch(lines, add_special_tokens=False)


def check():
    count, mixed = 0, 0
    for encoded in step():
        for i in encoded.ids:
            mixed = (mixed * 31 + i + 1) % 1000000007
            count += 1
    return {"ids": count, "digest": mixed}


serve(check, step)
