# SPDX-License-Identifier: Apache-2.0
"""What tst_python_module starts: a training that logs known rows and ends in one of many ways.

    python3 written_run.py MODE [ROWS]

Row i (from 1) has loss = 1 / i and, each tenth, valid/acc = i / 1000. After each flush it prints "acked I": rows up to I are
on the disk. FATHOM_RUN_DIR says where, FATHOM_MODULE the folder of fathom.py.
"""
import multiprocessing
import os
import resource
import signal
import sys
import threading
import time
from types import SimpleNamespace

sys.path.insert(0, os.environ["FATHOM_MODULE"])
import fathom as wandb  # noqa: E402

mode = sys.argv[1]
rows = int(sys.argv[2]) if len(sys.argv) > 2 else 40


def say(*words):
    print(*words, flush=True)


def log(i):
    row = {"loss": 1.0 / i}
    if i % 10 == 0:
        row["valid/acc"] = i / 1000
    wandb.log(row, step=i)


def some(first, last):
    for i in range(first, last + 1):
        log(i)
        time.sleep(0.001)
    assert wandb.flush(), "flush"
    say("acked", last)


def child(number):
    wandb.log({"loss": -1.0})  # a worker's rows go nowhere
    return number * number


class Numbers:
    """A data set whose workers log."""

    def __len__(self):
        return 8

    def __getitem__(self, number):
        return child(number)


def by_trainer(callback, seed, steps):
    """Calls a callback as the Trainer of transformers does, and does what it is told."""
    args = SimpleNamespace(output_dir=os.path.join(os.environ["FATHOM_PROJECT"], "out"), run_name=None, seed=seed, lr=0.1)
    state = SimpleNamespace(is_world_process_zero=True, max_steps=steps, global_step=0, epoch=0.0, num_input_tokens_seen=0)
    control = SimpleNamespace(should_training_stop=False, should_save=False)
    callback.on_train_begin(args, state, control, model=SimpleNamespace(
        config=SimpleNamespace(to_diff_dict=lambda: {"layers": 2, "_name": "x"})))
    while state.global_step < steps and not control.should_training_stop:
        state.global_step += 1
        state.epoch = state.global_step / 10
        callback.on_step_end(args, state, control)
        callback.on_log(args, state, control, logs={"loss": 1.0 / state.global_step, "epoch": state.epoch})
        if state.global_step % 10 == 0:
            callback.on_log(args, state, control, logs={"eval_acc": state.global_step / 1000})
        if control.should_save:
            control.should_save = False
            os.makedirs(os.path.join(args.output_dir, "checkpoint-%d" % state.global_step))
            callback.on_save(args, state, control)
            say("saved", state.global_step)
        if state.global_step == 20:
            say("begun", seed)
        time.sleep(0.005)
    callback.on_log(args, state, control, logs={"train_loss": 0.5})
    callback.on_train_end(args, state, control)


def by_lightning(logger, steps):
    """The same with a logger of Lightning, whose trainer logs each fiftieth batch."""
    def write(path):
        with open(path, "wb") as file:
            file.write(b"weights")

    trainer = SimpleNamespace(should_stop=False, global_step=0, callbacks=[], save_checkpoint=write)
    logger.log_hyperparams({"lr": 0.1, "seed": 3})
    logger.log_graph(None)
    while trainer.global_step < steps and not trainer.should_stop:
        trainer.global_step += 1
        if trainer.global_step % 50 == 0:
            logger.log_metrics({"loss": 1.0 / trainer.global_step, "val_acc": trainer.global_step / 1000}, trainer.global_step)
        if trainer.global_step == 60:
            say("begun", trainer.global_step)
        for callback in trainer.callbacks:
            callback.on_train_batch_end(trainer, None, None, None, 0)
        time.sleep(0.005)
    logger.finalize("success")
    say("stopped", trainer.global_step)


def odd_names():
    """As a folder is called whose name is no UTF-8; given where names come from before the run begins, too."""
    for words in (sys.argv, getattr(sys, "orig_argv", [])):
        words.append(os.fsdecode(b"/data/\xff"))
    run = wandb.init(name="odd", config={"data": os.fsdecode(b"/data/\xff"), "smile": "\U0001f600", "ud": "\\ud800"})
    run.log({os.fsdecode(b"m\xff"): 1.5, os.fsdecode(b"m\xfe"): 2.5, "loss": 1.0}, step=1)
    for step in (-3, 1 << 60, float("nan"), "soon"):
        run.log({"loss": -1.0}, step=step)
    run.log({"name/%06d" % i: i for i in range(100000)}, step=2)
    run.name, run.notes, run.tags = "another " + os.fsdecode(b"\xff"), "late", ["b", "a"]
    run.log({"loss": 0.5}, step=3)
    assert run.flush(60)


def main():
    if mode == "odd":
        return odd_names()
    if mode == "callback":
        for seed, steps in ((1, 20), (2, rows)):
            by_trainer(wandb.FathomCallback(), seed, steps)
        return None
    if mode == "logger":
        return by_lightning(wandb.FathomLogger(name="logger"), rows)
    run = wandb.init(name=mode, config={"lr": 0.1, "seed": 3}, interrupt=mode == "interrupted_stop")
    if mode == "forever":  # until it is killed
        i = 0
        while True:
            i += 1
            log(i)
            if i % 5 == 0:
                assert run.flush()
                say("acked", i)
    some(1, rows)
    if mode == "asks":
        saved = 0
        run.should_stop()
        say("asked")
        while not run.should_stop():
            rows_now = run.step + 1
            log(rows_now)
            if run.should_save():
                saved += 1
                path = os.path.join(run.dir, "saved-%d.bin" % saved)
                with open(path, "wb") as file:
                    file.write(b"weights")
                run.checkpoint(path)
                say("saved", saved)
            time.sleep(0.005)
        say("stopped")
    elif mode in ("deaf", "interrupted_stop"):
        i = rows
        while True:
            i += 1
            log(i)
            time.sleep(0.005)
    elif mode == "exception":
        raise ValueError("the data are gone: ü")
    elif mode == "exit7":
        sys.exit(7)
    elif mode == "exit_text":
        sys.exit("no data")
    elif mode == "os_exit":
        os._exit(3)
    elif mode == "caught_exit":
        try:
            sys.exit(9)
        except SystemExit:
            some(rows + 1, rows + 5)
    elif mode == "fork":
        worker = os.fork()
        if worker == 0:
            child(1)
            time.sleep(30)  # it outlives its parent and must not keep the run alive
            os._exit(0)
        some(rows + 1, rows + 5)
        say("child", worker)
        os.kill(os.getpid(), signal.SIGKILL)
    elif mode == "pool":
        with multiprocessing.get_context("fork").Pool(3) as pool:
            assert pool.map(child, range(20)) == [n * n for n in range(20)]
        some(rows + 1, rows + 5)
    elif mode in ("spawn", "forkserver"):
        with multiprocessing.get_context(mode).Pool(2) as pool:
            assert pool.map(child, range(20)) == [n * n for n in range(20)]
        some(rows + 1, rows + 5)
    elif mode == "loader":
        import torch.utils.data
        for context in ("fork", "spawn"):
            loader = torch.utils.data.DataLoader(Numbers(), num_workers=1, multiprocessing_context=context)
            assert [int(n) for n in loader] == [n * n for n in range(8)]
        some(rows + 1, rows + 5)
    elif mode == "again":
        assert wandb.init(reinit="return_previous") is run
        later = wandb.init(name="later", reinit=True)
        assert later is not run and wandb.run is later
        later.log({"loss": 1.0}, step=1)
    elif mode == "threads":
        def write(k):
            for j in range(200):
                run.log({"thread/%d" % k: float(j)}, step=rows)
        threads = [threading.Thread(target=write, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        some(rows + 1, rows + 5)
    elif mode == "full_disk":
        size = os.path.getsize(os.path.join(run.dir, "attempts", "0001", "events.jsonl"))
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 500, resource.RLIM_INFINITY))
        for i in range(rows + 1, rows + 201):
            log(i)
        assert not run.flush(1)
        say("full")
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        until = time.time() + 20
        while not run.flush(1) and time.time() < until:
            pass
        say("acked", rows + 200)
    elif mode == "still_full":
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
        for i in range(rows + 1, rows + 20001):
            log(i)
        begun = time.time()
        wandb.finish()
        say("ended after %.1f s" % (time.time() - begun))
    elif mode == "deleted":
        say("delete")
        sys.stdin.readline()
        for i in range(rows + 1, rows + 200):
            log(i)
            time.sleep(0.01)
        say("alive")
    elif mode == "moved":
        say("move")
        sys.stdin.readline()
        some(rows + 1, rows + 100)
    elif mode == "values":
        wandb.log({"acc/ü": 0.5, 'a"b': 1, "nested": {"deep": {"x": 2.5}}, "flag": True, "nan": float("nan"), "inf": float("inf"),
                   "big": 10 ** 40, "text": "no", "none": None}, step=rows + 1)
        wandb.log({"m%04d" % i: i for i in range(5000)}, step=rows + 2)
        table = wandb.Table(columns=["text", "prediction", "label", "probabilities"])
        for i in range(30):
            table.add_data("text %d" % i, "ab"[i % 2], "ab"[i % 3 % 2], {"a": 0.75, "b": 0.25})
        wandb.log({"valid/predictions": table}, step=rows + 2)
        wandb.summary["valid/acc"] = 0.9
        wandb.log({"half": 1}, commit=False)
        wandb.log({"other": 2})
    elif mode == "wandb":
        wandb.login()
        wandb.watch(object(), log="all")
        wandb.log({"image": wandb.Image([[0]]), "hist": wandb.Histogram([1, 2]), "loss": 0.5})
        artifact = wandb.Artifact("model", type="model")
        artifact.add_file("x")
        run.log_artifact(artifact)
        wandb.alert(title="t", text="x")
        wandb.save("*.pt")
        assert wandb.run is run and wandb.config.lr == 0.1 and wandb.config["seed"] == 3 and len(wandb.util.generate_id()) == 8
        wandb.config.update({"late": 5})
        wandb.config.more = 6
        with wandb.init() as same:
            assert same is run
        assert wandb.run is None
    elif mode == "score":
        wandb.finish(score={"test/bleu": 28.5})
    elif mode == "discard":
        wandb.discard()
    elif mode == "given":
        say(sorted(wandb.config({"lr": 0.5, "depth": 2}).items()), wandb.resume_from())
    elif mode == "ctrl_c":
        say("waiting")
        time.sleep(30)


if __name__ == "__main__":
    main()
