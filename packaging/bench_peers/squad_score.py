# SPDX-License-Identifier: Apache-2.0
"""Peer of `fathom-bench squad-score`: squad_evaluate of transformers on the questions the engine wrote."""
import collections
import sys

from transformers.data.metrics.squad_metrics import squad_evaluate

from peer_io import read_config, serve

Example = collections.namedtuple("Example", ["qas_id", "answers"])
questions = read_config(sys.argv[1])["questions"]
examples = [Example(q["id"], [{"text": text} for text in q["gold"]]) for q in questions]
predictions = {q["id"]: q["prediction"] for q in questions}
odds = {q["id"]: q["no_answer"] for q in questions}


def step():
    return squad_evaluate(examples, predictions, odds)


serve(step, step)
