#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What packaging/torture.sh runs: each section does one kind of harm to the built programs and says what it tried and
what failed. Nothing is asserted about speed; a command that is not back in time or takes too much memory has failed."""
import argparse
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent.parent
ENOENT, EIO, ENOSPC, EDQUOT = 2, 5, 28, 122
OUT_OF_DISK = 50


class Tally:
    def __init__(self, name):
        self.name, self.tried, self.failed, self.skipped = name, 0, [], ""

    def check(self, good, what):
        self.tried += 1
        if not good:
            self.failed.append(what)
            print(f"  {self.name}: {what}", file=sys.stderr)


class Programs:
    """Runs the built programs in a world of their own: no settings, no queue and no socket of the person."""

    def __init__(self, build, place, patience):
        self.bin, self.tests, self.place, self.patience = build / "bin", build / "tests", place, patience
        run = place / "run"
        run.mkdir(mode=0o700)
        self.environment = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC", QT_QPA_PLATFORM="offscreen", OMP_NUM_THREADS="1",
                                XDG_RUNTIME_DIR=str(run), XDG_CACHE_HOME=str(place / "cache"),
                                XDG_CONFIG_HOME=str(place / "config"),
                                QTEST_FUNCTION_TIMEOUT="3600000")  # how long a program may take is said here

    def run(self, words, seconds=30, **more):
        """(exit code or None when it was killed for time, output, messages, peak MB of the process)"""
        environment = dict(self.environment, **more)
        out, err = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        process = subprocess.Popen([str(w) for w in words], stdout=out, stderr=err, stdin=subprocess.DEVNULL,
                                   env=environment, start_new_session=True)
        deadline = time.monotonic() + seconds * self.patience
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > deadline:
                os.killpg(process.pid, signal.SIGKILL)
                os.wait4(process.pid, 0)
                return None, "", "not back in time", 0
            time.sleep(0.005)
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", "replace"))
        return process.returncode, texts[0], texts[1], usage.ru_maxrss / 1024

    def fathom(self, *words, seconds=30, **more):
        return self.run([self.bin / "fathom", *words], seconds, **more)

    def names(self, project):
        """Names of the runs that the shell lists, None when the project cannot be read."""
        code, out, err, _ = self.fathom("runs", "--project", project, "--json")
        return {run["name"] for run in json.loads(out)["runs"]} if code == 0 else None


def verdict(text):
    """What a test program failed at, with the two lines that say why; else the end of what it said."""
    lines = text.splitlines()
    failed = [" ".join(lines[i:i + 3]) for i, line in enumerate(lines) if line.startswith("FAIL!")]
    return " | ".join(failed)[:2000] or text[-300:]


def csv(path, runs=("one",), steps=60):
    lines = ["run,step,loss\n" if len(runs) > 1 else "step,loss\n"]
    for name in runs:
        lines += [(f"{name}," if len(runs) > 1 else "") + f"{s},{3 / (1 + s):.6f}\n" for s in range(steps)]
    path.write_text("".join(lines))
    return path


def small_project(programs, folder, name="p.fathom"):
    """A project with two imported runs."""
    project = folder / name
    programs.fathom("new-project", "--out", project)
    for run in ("first", "second"):
        programs.fathom("import-run", csv(folder / f"{run}.csv"), "--project", project, "--name", run)
    return project


def kills(programs, tally, until, seed, _):
    """SIGKILL at random moments and inside write, flush, rename: the tests that compare bit for bit."""
    for test in ("tst_kill_resume", "tst_review_kill"):
        program = programs.tests / test
        if not program.exists():
            tally.skipped = f"{test} is not built"
            continue
        round_ = 0
        while True:
            n = 10
            code, out, err, _ = programs.run([program], seconds=900, N=str(n), SEED=str(seed + round_))
            tally.tried += n - 1  # kills of one program that ends with one verdict
            tally.check(code == 0, f"{test} SEED={seed + round_}: exit {code}: {verdict(out + err)}")
            round_ += 1
            if time.monotonic() > until or code != 0:
                break


def states(programs, tally, until, seed, _):
    """200 random sequences of what befalls runs and their runner: no wrong word for a state, nothing lost."""
    program = programs.tests / "tst_run_states"
    if not program.exists():
        tally.skipped = "tst_run_states is not built"
        return
    n = 20
    for first in range(seed, seed + 200, n):
        code, out, err, _ = programs.run([program], seconds=900, N=str(n), SEED=str(first))
        tally.tried += n - 1  # sequences of one program that ends with one verdict
        tally.check(code == 0, f"tst_run_states SEED={first}: exit {code}: {verdict(out + err)}")


# Commands that write, with what has to be there before; {p} is the project, {d} a folder beside it.
WRITING = [
    ("new-project", "--out", "{d}/new.fathom"),
    ("import-run", "{d}/first.csv", "--project", "{p}", "--name", "third"),
    ("export-run", "first", "--project", "{p}", "--out", "{d}/first.tar.gz"),
    ("export-figure", "--project", "{p}", "--figure", "training_curve", "--runs", "first", "--out", "{d}/f.pdf"),
    ("delete", "second", "--project", "{p}"),
    ("clean", "--apply", "--project", "{p}"),
    ("curves", "first", "--project", "{p}", "--csv"),
]


def faults(programs, tally, until, seed, place):
    """The n-th write, flush, rename or creation fails, once or from then on, for every n until none is left."""
    chance = random.Random(seed)
    jobs = [(command, call, error, kind) for command in WRITING for call in ("write", "sync", "rename", "open")
            for error in (ENOSPC, EIO, EDQUOT) for kind in ("", ":persistent")]
    chance.shuffle(jobs)
    template = small_project(programs, place)
    for number, (command, call, error, kind) in enumerate(jobs):
        if time.monotonic() > until:
            break
        for n in range(60):
            work = place / f"work{number}"
            shutil.copytree(template.parent, work, symlinks=True)
            project = work / template.name
            words = [w.format(p=project, d=work) for w in command]
            code, out, err, _ = programs.fathom(*words, FATHOM_FAULT=f"{call}:{n}:{error}{kind}")
            what = f"{command[0]} {call}:{n}:{error}{kind}"
            tally.check(code in (0, OUT_OF_DISK), f"{what}: exit {code}: {err[-200:]}")
            names = programs.names(project)
            kept = {"first"} if command[0] == "delete" else {"first", "second"}
            tally.check(names is not None and kept <= names, f"{what}: the project lists {names}")
            unfinished = {"third"} - (names or set()) if code == 0 and command[0] == "import-run" else set()
            tally.check(not unfinished, f"{what}: said to be done, and nothing is there")
            shutil.rmtree(work)
            if code == 0 or time.monotonic() > until:
                break


def full_disk(programs, tally, until, seed, place):
    """A project on a disk without room, figures and curves on another."""
    mount = place / "small"
    mount.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", mount], stderr=subprocess.DEVNULL).returncode:
        tally.skipped = "may not mount a tmpfs here"
        return
    try:
        project = small_project(programs, mount)
        tally.check(programs.names(project) == {"first", "second"}, "the project could not be made")
        with open(mount / "filler", "wb", buffering=0) as filler:
            try:
                while True:
                    filler.write(b"x" * 4096)
            except OSError:
                pass
        code, out, err, _ = programs.fathom("import-run", csv(place / "more.csv"), "--project", project)
        tally.check(code == OUT_OF_DISK, f"import-run: exit {code}: {err[-200:]}")
        tally.check(programs.names(project) == {"first", "second"}, "the project lost a run")
        code, out, err, _ = programs.fathom("curves", "first", "--project", project, "--csv")
        tally.check(code == 0 and len(out.splitlines()) == 61, f"curves: exit {code}: {err[-200:]}")
        figure = place / "figure.pdf"
        code, out, err, _ = programs.fathom("export-figure", "--project", project, "--figure", "training_curve", "--runs",
                                            "first", "--out", figure)
        tally.check(code == 0 and figure.exists(), f"export-figure: exit {code}: {err[-200:]}")
        (mount / "filler").unlink()
        code, out, err, _ = programs.fathom("import-run", place / "more.csv", "--project", project)
        tally.check(code == 0, f"import-run with room again: exit {code}: {err[-200:]}")
    finally:
        subprocess.run(["umount", "-l", mount])


def odd_run(folder, kind):
    """A run folder with something that nobody expects in it."""
    folder.mkdir(parents=True)
    attempt = folder / "attempts" / "0001"
    attempt.mkdir(parents=True)
    good = '{"format":1,"uuid":"%s","name":"odd"}' % folder.name
    (folder / "run.json").write_text(good)
    if kind == "huge run.json":
        os.truncate(folder / "run.json", 20 << 30)
    elif kind == "huge events":
        (attempt / "events.jsonl").touch()
        os.truncate(attempt / "events.jsonl", 100 << 30)
    elif kind == "pipe as run.json":
        (folder / "run.json").unlink()
        os.mkfifo(folder / "run.json")
    elif kind == "pipe as events":
        os.mkfifo(attempt / "events.jsonl")
    elif kind == "pipe as lock":
        os.mkfifo(folder / "run.lock")
    elif kind == "device as run.json":
        (folder / "run.json").unlink()
        (folder / "run.json").symlink_to("/dev/zero")
    elif kind == "device as events":
        (attempt / "events.jsonl").symlink_to("/dev/zero")
    elif kind == "nested json":
        (folder / "run.json").write_text("[" * 200000)
    elif kind == "name with a tag":
        (folder / "run.json").write_text(good.replace("odd", "<img src=\\\"/dev/zero\\\">"))
    elif kind == "no attempts":
        shutil.rmtree(folder / "attempts")
    elif kind == "closed folder":
        folder.chmod(0)


ODD = ["huge run.json", "huge events", "pipe as run.json", "pipe as events", "pipe as lock", "device as run.json",
       "device as events", "nested json", "name with a tag", "no attempts", "closed folder", "loop of links",
       "name too long", "link to nowhere"]


def odd_files(programs, tally, until, seed, place):
    """One odd file or link in runs/ costs that run, never the project."""
    for number, kind in enumerate(ODD + ["all of them"]):
        box = place / f"odd{number}"
        box.mkdir()
        project = small_project(programs, box)
        for i, one in enumerate(ODD if kind == "all of them" else [kind]):
            folder = project / "runs" / f"0f0e0d0c-0b0a-4908-8706-0504030201{i:02d}"
            if one == "loop of links":
                folder.symlink_to(folder)
            elif one == "name too long":
                folder.symlink_to("/" + "/".join(["x" * 200] * 19))
            elif one == "link to nowhere":
                folder.symlink_to("/nowhere/at/all")
            else:
                odd_run(folder, one)
        for words in (("runs", "--json"), ("show", "first"), ("curves", "first", "--csv"), ("clean",)):
            code, out, err, peak = programs.fathom(words[0], "--project", project, *words[1:], seconds=20)
            tally.check(code == 0, f"{kind}: {words[0]}: exit {code}: {err[-200:]}")
            tally.check(peak < 400, f"{kind}: {words[0]} took {peak:.0f} MB")
        tally.check({"first", "second"} <= (programs.names(project) or set()), f"{kind}: the others are not listed")
        for folder in project.glob("runs/*"):  # so that the place can be removed
            if not folder.is_symlink():
                folder.chmod(0o755)


def hostile_input(programs, tally, until, seed, place):
    """Predictions and queries that want the machine."""
    gold = place / "gold.sql"
    code, out, err, _ = programs.fathom("spider-sample", place / "sample", "--json")
    tally.check(code == 0, f"spider-sample: {err[-200:]}")
    found = {p.name: p for p in (place / "sample").rglob("*") if p.is_file()}
    tables = next(p for name, p in found.items() if name.endswith("tables.json"))
    first = json.loads(tables.read_text())[0]
    table, column = first["table_names_original"][0], first["column_names_original"][1][1]
    query = f"SELECT {column} FROM {table} WHERE {column} IN ("
    hostile = ["1," * 24999 + "1)", "SELECT 1 UNION " * 2000 + "SELECT 1)", "(" * 5000 + ")" * 5001,
               "SELECT " * 3000 + ")", "1) AND " + " AND ".join(["1=1"] * 3000), "'" + "x" * 40000 + "')"]
    gold.write_text(f"SELECT {column} FROM {table}\t{first['db_id']}\n" * len(hostile))
    (place / "hostile.sql").write_text("".join(query + text + "\n" for text in hostile))
    for command in ("spider-evaluate", "spider-categorize"):
        code, out, err, peak = programs.fathom(command, "--gold", gold, "--tables", tables, "--predictions",
                                               place / "hostile.sql", seconds=60)
        tally.check(code == 0, f"{command}: exit {code}: {err[-200:]}")
        tally.check(peak < 400, f"{command} took {peak:.0f} MB")
    many = query + "1," * 400 + "1)"
    gold.write_text(f"{many}\t{first['db_id']}\n" * 10000)
    (place / "many.sql").write_text((query + "2," * 400 + "3)\n") * 10000)
    code, out, err, peak = programs.fathom("spider-categorize", "--gold", gold, "--tables", tables, "--predictions",
                                           place / "many.sql", seconds=300)
    tally.check(code == 0, f"10,000 long queries: exit {code}: {err[-200:]}")
    tally.check(peak < 400, f"10,000 long queries took {peak:.0f} MB")
    for name in sorted((HERE / "tests/fixtures/encoders/hostile_sizes").glob("*.bin")):
        folder = place / name.stem
        folder.mkdir()
        shutil.copy(name, folder / "pytorch_model.bin")
        (folder / "config.json").write_text('{"model_type":"bert","hidden_size":32,"num_hidden_layers":1,'
                                            '"num_attention_heads":4,"intermediate_size":64,"vocab_size":200}')
        if not (programs.bin / "fathom-engine").exists():
            tally.skipped = "fathom-engine is not built"
            break
        code, out, err, peak = programs.run([programs.bin / "fathom-engine", "import-encoder", "--from", folder, "--out",
                                             folder / "out"], seconds=60)
        tally.check(code == 30, f"{name.name}: exit {code}: {err[-200:]}")
        tally.check(peak < 1500, f"{name.name} took {peak:.0f} MB")


def fuzz(programs, tally, until, seed, _):
    """The corpora with seeded mutations."""
    program = programs.tests / "tst_fuzz_replay"
    if not program.exists():
        tally.skipped = "tst_fuzz_replay is not built"
        return
    while True:
        code, out, err, peak = programs.run([program], seconds=900, N="300", SEED=str(seed))
        tally.check(code == 0, f"SEED={seed}: exit {code}: {verdict(out + err)}")
        tally.check(peak < 1000, f"SEED={seed} took {peak:.0f} MB")
        seed += 1
        if time.monotonic() > until or code != 0:
            return


# With the share of the time that each may take; those with none end by themselves.
SECTIONS = [(kills, 0.35), (faults, 0.35), (fuzz, 0.15), (states, 0), (full_disk, 0), (odd_files, 0), (hostile_input, 0)]


def main():
    parser = argparse.ArgumentParser(prog="packaging/torture.sh", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", type=pathlib.Path, default=HERE / "build/release")
    parser.add_argument("--patience", type=float, default=1, help="times as long as on an idle machine a command may take")
    parser.add_argument("--only", default="", help="sections, with commas: " + ",".join(s.__name__ for s, _ in SECTIONS))
    options = parser.parse_args()
    if not (options.build / "bin/fathom").exists():
        sys.exit(f"torture: {options.build}/bin/fathom is not built (packaging/build.sh)")
    wanted = [name for name in options.only.split(",") if name]
    unknown = set(wanted) - {s.__name__ for s, _ in SECTIONS}
    if unknown:
        sys.exit(f"torture: unknown section {', '.join(sorted(unknown))}")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    rows = []
    for section, share in SECTIONS:
        if wanted and section.__name__ not in wanted:
            continue
        tally, started = Tally(section.__name__), time.monotonic()
        with tempfile.TemporaryDirectory(prefix="fathom-torture-") as folder:
            place = pathlib.Path(folder)
            programs = Programs(options.build.resolve(), place, options.patience)
            section(programs, tally, started + 60 * options.minutes * share, options.seed, place)
        rows.append((tally, time.monotonic() - started))
    print(f"{'section':<16}{'tried':>8}{'failed':>8}{'seconds':>9}")
    for tally, seconds in rows:
        print(f"{tally.name:<16}{tally.tried:>8}{len(tally.failed):>8}{seconds:>9.0f}"
              + (f"  skipped: {tally.skipped}" if tally.skipped else ""))
    for tally, _ in rows:
        for what in tally.failed[:20]:
            print(f"{tally.name}: {what}")
    return 1 if any(tally.failed or tally.tried == 0 and not tally.skipped for tally, _ in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
