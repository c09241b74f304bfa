# SPDX-License-Identifier: Apache-2.0
"""Peers of `fathom-bench foreign`. One process does one thing and prints one JSON object; {"missing": why} where a
package is not there.
    accumulate FOLDER   TensorBoard's EventAccumulator over every run: {"points", "sum", "seconds"}
    serve FOLDER        TensorBoard's data server (its fast loader) until all runs are read: the same
    log FOLDER          one writer logs five scalars a step: {"median_us", "p999_us"} of the calls; the writer "floor" logs
                        nothing and computes for --microseconds: what such a call takes of whoever writes
    train FOLDER        a small training without and with fathom.py: {"plain", "logged"} seconds
    capture FOLDER      a look into a model of transformers (6 layers, width 384, 12 heads, one thread) on --tokens tokens,
                        in one --way: a plain forward pass, eager attention with its maps, fathom.capture of all rows or of
                        an eighth of them, or the floor: a plain pass, and of each layer nothing but the rows (the product,
                        its softmax, its largest) and two sums of p log p for entropy and divergence:
                        {"seconds" a batch, "bytes" above a plain pass, "entropy" mean of each head}"""
import argparse
import json
import os
import sys
import time


def runs_of(folder):
    return sorted(name for name in os.listdir(folder) if os.path.isdir(os.path.join(folder, name)))


def accumulate(arguments):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    points, total = 0, 0.0
    start = time.perf_counter()
    for run in runs_of(arguments.folder):
        read = EventAccumulator(os.path.join(arguments.folder, run), size_guidance={"scalars": 0, "tensors": 0})
        read.Reload()
        for tag in read.Tags()["scalars"]:
            values = read.Scalars(tag)
            points += len(values)
            total += sum(value.value for value in values)
        for tag in read.Tags()["tensors"]:
            from tensorboard.util import tensor_util
            values = read.Tensors(tag)
            points += len(values)
            total += sum(float(tensor_util.make_ndarray(value.tensor_proto)) for value in values)
    return {"points": points, "sum": total, "seconds": time.perf_counter() - start}


def serve(arguments):
    """All points are kept (samples_per_plugin), so that the numbers can be compared; they are fetched behind the clock."""
    from tensorboard import context
    from tensorboard.data import provider, server_ingester
    from tensorboard.util import grpc_util
    binary = server_ingester.get_server_binary()
    start = time.perf_counter()
    ingester = server_ingester.SubprocessServerDataIngester(
        server_binary=binary, logdir=arguments.folder, reload_interval=3600,
        channel_creds_type=grpc_util.ChannelCredsType.LOCAL, samples_per_plugin={"scalars": 0})
    ingester.start()
    data = ingester.data_provider
    where = context.RequestContext()
    wanted = len(runs_of(arguments.folder))
    last, still = None, 0
    # It reads on in the background: all is there when nothing has come for half a second.
    seconds = 0.0
    while still < 25:
        found = data.list_scalars(where, experiment_id="", plugin_name="scalars")
        state = (len(found), sum(series.max_step for run in found.values() for series in run.values()))
        if state != last or state[0] < wanted:
            last, still, seconds = state, 0, time.perf_counter() - start
        else:
            still += 1
        time.sleep(0.02)
    points, total = 0, 0.0
    series = data.read_scalars(where, experiment_id="", plugin_name="scalars", downsample=10 ** 9,
                               run_tag_filter=provider.RunTagFilter())
    for run in series.values():
        for values in run.values():
            points += len(values)
            total += sum(value.value for value in values)
    return {"points": points, "sum": total, "seconds": seconds}


def writer_of(arguments):
    """A function that logs a step, and one that ends the run."""
    if arguments.writer == "floor":
        begin = time.perf_counter()
        work(200000)
        size = max(1, int(200000 * arguments.microseconds / (1e6 * (time.perf_counter() - begin))))
        return lambda step, row: work(size), lambda: None
    if arguments.writer == "fathom":
        sys.path.insert(0, arguments.module)
        import fathom
        run = fathom.init(project=os.path.join(arguments.folder, "p.fathom"), name="bench")
        return lambda step, row: run.log(row, step=step), run.finish
    if arguments.writer == "tensorboard":
        from tensorboardX import SummaryWriter
        writer = SummaryWriter(os.path.join(arguments.folder, "tensorboard"))

        def log(step, row):
            for name, value in row.items():
                writer.add_scalar(name, value, step)
        return log, writer.close
    if arguments.writer == "wandb":
        os.environ.update(WANDB_MODE="offline", WANDB_SILENT="true", WANDB_DIR=arguments.folder)
        import wandb
        run = wandb.init(project="bench", dir=arguments.folder)
        return lambda step, row: run.log(row, step=step), run.finish
    os.environ.update(TRACKIO_DIR=os.path.join(arguments.folder, "trackio"), HF_HUB_OFFLINE="1")
    import trackio
    trackio.init(project="bench", name="bench", embed=False)
    return lambda step, row: trackio.log(row, step=step), trackio.finish


def work(size):
    """A step of about a millisecond of Python, so that what a writer costs stands beside something."""
    total = 0.0
    for i in range(size):
        total += (i % 7) * 0.5
    return total


def row_at(step):
    return {"train/loss": 5.0 / (1 + step), "train/accuracy": step / (step + 50.0), "learning_rate": 1e-3 / (1 + step),
            "gradient_norm": 1.0 + 0.1 * (step % 7), "tokens": 4096.0 * step}


def log(arguments):
    write, end = writer_of(arguments)
    calls = []
    for step in range(arguments.steps):
        row = row_at(step)
        work(2000)
        begin = time.perf_counter_ns()
        write(step, row)
        calls.append(time.perf_counter_ns() - begin)
    end()
    calls.sort()
    at = min(len(calls) - 1, int(0.999 * len(calls)))
    return {"median_us": calls[len(calls) // 2] / 1000, "p999_us": calls[at] / 1000}


def train(arguments):
    steps, size = 1000, 40000

    def loop(write):
        start = time.perf_counter()
        for step in range(steps):
            work(size)
            if write is not None:
                write(step, row_at(step))
        return time.perf_counter() - start
    loop(None)  # warm
    plain = loop(None)
    arguments.writer = "fathom"
    write, end = writer_of(arguments)
    logged = loop(write)
    end()
    return {"plain": plain, "logged": logged}


def model_of(tokens):
    """Random weights: what a pass costs does not depend on them."""
    import torch
    import transformers
    transformers.logging.set_verbosity_error()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    config = transformers.BertConfig(vocab_size=1000, hidden_size=384, num_hidden_layers=6, num_attention_heads=12,
                                     intermediate_size=1536, max_position_embeddings=512, attn_implementation="sdpa")
    model = transformers.BertModel(config).eval()
    batch = {"input_ids": torch.randint(1, 1000, (1024 // tokens, tokens)),
             "attention_mask": torch.ones(1024 // tokens, tokens, dtype=torch.long)}
    return torch, model, batch


def eager_entropy(torch, model, batch):
    """As one does it without us: all maps of a batch, then the entropy of each row; the mean of each head."""
    model.set_attn_implementation("eager")
    with torch.no_grad():
        maps = model(**batch, output_attentions=True).attentions
        means = [(-(p * p.clamp_min(1e-45).log()).sum(-1)).mean((0, 2)).tolist() for p in maps]
    model.set_attn_implementation("sdpa")
    return means


def captured_entropy(fathom, run, model, batch, rows):
    stored = fathom.capture(model, [batch], run=run, checkpoint=1, rows=rows, strict=True)
    with open(os.path.join(stored["attention_entropy"], "result.json"), encoding="utf-8") as file:
        attentions = json.load(file)["attentions"]
    return [[head["mean"] for head in layer] for layer in attentions[0]["layers"]]


def floor_of(torch, model, batch, plain):
    """What no way to look at all rows is without: numbers of any value take the same time."""
    config, (size, tokens) = model.config, batch["input_ids"].shape
    heads = config.num_attention_heads
    shape = (size, heads, tokens, config.hidden_size // heads)
    query, key = torch.randn(shape), torch.randn(shape)
    plain()
    below = None
    with torch.no_grad():
        for _ in range(config.num_hidden_layers):
            logits = (query @ key.transpose(2, 3)) * shape[3] ** -0.5
            rows = logits.softmax(-1)
            logits.amax(-1)
            torch.special.entr(rows).sum(-1)
            if below is not None:
                torch.special.entr(below.add_(rows).mul_(0.5)).sum(-1)
            below = rows
    return []


def capture(arguments):
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    import peer_io
    sys.path.insert(0, arguments.module)
    import fathom
    torch, model, batch = model_of(arguments.tokens)
    run = fathom.init(project=os.path.join(arguments.folder, "p.fathom"), name="captured")

    def plain():
        with torch.no_grad():
            model(**batch)
        return []
    rows = 1024 // 8 if arguments.way == "eighth" else None
    ways = {"plain": plain, "eager": lambda: eager_entropy(torch, model, batch),
            "floor": lambda: floor_of(torch, model, batch, plain)}
    look = ways.get(arguments.way, lambda: captured_entropy(fathom, run, model, batch, rows))
    plain()  # what is made once
    peer_io.reset_peak()
    plain()
    before = peer_io.peak_bytes()
    peer_io.reset_peak()
    entropy = look()
    taken = peer_io.peak_bytes() - before
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        look()
        seconds.append(time.perf_counter() - start)
    return {"seconds": sorted(seconds)[2], "bytes": max(0, taken), "entropy": entropy}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--packages", default="")
    parser.add_argument("--module", default="")
    parser.add_argument("--writer", default="fathom")
    parser.add_argument("--microseconds", type=float, default=8)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--tokens", type=int, default=128)
    parser.add_argument("--way", default="plain", choices=["plain", "eager", "all", "eighth", "floor"])
    parser.add_argument("what", choices=["accumulate", "serve", "log", "train", "capture"])
    parser.add_argument("folder", nargs="?", default="")
    arguments = parser.parse_args()
    os.environ.setdefault("FATHOM_SILENT", "1")
    if arguments.packages:
        sys.path[:0] = arguments.packages.split(os.pathsep)
    if arguments.check:
        import tensorboard.data.server_ingester  # noqa: F401
        import tensorboardX, trackio, wandb  # noqa: F401
        print("ok")
        return
    said = os.dup(1)
    os.dup2(2, 1)  # what the writers print is not the answer
    try:
        answer = {"accumulate": accumulate, "serve": serve, "log": log, "train": train,
                  "capture": capture}[arguments.what](arguments)
    except ImportError as error:
        answer = {"missing": str(error)}
    os.write(said, (json.dumps(answer) + "\n").encode())
    os._exit(0)


if __name__ == "__main__":
    main()
