# SPDX-License-Identifier: Apache-2.0
"""The fine-tunings of docs/fine_tuning_study.md in Hugging Face transformers: the same encoder, data, batch, epochs,
rate, warm-up, decay, clipping and dropout, one run a seed, on the CPU. Prints a line of JSON for every seed and one
with mean, deviation and standard error of each score."""
import argparse
import csv
import json
import math
import os
import random
import statistics
import sys
import time
import types

os.environ.setdefault("GOMP_SPINCOUNT", "1000")  # before torch: as the engine has it, docs/benchmarks.md §1

import torch
import transformers
from transformers.data.metrics import squad_metrics
from transformers.data.processors import squad as squad_data

transformers.logging.set_verbosity_error()
COLUMNS = {"cola": (False, 3, None, 1), "rte": (True, 1, 2, -1)}  # heading, first text, second text, label
RTE_LABELS = {"entailment": 0, "not_entailment": 1}


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", choices=("cola", "rte", "squad", "reclor"), required=True)
    parser.add_argument("--model", required=True, help="folder of the encoder, with its vocabulary")
    parser.add_argument("--train", required=True)
    parser.add_argument("--validation", required=True)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--length", type=int, default=128)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--updates", type=int, default=0, help="end after so many, without a score (for timing)")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    return parser.parse_args()


class Table:
    """Sentences or pairs with a class."""

    def __init__(self, args, tokenizer):
        self.args, self.tokenizer = args, tokenizer
        self.train, self.validation = self.read(args.train), self.read(args.validation)

    def read(self, path):
        heading, first, second, label = COLUMNS[self.args.task]
        rows = list(csv.reader(open(path, encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE))
        rows = [row for row in rows[1 if heading else 0:] if row]
        texts = [(row[first],) if second is None else (row[first], row[second]) for row in rows]
        labels = [RTE_LABELS[row[label]] if self.args.task == "rte" else int(row[label]) for row in rows]
        return list(zip(texts, labels))

    def model(self):
        return transformers.AutoModelForSequenceClassification.from_pretrained(
            self.args.model, num_labels=2, attn_implementation="sdpa")

    def rows(self, examples):
        texts = list(zip(*(texts for texts, _ in examples)))
        return self.tokenizer(*(list(column) for column in texts), truncation="longest_first",
                              max_length=self.args.length, padding="longest", return_tensors="pt")

    def loss(self, model, examples):
        return model(**self.rows(examples), labels=torch.tensor([label for _, label in examples])).loss

    def score(self, model):
        pairs = []
        for start in range(0, len(self.validation), 32):
            part = self.validation[start:start + 32]
            pairs += zip(model(**self.rows(part)).logits.argmax(1).tolist(), (label for _, label in part))
        tp, tn = pairs.count((1, 1)), pairs.count((0, 0))
        fp, fn = pairs.count((1, 0)), pairs.count((0, 1))
        divisor = math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
        return {"accuracy": 100 * (tp + tn) / len(pairs),
                "matthews": 100 * (tp * tn - fp * fn) / divisor if divisor else 0.0}


class Choices:
    """ReClor's files: a context, a question, its answers."""

    def __init__(self, args, tokenizer):
        self.args, self.tokenizer = args, tokenizer
        self.train, self.validation = (json.load(open(path, encoding="utf-8")) for path in (args.train, args.validation))

    def model(self):
        return transformers.AutoModelForMultipleChoice.from_pretrained(self.args.model, attn_implementation="sdpa")

    def rows(self, questions):
        contexts, answers = [], []
        for q in questions:
            for answer in q["answers"]:
                contexts.append(q["context"])
                gap = "_" in q["question"]
                answers.append(q["question"].replace("_", answer) if gap else q["question"] + " " + answer)
        made = self.tokenizer(contexts, answers, truncation="longest_first", max_length=self.args.length,
                              padding="longest", return_tensors="pt")
        return {name: tensor.view(len(questions), -1, tensor.shape[1]) for name, tensor in made.items()}

    def loss(self, model, questions):
        return model(**self.rows(questions), labels=torch.tensor([q["label"] for q in questions])).loss

    def score(self, model):
        right = 0
        for start in range(0, len(self.validation), 8):
            part = self.validation[start:start + 8]
            chosen = model(**self.rows(part)).logits.argmax(1).tolist()
            right += sum(c == q["label"] for c, q in zip(chosen, part))
        return {"accuracy": 100 * right / len(self.validation)}


class Spans:
    """SQuAD 1.1, windows and decoding as transformers makes them."""

    def __init__(self, args, _):
        self.args = args
        self.slow = transformers.BertTokenizer.from_pretrained(args.model)
        processor = squad_data.SquadV1Processor()
        self.examples = processor.get_dev_examples("", filename=args.validation)
        # get_train_examples gives answers by place; both read the same layout.
        self.train = self.windows(processor.get_train_examples("", filename=args.train), True)
        self.validation = self.windows(self.examples, False)

    def windows(self, examples, training):
        return squad_data.squad_convert_examples_to_features(
            examples, self.slow, max_seq_length=self.args.length, doc_stride=128, max_query_length=64,
            is_training=training, threads=1, tqdm_enabled=False)

    def model(self):
        return transformers.AutoModelForQuestionAnswering.from_pretrained(self.args.model, attn_implementation="sdpa")

    @staticmethod
    def rows(windows):
        longest = max(sum(w.attention_mask) for w in windows)
        names = {"input_ids": "input_ids", "attention_mask": "attention_mask", "token_type_ids": "token_type_ids"}
        return {name: torch.tensor([getattr(w, field)[:longest] for w in windows]) for name, field in names.items()}

    def loss(self, model, windows):
        return model(**self.rows(windows), start_positions=torch.tensor([w.start_position for w in windows]),
                     end_positions=torch.tensor([w.end_position for w in windows])).loss

    def score(self, model):
        results = []
        for start in range(0, len(self.validation), 16):
            part = self.validation[start:start + 16]
            out = model(**self.rows(part))
            for window, first, last in zip(part, out.start_logits.tolist(), out.end_logits.tolist()):
                results.append(types.SimpleNamespace(unique_id=window.unique_id, start_logits=first, end_logits=last))
        answers = squad_metrics.compute_predictions_logits(
            self.examples, self.validation, results, 20, 30, True, None, None, None, False, False, 0.0, self.slow)
        scores = squad_metrics.squad_evaluate(self.examples, answers)
        return {"exact": scores["exact"], "f1": scores["f1"]}


def optimizer_of(model, rate):
    plain = [p for name, p in model.named_parameters() if name.endswith("bias") or "LayerNorm" in name]
    maps = [p for name, p in model.named_parameters() if not (name.endswith("bias") or "LayerNorm" in name)]
    return torch.optim.AdamW([{"params": maps, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}], lr=rate,
                             betas=(0.9, 0.999), eps=1e-8, fused=True)


def fine_tune(task, args, seed):
    transformers.set_seed(seed)
    order = random.Random(seed)
    model = task.model()
    optimizer = optimizer_of(model, args.rate)
    per_epoch = math.ceil(len(task.train) / args.batch)
    planned = per_epoch * args.epochs
    schedule = transformers.get_linear_schedule_with_warmup(optimizer, round(0.1 * planned), planned)
    losses, began = [], time.monotonic()
    model.train()
    for _ in range(args.epochs):
        examples = list(task.train)
        order.shuffle(examples)
        for start in range(0, len(examples), args.batch):
            if args.updates and len(losses) == args.updates:
                break
            loss = task.loss(model, examples[start:start + args.batch])
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad(set_to_none=True)
            losses.append(float(loss.detach()))
    seconds = time.monotonic() - began
    model.eval()
    with torch.no_grad():
        scores = {} if args.updates else task.score(model)
    last = losses[-max(1, len(losses) // 10):]
    return {"task": args.task, "seed": seed, "updates": len(losses), "planned": planned, "seconds": round(seconds, 1),
            "seconds_an_update": seconds / len(losses), "last_loss": statistics.fmean(last), "scores": scores}


def main():
    args = options()
    torch.set_num_threads(args.threads)
    kinds = {"squad": Spans, "reclor": Choices}
    tokenizer = transformers.AutoTokenizer.from_pretrained(args.model)
    task = kinds.get(args.task, Table)(args, tokenizer)
    results = []
    for seed in args.seeds:
        results.append(fine_tune(task, args, seed))
        print(json.dumps(results[-1]), flush=True)
    for name in results[0]["scores"]:
        values = [result["scores"][name] for result in results]
        sd = statistics.stdev(values) if len(values) > 1 else float("nan")
        print(json.dumps({"score": name, "runs": len(values), "mean": statistics.fmean(values), "sd": sd,
                          "standard_error": sd / math.sqrt(len(values))}))


sys.exit(main())
