# SPDX-License-Identifier: Apache-2.0
"""Writes the run of any training program as a run folder of Fathom, live.

    import fathom                      # or: import fathom as wandb
    run = fathom.init(project="translation", name="post_ln", config={"lr": 5e-4, "seed": 1})
    for step in range(1, 1001):
        run.log({"loss": loss, "valid/bleu": bleu}, step=step)
        if run.should_stop():
            break
    fathom.finish(score={"test/bleu": 28.4})

One file, the standard library alone, Python 3.8 or newer. What the folder holds, and what the words below mean to
Fathom: resources/help/run_folder.md. It never slows, hangs or ends a training: what goes wrong costs one line on
stderr. The environment says where a run goes that Fathom or a shell starts:

    FATHOM_PROJECT      project folder; the run goes into its runs/
    FATHOM_RUN_DIR      the run's own folder; where a run is in it already, this is its next attempt
    FATHOM_OPTIONS      options of form or grid: JSON, or the path of a JSON file
    FATHOM_RESUME_FROM  checkpoint to go on from
    FATHOM_NAME         name and group of the run, where the program gives none
    FATHOM_GROUP
    FATHOM_MODE         "disabled": nothing is written
    FATHOM_SILENT       anything: nothing is said

fathom.capture(model, batches) looks into the attention of a model of transformers; help(fathom.capture) says how.
"""

import atexit
import base64
import collections
import contextlib
import csv
import errno
import fnmatch
import glob
import hashlib
import io
import json
import math
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import uuid as _uuid
import weakref
import zlib

try:
    import fcntl
except ImportError:  # not a POSIX system: nothing is written there
    fcntl = None

__version__ = "1.0"

_TICK = 0.1  # seconds between two writes
_TURN = 0.002  # seconds for which lines are made without a pause: each pause costs the training a hand-over of the interpreter
_HEARTBEAT = 5.0
_SAMPLE = 10.0  # host and GPU
_WISHES = 2.0  # files in the folder "control"
_RETRY = 5.0  # after a disk that was full
_MOST_WAITING = 16 << 20  # bytes that wait for a disk
_MOST_QUEUED = 800000  # numbers, names and times that wait for the writer
_MOST_LINE = 65536
_FULL_LINE = 60000  # a row goes over several lines from here on
_PATIENCE = 10.0  # seconds that an end waits for the disk
_TOKENS = ("tokens", "num_tokens", "num_input_tokens_seen", "train/num_input_tokens_seen")
_AXES = ("epoch",) + _TOKENS
_EVALUATION = re.compile(r"(valid|validation|val|eval|evaluation|test|dev)([/._\- ]|$)", re.IGNORECASE)


# --- what is said ---------------------------------------------------------------------------------------------

_said = set()


def _say(text, once=None):
    """A line on stderr; with `once` only the first of that word."""
    if once is not None:
        if once in _said:
            return
        _said.add(once)
    if os.environ.get("FATHOM_SILENT"):
        return
    try:
        sys.stderr.write("fathom: " + text + "\n")
    except Exception:
        pass


class _Nothing:
    """Something of W&B that has no meaning here: takes everything, does nothing, is named once."""

    def __init__(self, name):
        object.__setattr__(self, "_name", name)

    def __call__(self, *args, **kwargs):
        _say("%s has no meaning here: it does nothing" % self._name, "nothing " + self._name)
        return _Nothing(self._name)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Nothing(self._name + "." + name)

    def __setattr__(self, name, value):
        pass

    def __setitem__(self, name, value):
        pass

    def __getitem__(self, name):
        return _Nothing(self._name)

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 0

    def __bool__(self):
        return False

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        return False

    def __repr__(self):
        return "<fathom: %s does nothing here>" % self._name


# --- values ---------------------------------------------------------------------------------------------------


def _number_text(value):
    """Of a float or an int, as JSON; what is not finite as a word."""
    if type(value) is int:
        return repr(value) if -(1 << 63) <= value < 1 << 63 else repr(float(value))
    if value - value == 0.0:
        return repr(value)
    return '"NaN"' if value != value else ('"Infinity"' if value > 0 else '"-Infinity"')


class _Unnumbered(Exception):
    pass


def _scalar(value):
    """The number in a bool, a NumPy scalar, a tensor of one element."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    item = getattr(value, "item", None)
    if callable(item):
        size = getattr(value, "numel", None)
        count = size() if callable(size) else getattr(value, "size", 1)
        if count == 1:
            value = item()
            if isinstance(value, (bool, int, float)):
                return _scalar(value)
    if type(value).__module__ in ("decimal", "fractions"):
        return float(value)
    raise _Unnumbered


def _waits_for_device(value):
    """A tensor of one element on a device: its number is asked for by the writer, so that nobody waits."""
    return getattr(getattr(value, "device", None), "type", "cpu") != "cpu"


def _option(value, depth=0):
    """What config.json can hold of a value."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, float)):
        return int(value) if isinstance(value, int) else (value if math.isfinite(value) else _number_text(value)[1:-1])
    if isinstance(value, (list, tuple, set, frozenset)) and depth < 8:
        return [_option(each, depth + 1) for each in list(value)[:1000]]
    if isinstance(value, dict) and depth < 8:
        return {str(key): _option(each, depth + 1) for key, each in value.items()}
    try:
        return _option(_scalar(value), depth)
    except Exception:
        pass
    name = getattr(value, "value", None)  # an enumeration
    if isinstance(name, (str, int, float)) and type(value).__module__ != "builtins" and hasattr(value, "name"):
        return name
    try:
        return str(value)[:10000]
    except Exception:
        return "<%s>" % type(value).__name__


def _mapping(value):
    """A dictionary of whatever people keep options in."""
    if value is None:
        return {}
    if isinstance(value, dict):
        return value
    if hasattr(value, "__dataclass_fields__"):
        return {name: getattr(value, name) for name in value.__dataclass_fields__}
    if hasattr(value, "items"):
        return dict(value.items())
    if hasattr(value, "keys"):
        return {key: value[key] for key in value.keys()}
    if hasattr(value, "__dict__"):
        return dict(vars(value))
    return dict(value)


def _flat(value, prefix="", into=None, depth=0):
    """{"a": {"b": 1}} as {"a.b": 1}."""
    into = {} if into is None else into
    for key, each in _mapping(value).items():
        name = prefix + str(key)
        if hasattr(each, "__dataclass_fields__") or type(each).__name__ in ("Namespace", "SimpleNamespace", "DictConfig"):
            each = _mapping(each)
        if isinstance(each, dict) and each and depth < 8:
            _flat(each, name + ".", into, depth + 1)
        else:
            into[name] = _option(each)
    return into


_SEEDS = ("seed", "random_seed", "manual_seed", "rng_seed", "data_seed", "global_seed")


def _with_seed(options):
    """The seed under its shortest name is "seed", by which runs that differ in nothing else are a group; the same number
    under other names is the same seed."""
    names = [name for name in options if re.split(r"[./]", name)[-1].lower() in _SEEDS and options[name] is not None]
    if not names:
        return options
    first = "seed" if "seed" in names else min(names, key=len)
    value = options[first]
    kept = {name: each for name, each in options.items() if name not in names or each != value}
    return dict({"seed": value}, **kept)


_HALVES = re.compile(r"\\\\|\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|(\\ud[89a-f][0-9a-f]{2})")


def _readable_text(text):
    """JSON whose names any reader takes: what is no UTF-8 (a byte of a file's name is half a character) is written out."""
    if "\\ud" not in text:
        return text
    return _HALVES.sub(lambda found: "\\" + found.group() if found.group(1) else found.group(), text)


def _dump(value):
    return _readable_text(json.dumps(value, separators=(",", ":"), allow_nan=False))


# --- files ----------------------------------------------------------------------------------------------------


def _sync(fd):
    getattr(os, "fdatasync", os.fsync)(fd)


def _write_all(fd, data):
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view):]


def _write_file(folder, name, data):
    """Whole or not at all: aside, flushed, renamed. `folder`: descriptor of the folder."""
    aside = ".%s.tmp-%d" % (name, os.getpid())
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_CLOEXEC", 0)
    fd = os.open(aside, flags, 0o644, dir_fd=folder)
    try:
        _write_all(fd, data)
        _sync(fd)
    except BaseException:
        os.close(fd)
        with contextlib.suppress(OSError):
            os.unlink(aside, dir_fd=folder)
        raise
    os.close(fd)
    os.rename(aside, name, src_dir_fd=folder, dst_dir_fd=folder)
    with contextlib.suppress(OSError):
        os.fsync(folder)


def _json_bytes(value):
    return (_readable_text(json.dumps(value, indent=2, allow_nan=False)) + "\n").encode("ascii")


def _open_folder(path, folder=None):
    return os.open(path, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0), dir_fd=folder)


def _make_folder(name, folder):
    with contextlib.suppress(FileExistsError):
        os.mkdir(name, 0o755, dir_fd=folder)
    return _open_folder(name, folder)


def _read_text(path, most=1 << 20):
    with open(path, "rb") as file:
        return file.read(most).decode("utf-8", "replace")


def _plain(text, otherwise):
    """A name for a folder."""
    return re.sub(r"[^\w.+-]+", "_", str(text or "")).strip("._")[:80] or otherwise


def _iso(seconds=None):
    seconds = time.time() if seconds is None else seconds
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + ".%03dZ" % (int(seconds * 1000) % 1000)


def _host():
    return re.sub(r"[^A-Za-z0-9.-]", "_", socket.gethostname())


def _start_time(pid):
    """Field 22 of /proc/PID/stat: with the process id it names a process for good."""
    try:
        return _read_text("/proc/%d/stat" % pid).rsplit(")", 1)[1].split()[19]
    except (OSError, IndexError):
        return ""


def _socket_path(uuid, folder):
    """Where `stop`, `save` and `abort` are heard; "" where no folder is ours alone."""
    info = os.fstat(folder)
    mark = hashlib.sha256(("%d:%d" % (info.st_dev, info.st_ino)).encode()).hexdigest()[:8]
    stem = uuid if re.match(r"[0-9A-Za-z-]{1,36}$", uuid) else hashlib.sha256(uuid.encode()).hexdigest()[:36]
    places = []
    if os.environ.get("XDG_RUNTIME_DIR", "").startswith("/"):
        places.append(os.path.join(os.environ["XDG_RUNTIME_DIR"], "fathom"))
    for temporary in dict.fromkeys((tempfile.gettempdir(), "/tmp")):
        places.append(os.path.join(temporary, "fathom-%d" % os.geteuid()))
    for place in places:
        path = os.path.join(place, "%s-%s.sock" % (stem, mark))
        if len(os.fsencode(path)) > 107:
            continue
        try:
            with contextlib.suppress(FileExistsError):
                os.mkdir(place, 0o700)
            found = os.lstat(place)
            if found.st_uid == os.geteuid() and not found.st_mode & 0o077 and os.path.isdir(place):
                return path
        except OSError:
            continue
    return ""


# --- the user's program ---------------------------------------------------------------------------------------


def _command():
    words = list(getattr(sys, "orig_argv", None) or [sys.executable or "python3"] + sys.argv)
    if words and sys.executable:
        words[0] = sys.executable
    return [str(word)[:4096] for word in words[:1000]]


def _rank():
    """Of this process among those of one training; 0 where there is one."""
    for name in ("RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID", "LOCAL_RANK"):
        text = os.environ.get(name, "").strip()
        if text.isdigit():
            return int(text)
    torch = sys.modules.get("torch")
    try:
        if torch is not None and torch.distributed.is_available() and torch.distributed.is_initialized():
            return int(torch.distributed.get_rank())
    except Exception:
        pass
    return 0


def _libraries():
    """Python and what of the usual libraries is loaded; nothing is imported for it."""
    found = {"python": sys.version.split()[0]}
    for name in ("torch", "numpy", "transformers", "lightning", "pytorch_lightning", "accelerate", "datasets", "tokenizers",
                 "jax", "flax", "tensorflow", "keras", "sklearn", "fairseq", "deepspeed"):
        version = getattr(sys.modules.get(name), "__version__", None)
        if isinstance(version, str) or version is not None:
            found[name] = str(version)
    cuda = getattr(getattr(sys.modules.get("torch"), "version", None), "cuda", None)
    if cuda:
        found["cuda"] = str(cuda)
    return found


def _git(folder, deadline, *words):
    left = max(0.1, deadline - time.monotonic())
    done = subprocess.run(("git", "-C", folder) + words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, timeout=left, check=True)
    return done.stdout


def _packages():
    """By the names of their folders: to read what is in hundreds of them would take the training's interpreter for long."""
    found = {}
    for place in sys.path:
        try:
            names = sorted(os.listdir(place or os.curdir))
        except OSError:
            continue
        for name in names:
            stem, ending = os.path.splitext(name)
            if ending not in (".dist-info", ".egg-info"):
                continue
            package, _, version = stem.partition("-")
            version = version.partition("-py")[0] if ending == ".egg-info" else version
            if not version:
                with contextlib.suppress(Exception):
                    from importlib import metadata
                    version = metadata.Distribution.at(os.path.join(place or os.curdir, name)).version
            if package and version:  # what comes first is imported
                found.setdefault(package.lower().replace("-", "_"), "%s==%s" % (package, version))
    return "\n".join(found[key] for key in sorted(found)) + "\n" if found else ""


def _gibibytes(count):
    return round(count / (1 << 30), 4)


def _sample_seconds():
    try:
        return max(0.01, float(os.environ["FATHOM_SAMPLE_SECONDS"]))
    except (KeyError, ValueError):
        return _SAMPLE


class _Sampler:
    """Load of host, program, disk and GPU, from /proc and nvidia-smi in a process of its own, under the names of the run
    folder's stream system.jsonl."""

    QUERY = ("nvidia-smi", "--query-gpu=index,utilization.gpu,memory.used,power.draw,temperature.gpu",
             "--format=csv,noheader,nounits")

    def __init__(self):
        self._busy = None
        self._used = None  # seconds of processors at a time
        self._child = None
        self._begun = 0.0
        self._gpu = True
        self._pending = {}
        self._ticks = 100
        with contextlib.suppress(Exception):
            self._ticks = os.sysconf("SC_CLK_TCK")

    @staticmethod
    def _memory():
        return {line.split(":", 1)[0]: int(line.split()[1]) << 10
                for line in _read_text("/proc/meminfo").splitlines() if line.startswith("Mem")}

    def machine(self):
        """Facts that do not change."""
        facts = {"cores": os.cpu_count() or 0}
        with contextlib.suppress(Exception):
            facts["memory"] = _gibibytes(self._memory()["MemTotal"])
        return facts

    @staticmethod
    def _family():
        """This process and everything that it has started."""
        pids = [os.getpid()]
        for pid in pids:
            with contextlib.suppress(OSError):
                for thread in os.listdir("/proc/%d/task" % pid):
                    with contextlib.suppress(OSError):
                        words = _read_text("/proc/%d/task/%s/children" % (pid, thread)).split()
                        pids.extend(int(word) for word in words if int(word) not in pids)
            if len(pids) > 1000:
                break
        return pids

    def _sample_program(self, values):
        ticks, written = 0, None
        for pid in self._family():
            with contextlib.suppress(Exception):  # it has ended meanwhile
                ticks += sum(int(word) for word in _read_text("/proc/%d/stat" % pid).rpartition(")")[2].split()[11:15])
            with contextlib.suppress(Exception):
                found = re.search(r"^write_bytes: (\d+)", _read_text("/proc/%d/io" % pid), re.MULTILINE)
                written = (written or 0) + int(found.group(1))
        now = time.monotonic()
        if self._used is not None and now > self._used[0]:
            seconds = max(0, ticks - self._used[1]) / self._ticks
            values["system/process_cpu"] = round(seconds / (now - self._used[0]), 3)
        self._used = (now, ticks)
        if written is not None:
            values["system/disk_written"] = _gibibytes(written)

    def sample(self, folder=None):
        """`folder`: descriptor of one on the disk of the run."""
        values = dict(self._pending)
        self._pending = {}
        with contextlib.suppress(Exception):
            times = [int(word) for word in _read_text("/proc/stat").split("\n", 1)[0].split()[1:9]]
            idle, total = times[3] + times[4], sum(times)
            if self._busy is not None and total > self._busy[1]:
                values["system/cpu"] = round(100.0 * (1 - (idle - self._busy[0]) / (total - self._busy[1])), 1)
            self._busy = (idle, total)
        with contextlib.suppress(Exception):
            memory = self._memory()
            values["system/memory"] = _gibibytes(memory["MemTotal"] - memory["MemAvailable"])
        with contextlib.suppress(Exception):
            self._sample_program(values)
        with contextlib.suppress(Exception):
            own = dict(re.findall(r"^(VmRSS|VmHWM):\s*(\d+)", _read_text("/proc/self/status"), re.MULTILINE))
            values["system/process_memory"] = _gibibytes(int(own["VmRSS"]) << 10)
            values["system/process_memory_peak"] = _gibibytes(int(own["VmHWM"]) << 10)
        if folder is not None:
            with contextlib.suppress(Exception):
                disk = os.fstatvfs(folder)
                values["system/disk_free"] = _gibibytes(disk.f_bavail * disk.f_frsize)
        self._ask()
        return values

    def _ask(self):
        if not self._gpu or self._child is not None:
            return
        try:
            self._child = subprocess.Popen(self.QUERY, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                           stderr=subprocess.DEVNULL)
            self._begun = time.monotonic()
        except (OSError, ValueError):
            self._gpu = False

    def poll(self):
        """Takes the answer of nvidia-smi, if it is there; one that hangs is ended."""
        child = self._child
        if child is None:
            return
        code = child.poll()
        if code is None:
            if time.monotonic() - self._begun > 5:
                child.kill()
                self._gpu = False
            return
        self._child = None
        text = child.stdout.read().decode("ascii", "replace")
        child.stdout.close()
        if code != 0:
            self._gpu = False
            return
        for line in text.splitlines():
            cells = [cell.strip() for cell in line.split(",")]
            for place, name, scale in ((1, "", 1.0), (2, "_memory", 1 / 1024.0), (3, "_power", 1.0), (4, "_temperature", 1.0)):
                with contextlib.suppress(ValueError, IndexError):
                    self._pending["system/gpu%s%s" % (cells[0], name)] = float(cells[place]) * scale

    def close(self):
        if self._child is not None:
            with contextlib.suppress(Exception):
                self._child.kill()
                self._child.wait(1)
                self._child.stdout.close()
            self._child = None


# --- tables ---------------------------------------------------------------------------------------------------

_PREDICTION = ("prediction", "predicted", "pred", "predictions", "output", "hypothesis", "y_pred", "guess")
_REFERENCE = ("reference", "label", "target", "gold", "truth", "ground_truth", "expected", "y_true", "answer", "labels")
_SCORES = ("probabilities", "probs", "scores", "logits")
_ROW_ID = ("id", "index", "idx", "example", "guid", "qid")


class Table:
    """Rows under columns. With a column of predictions and one of right answers it becomes a prediction set of the run,
    which Errors opens. `kind` says how: "class", "number" or "translation"; otherwise the values tell."""

    def __init__(self, columns=None, data=None, rows=None, dataframe=None, dtype=None, optional=True,
                 allow_mixed_types=False, kind=None, **ignored):
        if dataframe is not None:
            columns = [str(name) for name in dataframe.columns]
            data = dataframe.values.tolist()
        data = data if data is not None else rows
        if hasattr(data, "columns") and hasattr(data, "values"):
            columns = columns or [str(name) for name in data.columns]
            data = data.values.tolist()
        self.columns = [str(name) for name in (columns or ["Input", "Output", "Expected"])]
        self.kind = kind
        self.data = []
        for row in data if data is not None else []:
            self.add_data(*row)

    def add_data(self, *row):
        if len(row) != len(self.columns):
            raise ValueError("a row of %d values for %d columns" % (len(row), len(self.columns)))
        self.data.append(list(row))

    def add_row(self, *row):
        self.add_data(*row)

    def add_column(self, name, data):
        data = list(data)
        if self.data and len(data) != len(self.data):
            raise ValueError("a column of %d values for %d rows" % (len(data), len(self.data)))
        if not self.data:
            self.data = [[] for _ in data]
        self.columns.append(str(name))
        for row, value in zip(self.data, data):
            row.append(value)

    def get_column(self, name):
        return [row[self.columns.index(name)] for row in self.data]

    def _column(self, names):
        lower = [name.strip().lower() for name in self.columns]
        for name in names:
            if name in lower:
                return lower.index(name)
        return None

    def _frozen(self):
        copy = Table(columns=self.columns, kind=self.kind)
        copy.data = [list(row) for row in self.data]
        return copy

    def prediction_set(self, run, name, step):
        """Lines of predictions/<uuid>.jsonl and what is to be said about them; nothing where the columns are not there."""
        predicted, reference = self._column(_PREDICTION), self._column(_REFERENCE)
        if predicted is None or reference is None or not self.data:
            return None
        kind = self.kind or _kind_of([row[reference] for row in self.data], [row[predicted] for row in self.data])
        scores, known = self._column(_SCORES), self._column(_ROW_ID)
        texts = [place for place, title in enumerate(self.columns)
                 if place not in (predicted, reference, scores, known) and title not in ("example", "row", "details",
                                                                                         "prediction", "reference", "id")]
        set_uuid = str(_uuid.uuid4())
        fields = {"reference": "reference"}
        if texts:
            fields["input"] = self.columns[texts[0]]
        head = {"format": 1, "uuid": set_uuid, "run_uuid": run, "task": kind, "split": _split_of(name),
                "checkpoint": "step-%08d" % max(step, 0), "chosen": False, "input": "", "created": _iso(), "decoding": {},
                "fields": fields}
        lines = [_dump(head)]
        for number, row in enumerate(self.data):
            line = {"example": number}
            if known is not None and row[known] is not None:
                line["id"] = _word(row[known])
            for place in texts:
                line[self.columns[place]] = _word(row[place])
            line["reference"] = _word(row[reference])
            line["prediction"] = _word(row[predicted])
            if scores is not None:
                line["details"] = {"probabilities": _scores(row[scores])}
            lines.append(_dump(line))
        return set_uuid, ("\n".join(lines) + "\n").encode("ascii")

    def csv(self):
        out = io.StringIO()
        writer = csv.writer(out)
        writer.writerow(self.columns)
        for row in self.data:
            writer.writerow([_word(value) for value in row])
        return out.getvalue().encode("utf-8", "replace")


def _word(value):
    """A cell as a text; whole numbers without a point."""
    if isinstance(value, str):
        return value
    try:
        value = _scalar(value)
    except Exception:
        return "" if value is None else str(_option(value))
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    return repr(value)


def _scores(value):
    if isinstance(value, dict):
        return {str(name): _score(each) for name, each in value.items()}
    return [_score(each) for each in (value.tolist() if hasattr(value, "tolist") else value)]


def _score(value):
    value = float(_scalar(value))
    return value if math.isfinite(value) else _number_text(value)[1:-1]


def _split_of(name):
    first = re.split(r"[/._\- ]", str(name).lower(), maxsplit=1)[0]
    return {"test": "test", "train": "train"}.get(first, "validation")


def _kind_of(references, predictions):
    """Numbers with a fraction are residuals; few different answers are classes; everything else is a text."""
    def number(value):
        try:
            return float(value if isinstance(value, str) else _scalar(value))
        except Exception:
            return None
    numbers = [number(value) for value in references]
    if all(value is not None for value in numbers):
        guessed = [number(value) for value in predictions]
        whole = all(value is None or not math.isfinite(value) or float(value).is_integer() for value in numbers + guessed)
        return "class" if whole and len(set(numbers)) <= 256 else "number"
    words = [_word(value) for value in references]
    spaced = sum(" " in word.strip() for word in words)
    return "class" if len(set(words)) <= 256 and spaced * 4 <= len(words) else "translation"


# --- options and summary --------------------------------------------------------------------------------------


def _given_options():
    """Options that form or grid give by the environment."""
    text = os.environ.get("FATHOM_OPTIONS", "").strip()
    if not text:
        return {}
    try:
        if not text.startswith("{"):
            text = _read_text(text, 16 << 20)
        given = json.loads(text)
        return given.get("options", given) if isinstance(given, dict) else {}
    except (OSError, ValueError) as error:
        _say("FATHOM_OPTIONS cannot be read: %s" % error, "options")
        return {}


class Config:
    """Options of a run, by attribute or by item. Called, it gives the options of form or grid on top of `defaults`."""

    def __init__(self, values=None, changed=None):
        object.__setattr__(self, "_values", dict(values or {}))
        object.__setattr__(self, "_changed", changed)

    def __call__(self, defaults=None, **more):
        options = dict(_mapping(defaults))
        options.update(more)
        options.update(_given_options())
        return options

    def _tell(self):
        if self._changed is not None:
            self._changed()

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError("the run has no option %r" % name) from None

    def __setattr__(self, name, value):
        self[name] = value

    def __getitem__(self, name):
        return self._values[name]

    def __setitem__(self, name, value):
        self._values[str(name)] = value
        self._tell()

    def __delitem__(self, name):
        del self._values[name]
        self._tell()

    def __contains__(self, name):
        return name in self._values

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def __repr__(self):
        return repr(self._values)

    def keys(self):
        return self._values.keys()

    def values(self):
        return self._values.values()

    def items(self):
        return self._values.items()

    def get(self, name, otherwise=None):
        return self._values.get(name, otherwise)

    def as_dict(self):
        return dict(self._values)

    def update(self, values=None, allow_val_change=None, **more):
        self._values.update({str(key): each for key, each in _mapping(values).items()})
        self._values.update(more)
        self._tell()

    def setdefaults(self, values):
        for key, each in _mapping(values).items():
            self._values.setdefault(str(key), each)
        self._tell()

    def setdefault(self, name, value=None):
        value = self._values.setdefault(name, value)
        self._tell()
        return value


class Summary:
    """Last value of each metric; what is set here are the run's final scores."""

    def __init__(self):
        self._last = {}
        self._set = {}

    def __getitem__(self, name):
        return self._set[name] if name in self._set else self._last[name]

    def __setitem__(self, name, value):
        self._set[str(name)] = value

    def __contains__(self, name):
        return name in self._set or name in self._last

    def get(self, name, otherwise=None):
        return self[name] if name in self else otherwise

    def update(self, values=None, **more):
        for key, value in list(_mapping(values).items()) + list(more.items()):
            self[key] = value

    def keys(self):
        return dict(self._last, **self._set).keys()

    def items(self):
        return dict(self._last, **self._set).items()

    def __iter__(self):
        return iter(self.keys())

    def __len__(self):
        return len(self.keys())

    def __setattr__(self, name, value):
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            self[name] = value

    def __getattr__(self, name):
        if name.startswith("_") or name not in self:
            raise AttributeError(name)
        return self[name]

    def scores(self):
        found = {}
        for name, value in _flat(self._set).items():
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                if value not in ("NaN", "Infinity", "-Infinity"):
                    continue
            found[name] = value
        return found


# --- a run ----------------------------------------------------------------------------------------------------


class _Folder:
    """The run folder: made, locked, written to. Everything goes through descriptors, so that a folder that is renamed
    stays the run's, and one that is deleted is never made again. Raises OSError."""

    def __init__(self, path, run):
        self.path = path
        self.attempt = 0
        self.last_step = -1  # of earlier attempts
        self.resumed_from = None
        self.socket_path = ""
        self.run_fd = self.attempt_fd = self.lock_fd = self.events_fd = self.system_fd = -1
        self.size = 0
        self.torn = self.system_torn = False
        self.system_seq = 0
        os.makedirs(path, exist_ok=True)
        try:
            self.run_fd = _open_folder(path)
            self._lock()
            described = os.path.exists(os.path.join(path, "run.json"))
            if described:
                self._look_back(run)
            self._begin(run)
            if not described:
                self.describe(run.description())
        except BaseException:
            self.close()
            raise

    def _lock(self):
        self.lock_fd = os.open("lock", os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644, dir_fd=self.run_fd)
        for _ in range(40):  # whoever only asks holds it for a moment
            try:
                fcntl.flock(self.lock_fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except OSError as error:
                if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                    return  # a file system without locks: heartbeats say that the run lives
            time.sleep(0.005)
        raise BlockingIOError(errno.EWOULDBLOCK, "another process writes this run", self.path)

    def write_holder(self, uuid):
        self.socket_path = _socket_path(uuid, self.run_fd)
        holder = {"pid": os.getpid(), "host": _host(), "boot_id": "", "start_time": _start_time(os.getpid()),
                  "socket": self.socket_path, "control": True}
        with contextlib.suppress(OSError):
            holder["boot_id"] = _read_text("/proc/sys/kernel/random/boot_id").strip()
        os.ftruncate(self.lock_fd, 0)
        os.pwrite(self.lock_fd, (_dump(holder) + "\n").encode("ascii"), 0)

    def _numbers(self):
        try:
            names = os.listdir(os.path.join(self.path, "attempts"))
        except OSError:
            return []
        return sorted(int(name) for name in names if len(name) >= 4 and name.isdigit() and int(name) > 0)

    def _look_back(self, run):
        """A run that is there already: its identity, its last step, the last checkpoint that it noted."""
        with contextlib.suppress(OSError, ValueError, AttributeError):
            known = json.loads(_read_text(os.path.join(self.path, "run.json"), 64 << 20))
            run.uuid = str(known.get("uuid") or run.uuid)
            run.name = str(known.get("name") or run.name)
        for number in reversed(self._numbers()):
            events = os.path.join(self.path, "attempts", "%04d" % number, "events.jsonl")
            with contextlib.suppress(OSError):
                with open(events, "rb") as file:
                    file.seek(max(0, os.path.getsize(events) - (4 << 20)))
                    for line in file:
                        self._look_at(line)
            if self.last_step >= 0:
                return

    def _look_at(self, line):
        try:
            event = json.loads(line)
            step, kind = int(event.get("step", -1)), event.get("k")
        except (ValueError, TypeError, AttributeError):
            return
        if kind in ("step", "validation"):
            self.last_step = max(self.last_step, step)
        if kind == "checkpoint" and os.path.exists(str(event.get("name"))):
            self.resumed_from = str(event["name"])

    def _begin(self, run):
        self.write_holder(run.uuid)
        attempts = _make_folder("attempts", self.run_fd)
        try:
            self.attempt = (self._numbers() or [0])[-1] + 1
            name = "%04d" % self.attempt
            self.attempt_fd = _make_folder(".new", attempts)
            self.write_config(run)
            os.rename(".new", name, src_dir_fd=attempts, dst_dir_fd=attempts)
            with contextlib.suppress(OSError):
                os.fsync(attempts)
        finally:
            os.close(attempts)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
        self.events_fd = os.open("events.jsonl", flags, 0o644, dir_fd=self.attempt_fd)

    def write_config(self, run):
        config = {"format": 1, "name": run.name, "options": _with_seed(_flat(run.config.as_dict()))}
        _write_file(self.attempt_fd, "config.json", _json_bytes(config))

    def describe(self, description):
        _write_file(self.run_fd, "run.json", _json_bytes(description))

    def inside(self, name, file, data):
        """Writes a file into a folder of the run."""
        folder = _make_folder(name, self.run_fd)
        try:
            _write_file(folder, file, data)
        finally:
            os.close(folder)

    def deleted(self):
        try:
            return os.fstat(self.run_fd).st_nlink == 0 or os.fstat(self.events_fd).st_nlink == 0
        except OSError:
            return False

    def here(self):
        """Where the folder lies now."""
        with contextlib.suppress(OSError):
            moved = os.readlink("/proc/self/fd/%d" % self.run_fd)
            if os.path.isdir(moved):
                return moved
        return self.path

    def append(self, data):
        """Whole lines; after an error the file ends with a whole line, or the next begins one."""
        if self.torn:
            _write_all(self.events_fd, b"\n")
            self.torn = False
            self.size = os.fstat(self.events_fd).st_size
        try:
            _write_all(self.events_fd, data)
        except OSError:
            try:
                os.ftruncate(self.events_fd, self.size)
            except OSError:
                self.torn = True
            raise
        self.size += len(data)

    def append_system(self, kind, members):
        """A line of the load's own stream; one that the disk does not take is lost."""
        if self.system_fd < 0:
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
            self.system_fd = os.open("system.jsonl", flags, 0o644, dir_fd=self.attempt_fd)
        line = _closed('{"v":1,"seq":%d,"t":%.6f,"k":"%s",' % (self.system_seq, time.time(), kind) + _dump(members)[1:-1])
        torn, self.system_torn = self.system_torn, True
        _write_all(self.system_fd, b"\n" + line if torn else line)
        self.system_torn = False
        self.system_seq += 1

    def close(self):
        for name in ("events_fd", "system_fd", "attempt_fd", "run_fd", "lock_fd"):
            fd = getattr(self, name)
            setattr(self, name, -1)
            if fd >= 0:
                with contextlib.suppress(OSError):
                    os.close(fd)


def _readable(watched, seconds):
    """Those of these sockets and descriptors that can be read, after at most so long."""
    numbers = {each if isinstance(each, int) else each.fileno(): each for each in watched}
    try:
        poll = select.poll()  # select() knows no descriptor above 1023
        for number in numbers:
            poll.register(number, select.POLLIN)
        return [numbers[number] for number, _ in poll.poll(int(seconds * 1000))]
    except (OSError, ValueError, AttributeError):
        time.sleep(seconds)
        return []


class _Control:
    """The socket on which stop, save and abort arrive."""

    def __init__(self, path):
        self.path = path
        self.listening = None
        self.clients = []
        if not path:
            return
        with contextlib.suppress(OSError):
            os.unlink(path)
        try:
            self.listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self.listening.bind(path)
            self.listening.listen(8)
            self.listening.setblocking(False)
        except OSError:
            self.close()

    def wait(self, seconds, wake, take):
        """Whether the writer was woken."""
        woken = False
        watched = [wake] + ([self.listening] if self.listening is not None else []) + [client for client, _ in self.clients]
        for one in _readable(watched, seconds):
            if one is self.listening:
                with contextlib.suppress(OSError):
                    client, _ = self.listening.accept()
                    client.setblocking(False)
                    self.clients.append((client, bytearray()))
            elif one is wake:
                woken = True
            else:
                self._hear(one, take)
        return woken

    def _hear(self, client, take):
        text = next(heard for known, heard in self.clients if known is client)
        try:
            data = client.recv(4096)
        except OSError:
            data = b""
        text.extend(data)
        while b"\n" in text:
            word, _, rest = bytes(text).partition(b"\n")
            text[:] = rest
            answer = take(word.decode("ascii", "replace").strip())
            with contextlib.suppress(OSError):  # whoever asks need not read
                client.send((answer + "\n").encode("utf-8"), getattr(socket, "MSG_NOSIGNAL", 0))
        if not data or len(text) > 4096:
            self.clients = [each for each in self.clients if each[0] is not client]
            client.close()

    def close(self, keep_file=False):
        for client, _ in self.clients:
            client.close()
        self.clients = []
        if self.listening is not None:
            self.listening.close()
            self.listening = None
            if not keep_file:
                with contextlib.suppress(OSError):
                    os.unlink(self.path)


def _whole_step(step):
    step = int(step)
    if not 0 <= step <= 1 << 53:
        raise ValueError("its step %d is no number from 0 to 2^53" % step)
    return step


def _parts(items):
    """A row of more than one line holds goes over several."""
    part, size = [], 0
    for item in items:
        if part and size + len(item) > _FULL_LINE:
            yield part
            part, size = [], 0
        part.append(item)
        size += len(item) + 1
    if part:
        yield part


def _closed(text):
    body = text.encode("ascii")
    return body + b',"crc32":%d}\n' % zlib.crc32(body)


class _Told:
    """Something that run.json says of a run and that the program may change while it goes on."""

    def __init__(self, clean):
        self._clean = clean

    def __set_name__(self, owner, name):
        self._name = "_told_" + name

    def __get__(self, run, owner=None):
        return self if run is None else run.__dict__[self._name]

    def __set__(self, run, value):
        run.__dict__[self._name] = self._clean(value)
        writer = run.__dict__.get("_writer")
        if writer is not None:
            writer.redescribe = writer.reconfigure = True


def _words(value):
    return tuple(str(each) for each in ([value] if isinstance(value, str) else value or ()))


class Run:
    """What init() gives. `step` is the next one, `dir` the folder."""

    name = _Told(str)
    group = _Told(lambda value: str(value or ""))
    job_type = _Told(lambda value: str(value or ""))
    notes = _Told(lambda value: str(value or ""))
    tags = _Told(_words)

    def __init__(self, place, uuid, name, project, group="", job_type="", tags=(), notes="", config=None, interrupt=False,
                 total_updates=-1, silent=False, wandb_id=None):
        self.uuid = uuid
        self.id = wandb_id or uuid
        self.name = name
        self.project = project
        self.entity = ""
        self.url = ""
        self.group = group
        self.job_type = job_type
        self.tags = tags
        self.notes = notes
        self.start_time = time.time()
        self.config = Config(config, self._config_changed)
        self.summary = Summary()
        self.resumed = False
        self.sweep_id = None
        self.settings = _Nothing("settings")
        self._place = place
        self._interrupt = interrupt
        self._total = int(total_updates) if total_updates else -1
        self._silent = silent
        self._lock = threading.RLock()
        # Time, step and {name: number}, or time, step, names and their numbers; time, kind and {member: value}. They stand side
        # by side: of tuples and dictionaries that are alive the interpreter's collector would make rounds, in the callers' time.
        self._queue = collections.deque()
        self._row_names = ()
        self._step = 0
        self._open_step = None  # of a row that was logged with its step and not closed
        self._held = {}  # rows that wait for commit
        self._last_logged = 0
        self._logged = False
        self._names = {}
        self._directions = {}
        self._rules = []  # of define_metric: pattern, direction, x axis
        self._axes = {}
        self._step_metrics = frozenset()
        self._passed_over = {}
        self._stop = self._save = False
        self._stop_seen = self._asked = False
        self._ended = False
        self._exit_code = None
        self._extra = {}
        self._of = None  # the callback or logger that began it
        self._writer = None
        self._provenance = {"command": _command(), "folder": os.getcwd() if not silent else "", "python": sys.version.split()[0],
                            "host": _host(), "pid": os.getpid(), "libraries": _libraries()} if not silent else {}
        if not silent:
            self._writer = _Writer(self)

    # --- logging ---

    @property
    def step(self):
        return self._step

    @property
    def starting_step(self):
        return 0

    @property
    def dir(self):
        return self._place

    path = dir

    @property
    def disabled(self):
        return self._silent

    def log(self, data=None, step=None, commit=None, sync=None, **more):
        """A row: {name: number}, nested dictionaries by '.'. Without `step` each row is one more step; rows logged with
        commit=False wait for the next. Names that begin with valid, val, eval, test or dev are validations."""
        if self._silent or self._ended:
            return
        try:
            if type(data) is dict and commit is None and not self._held and self._exit_code is None:
                for value in data.values():  # the usual row, on the shortest way
                    kind = type(value)
                    if kind is not float and kind is not int:
                        break
                else:
                    self._log_plain(data, step)
                    data = None
            if data is not None or more:
                self._log(data if data is not None else more, step, commit)
        except KeyboardInterrupt:
            raise
        except Exception as error:  # nothing that is logged ends a training
            self._passed_over["rows"] = self._passed_over.get("rows", 0) + 1
            _say("a row could not be logged: %s: %s" % (type(error).__name__, error), "log %s" % type(error).__name__)
        if self._stop and self._interrupt and not self._stop_seen:
            self._stop_seen = True
            raise KeyboardInterrupt("fathom: the run was asked to stop")

    def _log_plain(self, data, step):
        """What _log does with a row of plain numbers that nothing waits for."""
        with self._lock:
            if step is None:
                at = self._step
                self._step = at + 1
                self._open_step = None
            else:
                at = self._step = self._open_step = _whole_step(step)
            if data:
                self.summary._last.update(data)
                names = tuple(data)
                if names == self._row_names:
                    names = self._row_names
                else:
                    self._row_names = names
                entry = (time.time(), at, names, *data.values())
                self._keep(at, entry if len(entry) == 3 + len(names) else (entry[0], at, dict(data)))

    def _log(self, data, step, commit):
        with self._lock:
            if self._exit_code is not None:
                self._exit_code = None  # sys.exit was called and caught
            if step is not None:
                step = _whole_step(step)
                if self._held and step != self._step:
                    self._close_row()
                self._step = step
            elif self._open_step is not None and self._open_step != self._step:
                self._open_step = None
            if commit is False:
                self._held.update(_mapping(data))
                return
            if self._held:
                self._held.update(_mapping(data))
                data, self._held = self._held, {}
            self._row(self._step, data)
            if step is not None and commit is None:
                self._open_step = step  # what comes without a step belongs to this one
            else:
                self._step += 1
                self._open_step = None

    def _close_row(self):
        data, self._held = self._held, {}
        if data:
            self._row(self._step, data)
            self._step += 1

    def _learn(self, name):
        """The name as JSON, and whether it is one of a validation; None where it is too long."""
        text = _dump(str(name))
        known = self._names[name] = (text if len(text) <= 4096 else None, bool(_EVALUATION.match(str(name))))
        for pattern, direction, axis in list(self._rules):
            if fnmatch.fnmatchcase(str(name), pattern):
                self._declare(str(name), direction, axis)
        return known

    def _declare(self, name, direction, axis):
        if direction and self._directions.get(name) != direction:
            self._directions[name] = direction
            self._writer.redescribe = True
        if axis and self._axes.get(name) != axis:
            self._axes[name] = axis
            self._step_metrics = frozenset(self._axes.values())
            self._writer.redescribe = True

    def _row(self, step, data):
        """Nothing is made of a row here: the writer does that. What could change meanwhile is copied."""
        if type(data) is not dict:
            data = _mapping(data)
        for value in data.values():
            kind = type(value)
            if kind is not float and kind is not int:
                data = self._numbers_in(data, step)
                break
        else:
            data = dict(data)
        if not data:
            return
        self.summary._last.update(data)
        self._keep(step, (time.time(), step, data))

    def _keep(self, step, entry):
        self._last_logged = step
        self._logged = True
        if len(self._queue) < _MOST_QUEUED:
            self._queue.extend(entry)
        else:
            self._passed_over["rows"] = self._passed_over.get("rows", 0) + 1
            _say("the disk is too slow: rows are left out", "crowded")

    def _numbers_in(self, data, step):
        found = {}
        for name, value in data.items():
            kind = type(value)
            if kind is float or kind is int:
                found[name] = value
            elif isinstance(value, dict):
                found.update(self._numbers_in(dict(self._flattened(value, str(name) + ".")), step))
            elif isinstance(value, Table):
                self._keep_table(name, value, step)
            elif isinstance(value, _Nothing):
                self._passed_over[name] = self._passed_over.get(name, 0) + 1
            else:
                try:
                    # Nobody waits for a device here; and the program may add to its own tensor meanwhile.
                    found[name] = value.detach().clone() if _waits_for_device(value) and value.numel() == 1 else _scalar(value)
                except Exception:
                    self._pass_over(name, value)
        return found

    @staticmethod
    def _flattened(value, prefix, depth=0):
        for key, each in value.items():
            name = prefix + str(key)
            if isinstance(each, dict) and depth < 8:
                for found in Run._flattened(each, name + ".", depth + 1):
                    yield found
            else:
                yield name, each

    def _pass_over(self, name, value):
        count = self._passed_over.get(name, 0)
        self._passed_over[name] = count + 1
        if count == 0 and not isinstance(value, _Nothing) and value is not None:
            _say("%r is no number (%s): not recorded" % (name, type(value).__name__), "value " + str(name))

    def _emit(self, event, **members):
        self._queue.extend((time.time(), event, members))

    def flush(self, timeout=_PATIENCE):
        """Waits until everything that was logged is written. True when it is."""
        return True if self._silent or self._writer is None else self._writer.flush(timeout)

    # --- what people declare ---

    def define_metric(self, name, step_metric=None, step_sync=None, hidden=None, summary=None, goal=None, overwrite=None,
                      **ignored):
        """Which values of a metric are the better ones: goal "minimize" or "maximize", or summary "min" or "max".
        `step_metric`: the metric that is its horizontal axis; the window offers it beside updates, time and tokens."""
        if self._silent:
            return _Nothing("define_metric")
        word = str(goal or summary or "").lower()
        direction = "lower" if word.startswith("min") else "higher" if word.startswith("max") else ""
        axis = str(getattr(step_metric, "name", step_metric) or "")
        with self._lock:
            self._rules.append((str(name), direction, axis))
            for known in [str(name)] + list(self._names):
                if fnmatch.fnmatchcase(known, str(name)) and "*" not in known:
                    self._declare(known, direction, axis)
        return _Nothing("define_metric")

    def progress(self, done, total, phase="training", unit="updates"):
        """How far the run is; `total` gives the table its bar and its remaining time."""
        if not self._silent and not self._ended:
            self._emit("progress", phase=str(phase), unit=str(unit), done=float(done), total=float(total),
                       spent=round(time.time() - self.start_time, 3), step=int(self._last_logged))

    def checkpoint(self, path, step=None, best=False):
        """Notes a checkpoint that the program has written: resume_from() of the next attempt gives it."""
        if self._silent or self._ended:
            return
        path = os.path.abspath(str(path))
        size = 0
        with contextlib.suppress(OSError):
            files = [path] if os.path.isfile(path) else [os.path.join(at, name) for at, _, names in os.walk(path) for name in names]
            size = sum(os.path.getsize(file) for file in files)
        self._emit("checkpoint", step=int(self._last_logged if step is None else step), name=path, bytes=size,
                   best=bool(best))

    def _config_changed(self):
        if self._writer is not None:
            self._writer.reconfigure = True

    def _keep_table(self, name, table, step):
        if self._writer is not None:
            self._writer.keep(lambda folder: self._write_table(folder, name, table._frozen(), step))

    def _write_table(self, folder, name, table, step):
        found = table.prediction_set(self.uuid, name, step)
        if found is not None:
            folder.inside("predictions", found[0] + ".jsonl", found[1])
        else:
            folder.inside("artifacts", "%s-%08d.csv" % (_plain(name, "table"), max(step, 0)), table.csv())

    def description(self):
        """run.json."""
        text = {"uuid": self.uuid, "format": 1, "name": self.name, "created": _iso(self.start_time),
                "writer": {"program": "fathom.py", "version": __version__}}
        for key, value in (("group", self.group), ("job_type", self.job_type), ("notes", self.notes)):
            if value:
                text[key] = value
        if self.tags:
            text["tags"] = list(self.tags)
        with self._lock:
            declared = [self._declaration(name) for name in sorted(set(self._directions) | set(self._axes))]
            if declared:
                text["metrics"] = declared
            text["provenance"] = dict(self._provenance, **self._extra)
        return text

    def _declaration(self, name):
        declared = {"id": name}
        if name in self._directions:
            declared["direction"] = self._directions[name]
        if name in self._axes:
            declared["step_metric"] = self._axes[name]
        return declared

    # --- stop and save ---

    def should_stop(self):
        """Somebody asked the run to stop: save what is worth saving and leave the loop."""
        self._asked = True
        self._stop_seen = self._stop_seen or self._stop
        return self._stop

    def should_save(self):
        """Somebody asked for a checkpoint; true once for each time."""
        asked, self._save = self._save, False
        return asked

    def resume_from(self):
        """The checkpoint to go on from, or None: what the environment names, else the last that checkpoint() noted."""
        given = os.environ.get("FATHOM_RESUME_FROM", "").strip()
        if given:
            return given
        folder = self._writer.folder if self._writer is not None else None
        return folder.resumed_from if folder is not None else None

    def _command_word(self, word):
        if word == "ping":
            return "ok " + self.uuid
        if word == "checkpoint":
            self._save = True
            return "ok " + self.uuid
        if word == "stop":
            if self._stop:  # a second one means now
                os.kill(os.getpid(), signal.SIGINT)
            self._stop = True
            return "ok " + self.uuid
        if word == "abort":
            self._writer.abort()
            return "ok " + self.uuid
        return "error unknown command; one of checkpoint, stop, abort, ping"

    # --- the end ---

    def finish(self, exit_code=None, quiet=None, score=None):
        """Ends the run: finished, stopped after a stop, failed with another exit code than 0. `score`: what it is worth."""
        if score is not None:
            self.summary.update(score if isinstance(score, dict) else {"score": score})
        code = int(exit_code or 0)
        if code:
            self._end("failed", "exit_code", "the program said that it ended with code %d" % code, code)
        else:
            self._end("stopped" if self._stop and self._stop_seen else "finished")

    def discard(self):
        """The run is worth nothing: it ends, and its folder goes into the project's trash."""
        self._end("stopped", "discarded", "the program discarded the run")
        if self._silent or self._writer is None or not self._place:
            return
        runs = os.path.dirname(os.path.abspath(self._place))
        if os.path.basename(runs) == "runs":
            with contextlib.suppress(OSError):
                trash = os.path.join(os.path.dirname(runs), "trash")
                os.makedirs(trash, exist_ok=True)
                os.rename(self._place, os.path.join(trash, os.path.basename(self._place)))

    def _end(self, state, cause="", message="", code=0, trace=""):
        global _current
        if self._ended:
            return
        if not self._silent:
            with contextlib.suppress(Exception):
                with self._lock:
                    self._close_row()
        self._ended = True
        if _current is self:
            _current = None
        if self._silent or self._writer is None:
            return
        left = {name: count for name, count in self._passed_over.items() if count}
        details = {"not_recorded": left} if left else {}
        step = int(self._last_logged)
        scores = self.summary.scores()
        if state == "failed":
            self._emit("run_failed", **{"kind": "program", "cause": cause, "message": message[:4000], "exit_code": code})
        else:
            ended = {"step": step, "m": scores}
            if state == "stopped":
                ended["stopped"] = True
            self._emit("run_finished", **ended)
        outcome = {"state": state, "cause": cause, "step": step, "last_finite_step": step, "first_module": "",
                   "last_good_checkpoint": "", "message": message[:4000], "details": details, "exit_code": code,
                   "scores": scores, "finished_at": _iso()}
        self._writer.end(outcome, trace)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is None:
            self.finish()
        else:
            _end_by_exception(self, kind, value, trace)
        return False

    def _forget(self):
        """In a forked child: the run is its parent's."""
        self._silent = True
        self._lock = threading.RLock()
        self._queue = collections.deque()
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.forget()

    def get_url(self):
        return ""

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return _Nothing("run." + name)


class _Writer:
    """One thread: lines to the disk, heartbeat, host, socket."""

    def __init__(self, run):
        self._run = weakref.proxy(run)
        self.folder = None
        self.control = None
        self.redescribe = self.reconfigure = False
        self._tasks = collections.deque()
        self._asked = self._done = 0  # flushes
        self._flushed = threading.Condition()
        self._outcome = None
        self._trace = ""
        self._closed = False
        self._gone = False
        self._retry_at = self._deadline = 0.0
        self._looked, self._heeded = False, set()  # names of wishes that cannot be removed
        self._seq = 1  # 0 is run_started
        self._waiting = []  # lines for the disk
        self._bytes = 0  # of them
        self._wake_in, self._wake_out = os.pipe()
        for end in (self._wake_in, self._wake_out):
            os.set_blocking(end, False)
        try:
            self._take(self._open(run))
        except BlockingIOError as error:
            self._give_up("%s: it is not written twice" % error.strerror)
        except OSError as error:
            self._trouble(error)
        self._thread = None
        if not self._gone:
            self._thread = threading.Thread(target=self._work, name="fathom", daemon=True)
            self._thread.start()
            self._around = threading.Thread(target=self._look_around, name="fathom-provenance", daemon=True)
            self._around.start()

    def _open(self, run):
        self.folder = _Folder(run._place, run)
        self.control = _Control(self.folder.socket_path)
        if self.folder.attempt > 1:
            run.resumed = True
            run._step = max(run._step, self.folder.last_step + 1)
        started = {"attempt": self.folder.attempt, "resumed_from": self.folder.resumed_from or "", "bit_exact": False,
                   "device": "", "threads": os.cpu_count() or 1, "total_updates": run._total}
        return _closed('{"v":1,"seq":0,"t":%.6f,"k":"run_started",' % run.start_time + _dump(started)[1:-1])

    def _give_up(self, text):
        self._gone = self._closed = True
        run = self._run
        run._silent = True
        run._queue.clear()
        _say("nothing is recorded from here on: " + text, "gone")
        self._shut()

    def _trouble(self, error):
        if self._gone:
            return
        if self.folder is not None and self.folder.deleted():
            self._give_up("the folder of the run was deleted")
            return
        _say("%s: %s; the training goes on, writing is tried again every %d s" % (self._run._place, error, _RETRY), "disk")
        self._retry_at = time.monotonic() + _RETRY

    # --- the thread ---

    def _work(self):
        beat = sampled = checked = looked = time.monotonic()
        longest = _sample_seconds()
        pause = min(1.0, longest)  # a short program leaves samples, too
        sampler = _Sampler()
        sampler.sample()
        try:
            while not self._closed:
                self._wait()
                now = time.monotonic()
                sampler.poll()
                if now - checked >= 1.0:
                    checked = now
                    if self.folder is not None and self.folder.deleted():
                        return self._give_up("the folder of the run was deleted")
                if now - looked >= _WISHES:
                    looked = now
                    self._look_for_wishes()
                if now - beat >= _HEARTBEAT:
                    beat = now
                    self._run._emit("heartbeat", step=int(self._run._last_logged))
                    with contextlib.suppress(OSError):
                        if self.folder is not None:
                            _sync(self.folder.events_fd)
                if now - sampled >= pause:
                    sampled = now
                    pause = min(2 * pause, longest)
                    self._sample(sampler)
                self._round()
        except ReferenceError:
            pass
        except Exception as error:  # never the training's fault, never its problem
            with contextlib.suppress(Exception):
                self._give_up("%s: %s" % (type(error).__name__, error))
        finally:
            sampler.close()
            with self._flushed:
                self._closed = True
                self._flushed.notify_all()

    def _look_for_wishes(self):
        """Stop, save and abort as files, for who shares the disk and cannot reach the socket."""
        if self.folder is None:
            return
        place, first = os.path.join(self.folder.here(), "control"), not self._looked
        self._looked = True
        try:
            names = sorted(os.listdir(place))
        except OSError:
            return
        for name in names:
            stem, _, word = name.rpartition(".")
            if not stem or name in self._heeded or word not in ("stop", "checkpoint", "abort"):
                continue
            try:
                os.unlink(os.path.join(place, name))
            except FileNotFoundError:
                pass
            except OSError:
                self._heeded.add(name)
                if first:  # an earlier attempt may have heeded it
                    continue
            if word != "stop" or not self._run._stop:  # files of several people are one wish
                self._run._command_word(word)

    def _wait(self):
        control = self.control
        if control is None:
            woken = bool(_readable([self._wake_in], _TICK))
        else:
            woken = control.wait(_TICK, self._wake_in, self._run._command_word)
        if woken:
            with contextlib.suppress(OSError):
                os.read(self._wake_in, 4096)

    def _sample(self, sampler):
        if self.folder is None:
            return
        values = sampler.sample(self.folder.run_fd)
        with contextlib.suppress(OSError):
            if self.folder.system_seq == 0:
                self.folder.append_system("machine", sampler.machine())
            if values:
                self.folder.append_system("system", {"m": values})

    def _round(self):
        """Everything that waits goes to the disk, in its order."""
        run = self._run
        with self._flushed:
            asked, outcome = self._asked, self._outcome
        hurry = outcome is not None or asked > self._done
        if self.folder is None and outcome is None and time.monotonic() >= self._retry_at:
            try:
                started = self._open(run)
                self._waiting.insert(0, started)
                self._bytes += len(started)
            except OSError as error:
                self._trouble(error)
        last = len(run._queue)
        pause = time.monotonic() + _TURN
        while last > 0:
            for _ in range(16):
                if last <= 0:
                    break
                size, entry = self._next(run._queue)
                for line in self._lines_of(run, entry):
                    self._take(line)
                last -= size
            if self._bytes >= _MOST_LINE:
                self._write(run, hurry)
            if last > 0 and not hurry and time.monotonic() >= pause:  # the training wants the interpreter, too
                time.sleep(0.0001)
                pause = time.monotonic() + _TURN
        self._write(run, hurry)
        done = not self._waiting and not self._tasks and not run._queue
        if outcome is not None:
            late = time.monotonic() > self._deadline
            if (done or late) and self.folder is not None and not self._gone:
                done = self._concluded(outcome)
            if done or late or self.folder is None:
                self._shut()
                self._closed = True
        if done or self._closed:
            with self._flushed:
                self._done = max(self._done, asked)
                self._flushed.notify_all()

    def _take(self, line):
        """At most 16 MiB wait for a disk; the newest are left out and show as missing events."""
        if self._bytes + len(line) > _MOST_WAITING:
            self._run._passed_over["rows"] = self._run._passed_over.get("rows", 0) + 1
            return
        self._waiting.append(line)
        self._bytes += len(line)

    @staticmethod
    def _next(queue):
        """How much of the queue it took, and (time, step or kind, {name: value}); what comes into it comes whole."""
        now, what, members = queue.popleft(), queue.popleft(), queue.popleft()
        if type(members) is not tuple:
            return 3, (now, what, members)
        return 3 + len(members), (now, what, {name: queue.popleft() for name in members})

    def _lines_of(self, run, entry):
        now, what, members = entry
        if isinstance(what, str):
            text = ',"k":"%s"' % what + ("," + _dump(_option(members))[1:-1] if members else "")
            line = self._numbered(now, text)
            return [line] if len(line) <= _MOST_LINE else []
        training, evaluation, trained_on = [], [], []
        epoch = tokens = '"NaN"'
        for name, value in members.items():
            known = run._names.get(name) or run._learn(name)
            if known[0] is None:
                continue
            try:
                text = _number_text(value if type(value) is float or type(value) is int else _scalar(value))
            except Exception:
                run._pass_over(name, value)
                continue
            (evaluation if known[1] else training).append(known[0] + ":" + text)
            if not known[1]:
                trained_on.append(name)
            if name == "epoch":
                epoch = text
            elif name in _TOKENS:
                tokens = text
        if evaluation and all(name in _AXES for name in trained_on):  # the axes of a validation alone
            training = [text for name, text in zip(trained_on, training) if name in run._step_metrics]
        place = ',"step":%d,"epoch":%s,"tokens":%s,"m":{' % (what, epoch, tokens)
        lines = []
        for kind, items in (("step", training), ("validation", evaluation)):
            for part in _parts(items):
                lines.append(self._numbered(now, ',"k":"' + kind + '"' + place + ",".join(part) + "}"))
        return lines

    def _numbered(self, now, rest):
        seq = self._seq
        self._seq = seq + 1
        return _closed('{"v":1,"seq":%d,"t":%.6f' % (seq, now) + rest)

    def _write(self, run, hurry):
        if self._gone or self.folder is None or (time.monotonic() < self._retry_at and self._outcome is None):
            return
        try:
            self._put(run)
        except OSError as error:
            self._trouble(error)

    def _put(self, run):
        while self._waiting:
            count = size = 0
            for line in self._waiting:
                if count and size + len(line) > _MOST_LINE:
                    break
                size += len(line)
                count += 1
            self.folder.append(b"".join(self._waiting[:count]))
            del self._waiting[:count]
            self._bytes -= size
        while self._tasks:
            try:
                self._tasks[0](self.folder)
            except OSError:
                raise
            except Exception as error:
                _say("a table could not be kept: %s" % error, "table")
            self._tasks.popleft()
        if self.reconfigure:
            self.reconfigure = False
            self._again("reconfigure", lambda: self.folder.write_config(run))
        if self.redescribe:
            self.redescribe = False
            self._again("redescribe", lambda: self._describe(run))

    def _describe(self, run):
        if self.folder.attempt == 1:
            return self.folder.describe(run.description())
        path = os.path.join(self.folder.here(), "run.json")  # the first attempt's stays, what is new is added
        known = json.loads(_read_text(path, 64 << 20))
        fresh = run.description()
        metrics = {each.get("id"): each for each in known.get("metrics", []) + fresh.get("metrics", [])}
        if metrics:
            known["metrics"] = [each for _, each in sorted(metrics.items())]
        known.update({key: fresh[key] for key in ("name", "group", "job_type", "notes", "tags") if key in fresh})
        known["provenance"] = dict(known.get("provenance") or {}, **fresh["provenance"])
        self.folder.describe(known)

    def _again(self, flag, write):
        try:
            write()
        except OSError:
            setattr(self, flag, True)
            raise

    def _concluded(self, outcome):
        rows = self._run._passed_over.get("rows", 0) + len(self._waiting)
        if rows:
            outcome["details"].setdefault("not_recorded", {})["rows"] = rows
        if self._waiting and not outcome["message"]:
            outcome["message"] = "%d rows are not recorded: the disk took no more" % rows
        try:
            self._conclude(outcome)
            return True
        except OSError as error:
            self._trouble(error)
            return False

    def _conclude(self, outcome):
        if self._trace:
            with contextlib.suppress(OSError):
                _write_file(self.folder.attempt_fd, "stderr.log", self._trace.encode("utf-8", "replace"))
        with contextlib.suppress(OSError):
            _sync(self.folder.events_fd)
        _write_file(self.folder.attempt_fd, "outcome.json", _json_bytes(outcome))

    def _shut(self):
        if self.control is not None:
            self.control.close()
            self.control = None
        if self.folder is not None:
            self.folder.close()

    # --- from other threads ---

    def _wake(self):
        with contextlib.suppress(OSError):
            os.write(self._wake_out, b"x")

    def keep(self, write):
        if len(self._tasks) < 1000:
            self._tasks.append(write)

    def flush(self, timeout):
        with self._flushed:
            self._asked += 1
            mine = self._asked
            self._wake()
            return self._flushed.wait_for(lambda: self._done >= mine or self._closed, timeout) and not self._gone \
                and not self._waiting

    def end(self, outcome, trace):
        if self._thread is None:
            return
        self._around.join(2.0)  # of a program that takes no longer than git
        self._deadline = time.monotonic() + _PATIENCE / 2
        with self._flushed:
            self._outcome, self._trace = outcome, trace
        self._wake()
        if threading.current_thread() is not self._thread:
            self._thread.join(_PATIENCE)

    def abort(self):
        """From the writer's own thread: the run ends here, whatever the program does."""
        run = self._run
        with contextlib.suppress(Exception):
            self._put_all(run)
            self._conclude({"state": "killed", "cause": "aborted", "step": int(run._last_logged),
                            "last_finite_step": int(run._last_logged), "first_module": "", "last_good_checkpoint": "",
                            "message": "aborted", "details": {}, "exit_code": 137, "scores": {}, "finished_at": _iso()})
        if self.control is not None:
            self.control.close()
        os.kill(os.getpid(), signal.SIGKILL)

    def _put_all(self, run):
        while run._queue:
            for line in self._lines_of(run, self._next(run._queue)[1]):
                self._take(line)
        self._put(run)

    def forget(self):
        """In a forked child: what it shares with its parent is closed here, and stays the parent's."""
        self._closed = True
        if self.control is not None:
            self.control.close(keep_file=True)
        if self.folder is not None:
            self.folder.close()
        for fd in (self._wake_in, self._wake_out):
            with contextlib.suppress(OSError):
                os.close(fd)

    def _look_around(self):
        """The user's repository and packages; at most five seconds of git."""
        try:
            deadline = time.monotonic() + 5
            run = self._run
            source, files = {}, {}
            script = os.path.abspath(sys.argv[0]) if sys.argv and sys.argv[0] else ""
            folder = os.path.dirname(script) if os.path.exists(script) else os.getcwd()
            with contextlib.suppress(Exception):
                source["revision"] = _git(folder, deadline, "rev-parse", "HEAD").decode().strip()
                diff = _git(folder, deadline, "diff", "HEAD")
                source["diff_bytes"] = len(diff)
                if diff:
                    files["source.diff"] = diff[:1 << 20]
                    source["diff"] = "artifacts/source.diff"
                names = _git(folder, deadline, "ls-files", "--others", "--exclude-standard").decode("utf-8", "replace")
                source["untracked"] = names.split("\n")[:-1][:100]
            packages = _packages()
            if packages:
                files["requirements.txt"] = packages.encode("utf-8", "replace")
            with run._lock:
                if source:
                    run._extra["source"] = source
                run._extra["libraries"] = _libraries()
                if packages:
                    run._extra["packages"] = "artifacts/requirements.txt"
            for name, data in files.items():
                self.keep(lambda at, name=name, data=data: at.inside("artifacts", name, data))
            self.redescribe = True
        except ReferenceError:
            pass
        except Exception as error:
            _say("where the program comes from is not recorded: %s" % error, "provenance")


# --- how a program ends ---------------------------------------------------------------------------------------

_current = None
_hooked = False


def _end_by_exception(run, kind, value, trace):
    if issubclass(kind, KeyboardInterrupt):
        run._end("stopped", "interrupt", "interrupted at the keyboard", 130)
        return
    if issubclass(kind, SystemExit):
        _end_by_code(run, value.code)
        return
    with contextlib.suppress(Exception):
        lines = traceback.format_exception(kind, value, trace)
        run._end("failed", "exception", "".join(traceback.format_exception_only(kind, value)).strip(), 1, "".join(lines))
        return
    run._end("failed", "exception", kind.__name__, 1)


def _end_by_code(run, code):
    if code is None or code == 0:
        run._end("stopped" if run._stop and run._stop_seen else "finished")
    elif isinstance(code, int):
        run._end("failed", "exit_code", "the program ended with code %d" % code, code)
    else:
        run._end("failed", "exit_code", str(code), 1)


def _hook():
    """Once: the ends of a program are looked at, each by what was there before, too."""
    global _hooked
    if _hooked:
        return
    _hooked = True
    before = sys.excepthook

    def excepthook(kind, value, trace):
        if _current is not None:
            with contextlib.suppress(Exception):
                _end_by_exception(_current, kind, value, trace)
        before(kind, value, trace)

    sys.excepthook = excepthook
    leave = sys.exit

    def exit(status=None):
        if _current is not None:
            _current._exit_code = (status,)
        leave(status)

    sys.exit = exit
    atexit.register(_at_exit)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_after_fork)
    _hook_termination()


def _hook_termination():
    """Only where nobody else listens. A program that asks should_stop() ends by itself, another one is ended."""
    if threading.current_thread() is not threading.main_thread():
        return
    try:
        if signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
            return

        first = []

        def terminate(number, frame):
            run = _current
            if first:
                # timeout(1) and batch systems send two at once; one that comes later is as ever.
                if time.monotonic() - first[0] > 2:
                    signal.signal(signal.SIGTERM, signal.SIG_DFL)
                    os.kill(os.getpid(), signal.SIGTERM)
                return
            first.append(time.monotonic())
            if run is not None and run._asked:
                run._stop = True
                return
            if run is not None:
                run._exit_code = ("terminated",)
            raise SystemExit(128 + number)

        terminate._of_fathom = True
        signal.signal(signal.SIGTERM, terminate)
    except (ValueError, OSError):
        pass


def _at_exit():
    run = _current
    if run is None:
        return
    with contextlib.suppress(Exception):
        code = run._exit_code
        value = getattr(sys, "last_value", None)
        if code is None and value is not None and not hasattr(sys, "ps1") and "IPython" not in sys.modules:
            # Somebody else shows exceptions (rich, a debugger); the interpreter notes them all the same.
            _end_by_exception(run, type(value), value, value.__traceback__)
            return
        if code == ("terminated",):
            run._end("stopped", "terminated", "the process was asked to end (SIGTERM)", 143)
        else:
            _end_by_code(run, code[0] if code else None)


def _after_fork():
    global _current
    for run in list(_live):
        with contextlib.suppress(Exception):
            run._forget()
    # _current stays: what the child logs goes nowhere, silently. It dies of SIGTERM as if nobody had listened: a pool
    # that ends its workers waits for that, and a handler in Python would not run while they wait for work.
    with contextlib.suppress(Exception):
        if getattr(signal.getsignal(signal.SIGTERM), "_of_fathom", False):
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


_live = weakref.WeakSet()
_places = set()  # that the environment named and a run has taken


# --- what scripts call ----------------------------------------------------------------------------------------

class _CurrentConfig(Config):
    """config of the current run; before there is one, what its init will take."""

    _before = {}

    @property
    def _values(self):
        return _CurrentConfig._before if _current is None else _current.config._values

    def __init__(self):
        pass

    def _tell(self):
        if _current is not None:
            _current._config_changed()


config = _CurrentConfig()


class _CurrentSummary:
    """summary of the current run."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(_of_current("summary"), name)

    def __setattr__(self, name, value):
        _of_current("summary")[name] = value

    def __getitem__(self, name):
        return _of_current("summary")[name]

    def __setitem__(self, name, value):
        _of_current("summary")[name] = value

    def __contains__(self, name):
        return name in _of_current("summary")


summary = _CurrentSummary()


def _in_worker():
    """A process that multiprocessing started, as of a pool or a DataLoader. The run is its parent's, unless it calls
    init() itself."""
    process = sys.modules.get("multiprocessing.process")
    return getattr(process, "parent_process", lambda: None)() is not None


def _begun():
    """The current run; where there is none yet it begins, but in a worker, whose rows go nowhere."""
    if _current is not None:
        return _current
    return Run("", str(_uuid.uuid4()), "worker", "", silent=True) if _in_worker() else init()


def _of_current(what):
    return getattr(_begun(), what)


def _project_folder(project, dir):
    given = os.environ.get("FATHOM_PROJECT", "").strip()
    if given:
        return os.path.abspath(given)
    project = str(project or "")
    if project.endswith(".fathom") or os.sep in project:
        return os.path.abspath(os.path.join(str(dir or "."), project))
    return os.path.abspath(os.path.join(str(dir or "."), _plain(project, "fathom") + ".fathom"))


def _folder_of_id(runs, id):
    """36 characters that stay the same for one id."""
    if re.match(r"[0-9A-Za-z-]{36}$", id):
        return id
    return str(_uuid.uuid5(_uuid.NAMESPACE_URL, "fathom:%s:%s" % (os.path.basename(os.path.dirname(runs)), id)))


def _ends_the_last(reinit):
    """Whether a further init() ends the run that goes on: as `reinit` says, otherwise in a notebook, where a cell is run
    again."""
    if isinstance(reinit, str) and reinit != "default":
        return reinit in ("finish_previous", "create_new")
    if reinit in (None, "default"):
        shell = getattr(sys.modules.get("IPython"), "get_ipython", None)
        return shell is not None and shell() is not None
    return bool(reinit)


def init(project=None, name=None, group=None, job_type=None, tags=None, notes=None, config=None, dir=None, id=None,
         resume=None, mode=None, interrupt=False, total_updates=None, reinit=None, config_exclude_keys=None,
         config_include_keys=None, entity=None, **more):
    """Begins a run in PROJECT.fathom/runs (or where the environment says) and returns it. `project`: a name, or the path
    of a project folder. `id` with `resume` goes on with a run that is there, as its next attempt. `interrupt`: after a
    stop the next log raises KeyboardInterrupt. `total_updates`: how long the training is, where that is known."""
    global _current
    if _current is not None and not _current._ended:
        if not _ends_the_last(reinit):
            if config:
                _current.config.update(config)
            return _current
        _current.finish()
    with contextlib.suppress(Exception):
        for key in sorted(more):
            if more[key] is not None and key not in ("settings", "save_code", "monitor_gym", "sync_tensorboard", "anonymous",
                                                     "force", "allow_val_change", "resume_from", "fork_from"):
                _say("init(%s=…) has no meaning here" % key, "init " + key)
        if more.get("sync_tensorboard"):
            _say("init(sync_tensorboard=…) has no meaning here: fathom import-run reads TensorBoard's files", "init sync")
    try:
        run = _begin(project, name, group, job_type, tags, notes, config, dir, id, resume, mode, interrupt, total_updates,
                     config_exclude_keys, config_include_keys)
    except Exception as error:  # whatever it is, the training goes on
        _say("nothing is recorded: %s: %s" % (type(error).__name__, error), "init")
        run = Run("", str(_uuid.uuid4()), str(name or "run"), str(project or ""), silent=True)
    _current = run
    _live.add(run)
    return run


def _begin(project, name, group, job_type, tags, notes, options, dir, id, resume, mode, interrupt, total_updates, without, only):
    env = os.environ
    values = dict(_CurrentConfig._before)
    _CurrentConfig._before.clear()
    if isinstance(options, str):  # a file, as W&B takes it
        options = json.loads(_read_text(options, 16 << 20))
    values.update({str(key): each for key, each in _mapping(options).items()
                   if key not in (without or ()) and (only is None or key in only)})
    values.update(_given_options())
    mode = str(mode or env.get("FATHOM_MODE") or env.get("WANDB_MODE") or "").lower()
    off = mode == "disabled" or _rank() != 0 or fcntl is None
    if fcntl is None:
        _say("runs are recorded on Linux and other POSIX systems only", "posix")
    place = env.get("FATHOM_RUN_DIR", "").strip()
    script = os.path.splitext(os.path.basename(sys.argv[0] if sys.argv and sys.argv[0] else ""))[0] or "run"
    name = str(name or env.get("FATHOM_NAME") or "%s %s" % (script, time.strftime("%Y-%m-%d %H:%M:%S")))
    if place and os.path.abspath(place) in _places:  # a program's second run is one of its own, beside the first
        place, uuid = os.path.dirname(os.path.abspath(place)), str(_uuid.uuid4())
        place = os.path.join(place, uuid)
    elif place:
        place = os.path.abspath(place)
        if not off:
            _places.add(place)
        uuid = os.path.basename(place)
        uuid = env.get("FATHOM_RUN_UUID") or (uuid if re.match(r"[0-9A-Za-z-]{36}$", uuid) else str(_uuid.uuid4()))
    else:
        runs = os.path.join(_project_folder(project, dir), "runs")
        if resume and not id:
            _say("resume needs the id of the run: this is a new one", "resume")
        uuid = _folder_of_id(runs, str(id)) if id else str(_uuid.uuid4())
        place = os.path.join(runs, uuid)
        if not off and id and not resume and os.path.exists(os.path.join(place, "run.json")):
            _say("the run %s is there already: this is another one; resume=True goes on with it" % id, "taken")
            uuid = str(_uuid.uuid4())
            place = os.path.join(runs, uuid)
        if resume == "must" and not os.path.exists(os.path.join(place, "run.json")):
            _say("there is no run %s to go on with: this is a new one" % id, "must")
    if off:
        return Run("", uuid, name, str(project or ""), config=values, silent=True, wandb_id=id)
    _hook()
    run = Run(place, uuid, name, str(project or ""), group or env.get("FATHOM_GROUP"), job_type, tags, notes, values,
              interrupt, total_updates or -1, wandb_id=id)
    if not run._silent:
        _say("run “%s” in %s" % (run.name, place))
    return run


def log(data=None, step=None, commit=None, sync=None, **more):
    """A row of the current run; see Run.log."""
    _begun().log(data, step, commit, sync, **more)


def finish(exit_code=None, quiet=None, score=None):
    """Ends the current run; see Run.finish."""
    if _current is not None:
        _current.finish(exit_code, quiet, score)


join = finish


def discard():
    """The current run is worth nothing; see Run.discard."""
    if _current is not None:
        _current.discard()


def define_metric(name, *args, **kwargs):
    """Which values of a metric are the better ones; see Run.define_metric."""
    return _of_current("define_metric")(name, *args, **kwargs)


def should_stop():
    """Whether somebody asked the current run to stop."""
    return _current.should_stop() if _current is not None else False


def should_save():
    """Whether somebody asked the current run for a checkpoint; true once for each time."""
    return _current.should_save() if _current is not None else False


def checkpoint(path, step=None, best=False):
    """Notes a checkpoint that the program has written; see Run.checkpoint."""
    if _current is not None:
        _current.checkpoint(path, step, best)


def resume_from():
    """The checkpoint to go on from, or None."""
    if _current is not None:
        return _current.resume_from()
    return os.environ.get("FATHOM_RESUME_FROM", "").strip() or None


def flush(timeout=_PATIENCE):
    """Waits until everything that was logged is written."""
    return _current.flush(timeout) if _current is not None else True


class util:
    """What scripts use of wandb.util."""

    @staticmethod
    def generate_id(length=8):
        text = base64.b32encode(os.urandom(length)).decode("ascii").lower()
        return text[:length]


class errors:
    """What scripts catch of wandb.errors."""

    class Error(Exception):
        pass

    class CommError(Error):
        pass

    class UsageError(Error):
        pass

    AuthenticationError = CommError


Error = errors.Error
UsageError = errors.UsageError
CommError = errors.CommError


def login(*args, **kwargs):
    """Nobody has to log in."""
    return True


def ensure_configured():
    """Nothing has to be configured."""


class Settings(dict):
    """Accepted by init, without meaning."""

    def __init__(self, *args, **kwargs):
        dict.__init__(self, **kwargs)


_FOREIGN = ("watch", "unwatch", "Histogram", "Image", "Html", "Artifact", "save", "restore", "alert", "sweep",
            "agent", "controller", "Video", "Audio", "Object3D", "Molecule", "Graph", "Plotly", "Bokeh",
            "JoinedTable", "plot", "plots", "plot_table", "Api", "apis", "termlog", "termwarn", "termerror",
            "log_artifact", "use_artifact", "log_model", "use_model", "link_model", "log_code", "mark_preempting",
            "require", "setup", "teardown", "sdk", "data_types", "wandb_sdk", "profiler", "tensorboard", "tensorflow",
            "keras", "sklearn", "xgboost", "lightgbm", "Classes", "patched", "old", "AlertLevel", "ArtifactTTL",
            "EnvironmentSettings", "attach", "automations", "beta", "box3d", "docker", "env", "EvalTable", "api",
            "catboost", "finish_all", "gym", "helper", "integration", "jupyter", "proto", "sandbox", "sync",
            "wandb_agent", "wandb_run")


def __getattr__(name):
    if name == "run":
        return _current
    if name == "FathomCallback":
        return globals().setdefault(name, _make_callback())
    if name == "FathomLogger":
        return globals().setdefault(name, _make_logger())
    if name in _FOREIGN:
        return globals().setdefault(name, _Nothing(name))
    raise AttributeError("module %r has no attribute %r" % (__name__, name))


# --- attention ------------------------------------------------------------------------------------------------

_HIDDEN = -1e4  # a mask below hides a key
_MOST_CELLS = 1 << 22  # numbers of a block of attention rows
# Arguments that attention functions of transformers are given and that change nothing of what is computed here.
_HARMLESS = ("is_causal", "position_ids", "cache_position", "use_cache", "return_dict", "sliding_window", "past_key_values",
             "past_key_value", "position_embeddings", "num_items_in_batch", "deterministic", "target_dtype", "use_top_left_mask",
             "cu_seq_lens_q", "cu_seq_lens_k", "max_length_q", "max_length_k", "layer_idx")
_VERSIONS = {"attention_entropy": 3, "attention_jsd": 3, "attention_logit": 1, "attention_maps": 2}


class _Refused(Exception):
    """A model, or attention, that capture cannot look into."""


def _place_of(path, module, pair):
    """Stack and kind of attention of a module by its name in the model."""
    parts = path.split(".")
    cross = any("cross" in part.lower() or part in ("encoder_attn", "EncDecAttention") for part in parts)
    if pair:
        stack = "decoder" if "decoder" in parts else "encoder"
    else:
        causal = getattr(module, "is_causal", None)
        if causal is None:
            causal = getattr(getattr(module, "config", None), "is_decoder", False)
        stack = "decoder" if causal or cross else "encoder"
    return stack, "cross_attention" if cross else "self_attention"


def _shown_keys(torch, mask, shape):
    """Which keys the mask shows, [B, 1 or H, T, S]; None: all."""
    if mask is None:
        return None
    shown = mask if mask.dtype == torch.bool else mask > _HIDDEN
    return shown[..., : shape[-1]].expand(shape[0], -1, shape[2], -1)


class _Layer:
    """Attention of one layer for one batch: what its rows are made of."""

    def __init__(self, torch, query, key, mask, scaling, bias, softcap, sinks):
        self.torch = torch
        heads, groups = query.shape[1], key.shape[1]
        if heads % groups:
            raise _Refused("%d heads of queries do not share %d of keys" % (heads, groups))
        self.query = query
        self.key = key if heads == groups else key.repeat_interleave(heads // groups, dim=1)
        self.scaling = query.shape[-1] ** -0.5 if scaling is None else scaling
        self.shape = (query.shape[0], heads, query.shape[2], key.shape[2])
        self.mask = mask
        self.shown = _shown_keys(torch, mask, self.shape)
        self.bias, self.softcap, self.sinks = bias, softcap, sinks

    def device(self):
        return self.query.device

    def rows(self, example, places):
        """(probabilities, logits, shown) of some rows of an example, [H, n, S]."""
        torch = self.torch
        query, key = self.query[example][:, places], self.key[example]
        if query.dtype not in (torch.float32, torch.float64):
            query, key = query.float(), key.float()
        logits = torch.matmul(query, key.transpose(1, 2)) * self.scaling
        if self.bias is not None:
            bias = self.bias[example if self.bias.shape[0] > 1 else 0]
            logits = logits + bias[..., : self.shape[3]].expand(-1, self.shape[2], -1)[:, places].to(logits.dtype)
        if self.softcap is not None:
            logits = torch.tanh(logits / self.softcap) * self.softcap
        argument, shown = logits, None
        if self.shown is not None:
            shown = self.shown[example][:, places]
            if self.mask.dtype == torch.bool:
                argument = logits.masked_fill(~shown, float("-inf"))
            else:
                mask = self.mask[example if self.mask.shape[0] > 1 else 0][..., : self.shape[3]]
                argument = logits + mask.expand(-1, self.shape[2], -1)[:, places].to(logits.dtype)
        if self.sinks is not None:
            sink = self.sinks.reshape(-1, 1, 1).to(argument.dtype).expand(argument.shape[0], argument.shape[1], 1)
            return torch.softmax(torch.cat([argument, sink], -1), -1)[..., :-1], logits, shown
        return torch.softmax(argument, -1), logits, shown


class _Known:
    """The same for a model that hands out probabilities alone."""

    def __init__(self, torch, probabilities):
        self.torch = torch
        self.probabilities = probabilities
        self.shape = tuple(probabilities.shape)

    def device(self):
        return self.probabilities.device

    def rows(self, example, places):
        rows = self.probabilities[example][:, places]
        return rows if rows.dtype == self.torch.float64 else rows.float(), None, None


class _Windowed:
    """The same for attention in windows (Longformer, LED): of each query what it gives to the tokens that all see, then to its
    window. `local` is [B, H, T, x + window + 1], `everywhere` what the x tokens that see all give, [B, H, T, x]."""

    def __init__(self, torch, local, everywhere, seen):
        self.torch, self.local, self.everywhere = torch, local, everywhere
        self.shape = tuple(local.shape[:3]) + (local.shape[2],)
        self.common = [each[: local.shape[2]].nonzero()[:, 0] for each in seen.to(local.device)]

    def device(self):
        return self.local.device

    def rows(self, example, places):
        torch, size, common = self.torch, self.shape[3], self.common[example]
        local = self.local[example][:, places]
        if local.dtype != torch.float64:
            local = local.float()
        extra = 0 if self.everywhere is None else self.everywhere.shape[-1]
        window = local[..., extra:]
        side = window.shape[-1] // 2
        rows = window.new_zeros(window.shape[0], len(places), size + 2 * side)
        at = places[:, None] + torch.arange(window.shape[-1], device=places.device)
        rows.scatter_(2, at.expand(window.shape[0], -1, -1), window)
        rows = rows[..., side: side + size].clone()
        rows[..., common] += local[..., : len(common)]
        for number, place in enumerate(common.tolist()):
            rows[:, places == place] = self.everywhere[example, :, None, :size, number].to(rows.dtype)
        return rows, None, None


class _Tally:
    """Numbers of one kind of attention of one stack, [layer] of tensors [H, rows]."""

    def __init__(self):
        self.entropies, self.divergences, self.logits = [], [], []
        self.tokens = 0
        self.maps = {}  # example: [(probabilities, scores or None) of each layer]

    @staticmethod
    def add(lists, layer, values):
        while len(lists) <= layer:
            lists.append([])
        lists[layer].append(values)


class _Watch:
    """One pass of a model over batches: takes the attention of every layer as it is computed."""

    def __init__(self, torch, model, batches, rows, seed, maps):
        self.torch = torch
        self.model = model
        self.config = getattr(model, "config", None)
        self.paths = {id(module): name for name, module in model.named_modules()}
        self.pair = bool(getattr(self.config, "is_encoder_decoder", False)) or type(self.config).__name__ in (
            "VisionEncoderDecoderConfig", "SpeechEncoderDecoderConfig")
        self.rows, self.seed, self.maps = rows, seed, maps
        self.totals, self.carry, self.batches = {}, {}, batches
        self.tallies = {}
        self.examples = self.calls = 0
        self.texts = {}  # example: {stack: [token]}
        self.begin({}, 0)

    def begin(self, batch, number):
        self.batch, self.number = batch, number
        self.seen = None  # of attention in windows: the tokens that all see, [B, T]
        self.below, self.layers, self.chosen, self.maskless = {}, {}, {}, {}

    def real(self, stack, size, places):
        """Which queries of a stack are tokens, [B, T] on the host."""
        torch, batch = self.torch, self.batch
        mask = batch.get("decoder_attention_mask" if stack == "decoder" and self.pair else "attention_mask")
        if mask is None and stack == "decoder" and self.pair and batch.get("labels") is not None:
            mask = batch["labels"] != -100
        if mask is None or mask.dim() != 2:
            return torch.ones((size, places), dtype=torch.bool)
        if tuple(mask.shape) != (size, places):
            raise _Refused("the mask of the %s is %s, its attention has queries %s" % (stack, list(mask.shape), [size, places]))
        return mask.to("cpu").bool()

    def share(self, stack):
        """The part of the real queries of a stack that is looked at."""
        if self.rows is None:
            return 1.0
        if stack not in self.totals:
            pair = stack == "decoder" and self.pair
            total = 0
            for batch in self.batches:
                mask = batch.get("decoder_attention_mask" if pair else "attention_mask")
                if mask is None and pair and batch.get("labels") is not None:
                    mask = batch["labels"] != -100
                ids = batch.get("decoder_input_ids" if pair else "input_ids")
                total += int(mask.sum()) if mask is not None else ids.numel() if ids is not None else 0
            self.totals[stack] = total
        return min(1.0, self.rows / self.totals[stack]) if self.totals[stack] else 1.0

    def places_of(self, stack, kind, size, places):
        """The rows of this batch that count, [(example of the batch, its places)], and all that are real."""
        key = (stack, kind)
        if key not in self.chosen:
            torch = self.torch
            real = self.real(stack, size, places)
            taken = real.nonzero()
            share = self.share(stack)
            if share < 1 and len(taken):
                quota = share * len(taken) + self.carry.get(key, 0.5)
                count = int(quota + 1e-9)
                self.carry[key] = quota - count
                draw = torch.Generator().manual_seed(zlib.crc32(("%d %d %s" % (self.seed, self.number, stack)).encode()))
                taken = taken[torch.randperm(len(taken), generator=draw)[:count].sort().values]
            self.chosen[key] = ([(b, taken[taken[:, 0] == b, 1]) for b in range(size)], real)
            tally = self.tallies.setdefault(key, _Tally())
            tally.tokens += len(taken)
        return self.chosen[key]

    def take(self, module_path, stack, kind, now):
        """The attention of one more layer of this batch."""
        key = (stack, kind)
        layer = self.layers.get(key, 0)
        self.layers[key] = layer + 1
        chosen, real = self.places_of(stack, kind, now.shape[0], now.shape[2])
        tally = self.tallies[key]
        below = self.below.get(key)
        if below is not None and below.shape != now.shape:
            shapes = (stack, kind, list(now.shape), list(below.shape))
            raise _Refused("layers of %s.%s have different shapes: %s after %s" % shapes)
        for example, places in chosen:
            step = max(1, _MOST_CELLS // (now.shape[1] * now.shape[3]))
            for first in range(0, len(places), step):
                self._count(tally, layer, now, below, example, places[first:first + step].to(now.device()))
        for example in range(now.shape[0]):
            if self.examples + example in self.maps:
                self._keep_map(tally, stack, kind, layer, now, example, real[example])
        self.below[key] = now

    def _count(self, tally, layer, now, below, example, places):
        torch = self.torch
        p, logits, shown = now.rows(example, places)
        entropy = torch.special.entr(p).sum(-1).cpu().double()
        tally.add(tally.entropies, layer, entropy)
        if logits is not None:
            if shown is not None:
                logits = logits.masked_fill(~shown, float("-inf"))
            tally.add(tally.logits, layer, logits.amax(-1).cpu())
        if below is not None:
            middle = below.rows(example, places)[0].add_(p).mul_(0.5)
            lower = tally.entropies[layer - 1][len(tally.entropies[layer]) - 1]  # of the same rows
            nats = torch.special.entr(middle).sum(-1).cpu().double() - (entropy + lower) / 2
            tally.add(tally.divergences, layer - 1, (nats / math.log(2.0)).clamp(min=0))

    def _keep_map(self, tally, stack, kind, layer, now, example, real):
        torch = self.torch
        places = real.nonzero()[:, 0].to(now.device())
        p, logits, shown = now.rows(example, places)
        keys = places if kind == "self_attention" and now.shape[2] == now.shape[3] else None
        if keys is None:
            of_keys = "encoder" if kind == "cross_attention" else stack
            keys = self.real(of_keys, now.shape[0], now.shape[3])[example].nonzero()[:, 0].to(p.device)
        scores = None
        if logits is not None:
            scores = logits if shown is None else logits.masked_fill(~shown, float("nan"))
            scores = scores[..., keys].float().cpu()
        maps = tally.maps.setdefault(self.examples + example, [])
        if len(maps) == layer:
            maps.append((p[..., keys].float().cpu(), scores, places.tolist(), keys.tolist()))

    # transformers' attention interface.
    def attention(self, module, query, key, value, attention_mask=None, scaling=None, dropout=0.0, position_bias=None,
                  softcap=None, s_aux=None, head_mask=None, **more):
        torch = self.torch
        for name, given in more.items():
            if given is not None and name not in _HARMLESS and not name.startswith("output_"):
                kind = type(module).__name__
                raise _Refused("its attention (%s) takes the argument %s, which is not known here" % (kind, name))
        if head_mask is not None:
            raise _Refused("its attention (%s) is given a head_mask" % type(module).__name__)
        path = self.paths.get(id(module), type(module).__name__)
        stack, kind = _place_of(path, module, self.pair)
        now = _Layer(torch, query, key, attention_mask, scaling, position_bias, softcap, s_aux)
        self.calls += 1
        self.take(path, stack, kind, now)
        return self._output(now, value), None

    def _output(self, now, value):
        """[B, T, H, d], as the model would have had it."""
        torch = self.torch
        if now.query.shape[1] != value.shape[1]:
            value = value.repeat_interleave(now.query.shape[1] // value.shape[1], dim=1)
        if now.softcap is None and now.sinks is None:
            mask = now.mask if now.mask is None else now.mask[..., : now.shape[3]]
            if now.bias is not None:
                bias = now.bias[..., : now.shape[3]]
                if mask is not None and mask.dtype == torch.bool:
                    mask = torch.zeros_like(bias).masked_fill(~mask, torch.finfo(bias.dtype).min)
                mask = bias if mask is None else bias + mask
            if mask is not None and mask.dtype != torch.bool:
                mask = mask.to(now.query.dtype)
            product = torch.nn.functional.scaled_dot_product_attention
            output = product(now.query, now.key, value, attn_mask=mask, scale=now.scaling)
            return output.transpose(1, 2).contiguous()
        step = max(1, _MOST_CELLS // (now.shape[1] * now.shape[3]))
        parts = []
        for example in range(now.shape[0]):
            rows = []
            for first in range(0, now.shape[2], step):
                places = torch.arange(first, min(first + step, now.shape[2]), device=value.device)
                rows.append(torch.matmul(now.rows(example, places)[0].to(value.dtype), value[example]))
            parts.append(torch.cat(rows, dim=1))
        return torch.stack(parts).transpose(1, 2).contiguous()

    # What a model hands out itself.
    def hear(self, module, arguments, named):
        """Before each layer with windows."""
        self.seen = named.get("is_index_global_attn")

    def _handed(self, name, kind, probabilities, everywhere):
        if probabilities is None or probabilities.dim() != 4:
            raise _Refused("its %s are no tensors of four axes" % name)
        if self.seen is not None and name in ("attentions", "encoder_attentions"):
            return _Windowed(self.torch, probabilities, everywhere, self.seen)
        if kind == "self_attention" and probabilities.shape[2] != probabilities.shape[3]:
            raise _Refused("its %s are %s: their keys are not its tokens" % (name, list(probabilities.shape)))
        return _Known(self.torch, probabilities)

    def outputs(self, outputs):
        found = False
        names = (("encoder_attentions", "encoder", "self_attention"), ("decoder_attentions", "decoder", "self_attention"),
                 ("cross_attentions", "decoder", "cross_attention"))
        alone = not getattr(outputs, "encoder_attentions", None)
        for name, stack, kind in names + (("attentions", "encoder", "self_attention"),):
            given = getattr(outputs, name, None)
            if not given or (name == "attentions" and not alone):
                continue
            common = getattr(outputs, "encoder_global_attentions" if name == "encoder_attentions" else "global_attentions", None)
            for layer, probabilities in enumerate(given):
                now = self._handed(name, kind, probabilities, common[layer] if common else None)
                if name == "attentions" and not found and self.seen is None and self._looks_back_alone(probabilities.detach()):
                    stack = "decoder"
                found = True
                self.take(name, stack, kind, now)
        if not found:
            raise _Refused("it gives no attention, neither through transformers' attention interface nor as output_attentions")

    def _looks_back_alone(self, rows):
        """No token sees a later one; what padding sees is nobody's matter."""
        if rows.shape[2] != rows.shape[3] or rows.shape[2] < 2:
            return False
        real = self.real("encoder", rows.shape[0], rows.shape[2]).to(rows.device)
        return not bool(rows.triu(1).sum(-1).transpose(1, 2)[real].any())

    def done(self, batch, size, tokens_of):
        for example in range(size):
            if self.examples + example in self.maps:
                self.texts[self.examples + example] = tokens_of(batch, example)
        self.examples += size


def _five(torch, values):
    """Numbers of a violin from the values of one head."""
    finite = values[torch.isfinite(values)].sort().values
    count = int(finite.numel())
    head = {"count": count, "non_finite": int(values.numel()) - count, "five_numbers": ["NaN"] * 5, "mean": "NaN",
            "variance": "NaN", "bandwidth": 0.0, "grid": [], "density": []}
    if count == 0:
        return head
    at = torch.linspace(0, 1, 5, dtype=torch.float64) * (count - 1)
    low = at.floor().long()
    part = at - low
    fives = finite[low] * (1 - part) + finite[(low + 1).clamp(max=count - 1)] * part
    head["five_numbers"] = fives.tolist()
    head["mean"] = float(finite.mean())
    if count < 2:
        return head
    head["variance"] = variance = float(finite.var())
    if not variance > 0:
        return head
    head["bandwidth"] = width = count ** -0.2 * math.sqrt(variance)
    grid = torch.linspace(0, 1, 100, dtype=torch.float64) * (finite[-1] - finite[0]) + finite[0]
    head["grid"] = grid.tolist()
    density = torch.zeros(100, dtype=torch.float64)
    for first in range(0, count, 1 << 14):
        density += torch.exp(-0.5 * ((grid[:, None] - finite[None, first:first + (1 << 14)]) / width) ** 2).sum(1)
    head["density"] = (density / (count * width * math.sqrt(2 * math.pi))).tolist()
    return head


def _npy(torch, layers):
    """Bytes of an .npy file of [layers, …] float32."""
    values = torch.stack(layers).contiguous()
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }" % ", ".join(str(extent) for extent in values.shape)
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    import ctypes
    data = ctypes.string_at(values.data_ptr(), values.numel() * 4) if values.numel() else b""
    return b"\x93NUMPY\x01\x00" + bytes((len(head) & 255, len(head) >> 8)) + head.encode("ascii") + data


class _Stored:
    """The folder analyses of a run, for one checkpoint."""

    def __init__(self, place, checkpoint, split, about):
        self.place, self.checkpoint, self.split, self.about = place, checkpoint, split, about

    def write(self, analysis, options, result, files=None, sampled=True):
        """Stores a result; one that was captured or imported before for the same gives way. Its folder."""
        request = {"format": 2, "analysis": analysis, "version": _VERSIONS[analysis], "checkpoint": self.checkpoint,
                   "checkpoint_hash": "", "split": self.split, "options": options, "run_options": {}}
        key = hashlib.sha256(json.dumps(request, separators=(",", ":"), ensure_ascii=False).encode("utf-8")).hexdigest()[:16]
        parent = os.path.join(self.place, "analyses", analysis)
        os.makedirs(parent, exist_ok=True)
        path = os.path.join(parent, key)
        if os.path.exists(path) and '"source"' not in _read_text(os.path.join(path, "result.json"), 256 << 20):
            raise _Refused("Fathom has computed %s of checkpoint %s itself" % (analysis, self.checkpoint))
        aside = "%s-%s.tmp" % (path, _uuid.uuid4())
        os.mkdir(aside)
        folder = _open_folder(aside)
        old = None
        try:
            _write_file(folder, "request.json", _json_bytes(request))
            for name, data in (files or {}).items():
                _write_file(folder, name, data)
            about = {name: value for name, value in self.about.items() if sampled or name != "sample"}
            text = _dump(dict(result, **about)) + "\n"
            _write_file(folder, "result.json", text.encode("ascii"))
            if os.path.exists(path):
                old = "%s-%s.tmp" % (path, _uuid.uuid4())
                os.rename(path, old)
            os.rename(aside, path)
        finally:
            os.close(folder)
            for left in (aside, old):
                if left:
                    shutil.rmtree(left, ignore_errors=True)
        return path


def _in_order(places):
    return sorted(places, key=lambda key: (key[0] != "encoder", key[1] != "self_attention"))


def _store_all(torch, watch, stored, options, tokens):
    """Entropy, divergence and logits; {analysis: folder}."""
    folders = {}
    for analysis, unit, first in (("attention_entropy", "nats", 0), ("attention_jsd", "bits", 1), ("attention_logit", "logit", 0)):
        attentions = []
        for stack, kind in _in_order(watch.tallies):
            tally = watch.tallies[stack, kind]
            lists = {"attention_entropy": tally.entropies, "attention_jsd": tally.divergences,
                     "attention_logit": tally.logits}[analysis]
            layers = [[_five(torch, head) for head in torch.cat(parts, dim=1).double()] for parts in lists]
            if layers:
                attentions.append({"stack": stack, "kind": kind, "first_layer": first, "layers": layers})
        if attentions:
            result = {"quantity": analysis, "unit": unit, "examples": watch.examples, "tokens": tokens,
                      "attentions": attentions}
            folders[analysis] = stored.write(analysis, options, result)
    return folders


def _store_maps(torch, watch, stored):
    folders = []
    for example in sorted(watch.maps):
        attentions, files = [], {}
        for stack, kind in _in_order(watch.tallies):
            layers = watch.tallies[stack, kind].maps.get(example)
            if not layers:
                continue
            queries, keys = layers[0][2], layers[0][3]
            arrays = {}
            for part, which in (("probabilities", 0), ("scores", 1)):
                if layers[0][which] is not None:
                    arrays[part] = "%s.%s.%s.npy" % (stack, kind, part)
                    files[arrays[part]] = _npy(torch, [layer[which] for layer in layers])

            def texts(of, places):
                known = watch.texts.get(example, {}).get(of)
                return [known[place] if known and place < len(known) else str(place + 1) for place in places]

            attentions.append({"stack": stack, "kind": kind, "layers": len(layers), "heads": int(layers[0][0].shape[0]),
                               "queries": texts(stack, queries),
                               "keys": texts("encoder" if kind == "cross_attention" else stack, keys), "arrays": arrays})
        if attentions:
            result = {"quantity": "attention_maps", "example": example, "attentions": attentions}
            folders.append(stored.write("attention_maps", {"example": example}, result, files, sampled=False))
    return folders


@contextlib.contextmanager
def _watching(watch):
    """The model with our attention function in place of its own; the old one comes back. Gives whether it takes one."""
    model = watch.model
    if not hasattr(model, "set_attn_implementation"):
        yield False
        return
    old = getattr(watch.config, "_attn_implementation", None)
    parts = [getattr(watch.config, name, None) for name in getattr(watch.config, "sub_configs", None) or {}]
    parts = [(part, part._attn_implementation) for part in parts if hasattr(part, "_attn_implementation")]
    from transformers.modeling_utils import AttentionInterface
    from transformers.masking_utils import AttentionMaskInterface, eager_mask
    AttentionInterface.register("fathom_capture", watch.attention)
    AttentionMaskInterface.register("fathom_capture", eager_mask)  # without it nothing is masked
    try:
        try:
            model.set_attn_implementation("fathom_capture")
            yield True
        except ValueError:  # this model's attention is its own
            yield False
    finally:
        with contextlib.suppress(Exception):
            model.set_attn_implementation(old or "eager")
            for part, implementation in parts:
                part._attn_implementation = implementation


@contextlib.contextmanager
def _evaluating(torch, model):
    training = [module for module in model.modules() if module.training]
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for module in training:
            module.training = True


def _tensors(torch, batch, device):
    """A batch as the model takes it; texts are left out."""
    values = {}
    for name, value in _mapping(batch).items():
        if isinstance(value, (list, tuple)):
            try:
                value = torch.tensor(value)
            except (TypeError, ValueError):
                continue
        if hasattr(value, "to"):
            values[str(name)] = value.to(device)
    return values


def _pass(torch, watch, batches, tokens_of, device):
    """All batches through the model."""
    model, own = watch.model, None
    with _evaluating(torch, model):
        with _watching(watch) as takes:
            for number, batch in enumerate(batches):
                if own:
                    break
                values = _tensors(torch, batch, device)
                watch.begin(values, number)
                if takes:
                    model(**values)
                if not watch.calls:
                    own = True
                else:
                    watch.done(batch, _size_of(values), tokens_of)
        if own:
            _pass_outputs(torch, watch, batches, tokens_of, device)
    watch.begin({}, 0)


def _pass_outputs(torch, watch, batches, tokens_of, device):
    """The same for a model that does not go through the interface: one batch of probabilities at a time."""
    model = watch.model
    old = getattr(watch.config, "_attn_implementation", None)
    if hasattr(model, "set_attn_implementation") and old not in (None, "eager"):
        with contextlib.suppress(Exception):
            model.set_attn_implementation("eager")
    hooks = [module.register_forward_pre_hook(watch.hear, with_kwargs=True) for module in model.modules()
             if hasattr(module, "one_sided_attn_window_size")]
    try:
        for number, batch in enumerate(batches):
            values = _tensors(torch, batch, device)
            watch.begin(values, number)
            try:
                outputs = model(**values, output_attentions=True)
            except TypeError as error:
                raise _Refused("it gives no attention: %s" % error) from error
            watch.outputs(outputs)
            watch.done(batch, _size_of(values), tokens_of)
    finally:
        for hook in hooks:
            hook.remove()
        if old not in (None, "eager"):
            with contextlib.suppress(Exception):
                model.set_attn_implementation(old)


def _size_of(values):
    for value in values.values():
        if getattr(value, "dim", lambda: 0)() > 0:
            return int(value.shape[0])
    raise _Refused("a batch holds no tensor")


def _tokens_of(tokenizer, pair):
    """Texts of an example: those of the batch ("tokens", "decoder_tokens"), the tokenizer's, or the ids."""

    def texts(batch, example):
        found = {}
        for stack, prefix in (("encoder", ""), ("decoder", "decoder_" if pair else "")):
            given = _mapping(batch).get(prefix + "tokens")
            ids = _mapping(batch).get(prefix + "input_ids")
            if given is not None:
                found[stack] = [str(token) for token in given[example]]
            elif ids is not None:
                row = [int(each) for each in ids[example]]
                found[stack] = tokenizer.convert_ids_to_tokens(row) if tokenizer is not None else [str(each) for each in row]
        return found

    return texts


def _capture_place(run):
    """(folder, attempt, step) of a run of this module, or of a run's folder."""
    run = _current if run is None else run
    if run is None:
        raise _Refused("there is no run: give run=, a folder of a run or what init() gave")
    step = -1
    if isinstance(run, Run):
        if run._silent or not run.dir:
            raise _Refused("the run writes nothing")
        run.flush()
        place, step = run.dir, run.step
    else:
        place = os.fspath(run)
    if not os.path.exists(os.path.join(place, "run.json")):
        raise _Refused("%s is no folder of a run" % place)
    numbers = [0]
    with contextlib.suppress(OSError):
        numbers += [int(name) for name in os.listdir(os.path.join(place, "attempts")) if len(name) >= 4 and name.isdigit()]
    return place, max(1, max(numbers)), step


def _state_name(checkpoint, attempt, step):
    if checkpoint is None:
        if step is None or step < 0:
            raise _Refused("give checkpoint=, the number of updates")
        checkpoint = step
    text = re.sub(r"^.*checkpoint-", "", os.path.normpath(str(checkpoint)))
    if text == "init" or re.match(r"\d{4,}-\d{8,}$", text):
        return text
    if not text.isdigit():
        raise _Refused("“%s” names no state: give the number of updates" % checkpoint)
    return "%04d-%08d" % (attempt, int(text))


def _load_model(path):
    import transformers
    config = transformers.AutoConfig.from_pretrained(path)
    kind = getattr(transformers, (getattr(config, "architectures", None) or [""])[0], transformers.AutoModel)
    return kind.from_pretrained(path)


def capture(model, batches, run=None, checkpoint=None, maps=0, rows=8192, seed=1, split="validation", tokenizer=None, load=None,
            strict=False):
    """Looks into the attention of a model of transformers and stores, beside a run, entropy, divergence between layers, the
    largest logit of each head, and maps of some examples: what Attention, `fathom analyse` and figures over training show.

    model       a model; or checkpoints on the disk, as a path, a pattern ("out/checkpoint-*") or a list of paths: each is
                loaded by `load` (path -> model; otherwise by the class that its config.json names)
    batches     dictionaries as the model takes them: input_ids, attention_mask, decoder_input_ids, …
    run         what init() gave, or the folder of any run; otherwise the current run
    checkpoint  number of updates, "checkpoint-40", "init"; otherwise the step of the run, or the paths' numbers
    maps        so many examples, the first ones, are kept as maps; or their numbers
    rows        so many rows of real queries are drawn, with `seed`; None: all
    tokenizer   for the texts of maps, where the batches have no "tokens"

    The model's weights, mode and attention are as they were. Gives {analysis: folder} ("attention_maps": a list), of several
    checkpoints by their names; what cannot be done costs one line and gives {}, or raises with strict=True.
    """
    try:
        return _capture(model, batches, run, checkpoint, maps, rows, seed, split, tokenizer, load)
    except Exception as error:  # whatever it is, the training goes on
        if strict:
            raise
        kind = "" if isinstance(error, (_Refused, OSError)) else type(error).__name__ + ": "
        _say("no attention is captured: %s%s" % (kind, error))
        return {}


def _capture(model, batches, run, checkpoint, maps, rows, seed, split, tokenizer, load):
    import torch
    if _rank() != 0:
        return {}
    place, attempt, step = _capture_place(run)
    batches = [dict(_mapping(batch)) for batch in batches]
    if not batches:
        raise _Refused("there is no batch")
    if hasattr(model, "modules"):
        state = _state_name(checkpoint, attempt, step)
        return _capture_one(torch, model, batches, place, state, maps, rows, seed, split, tokenizer)
    paths = [model] if isinstance(model, (str, os.PathLike)) else list(model)
    paths = [found for path in paths for found in (glob.glob(os.fspath(path)) or [os.fspath(path)])]
    number = lambda path: int((re.findall(r"\d+", os.path.basename(os.path.normpath(path))) or ["-1"])[-1])
    paths.sort(key=number)
    if checkpoint is not None and len(paths) > 1:
        raise _Refused("checkpoint= names one state, there are %d" % len(paths))
    results = {}
    for path in paths:
        if not os.path.isdir(path):
            raise _Refused("there is no checkpoint %s" % path)
        state = _state_name(checkpoint if checkpoint is not None else max(number(path), 0), attempt, step)
        opened = (load or _load_model)(path)
        results[state] = _capture_one(torch, opened, batches, place, state, maps, rows, seed, split, tokenizer)
    return results if len(results) > 1 else next(iter(results.values()))


def _capture_one(torch, model, batches, place, state, maps, rows, seed, split, tokenizer):
    if not hasattr(model, "set_attn_implementation") and hasattr(getattr(model, "module", None), "forward"):
        model = model.module  # as DataParallel wraps it
    device = next((parameter.device for parameter in model.parameters()), torch.device("cpu"))
    wanted = set(range(maps)) if isinstance(maps, int) else {int(each) for each in maps}
    watch = _Watch(torch, model, [_tensors(torch, batch, "cpu") for batch in batches], rows, seed, wanted)
    try:
        _pass(torch, watch, batches, _tokens_of(tokenizer, watch.pair), device)
    except _Refused as error:
        raise _Refused("%s: %s" % (type(model).__name__, error)) from error
    if watch.pair and all(stack != "encoder" for stack, _ in watch.tallies):
        _say("%s: the attention of its encoder is of a kind of its own: that of its decoder alone is captured" %
             type(model).__name__, "encoder " + type(model).__name__)
    watch.maps = {example for example in wanted if example < watch.examples}
    tokens = watch.tallies[_in_order(watch.tallies)[0]].tokens
    if not tokens:
        raise _Refused("%s: no batch has a token: all is padding" % type(model).__name__)
    sampled = any(share < 1 for share in (watch.share(stack) for stack, _ in watch.tallies))
    options = {"examples": watch.examples}
    sample = {"chosen": "given", "part": split, "examples": watch.examples, "of": watch.examples}
    if sampled:
        options.update(sample_seed=seed, rows=rows)
        sample.update(seed=seed, rows=rows)
    about = {"sample": sample, "source": {"program": "fathom.py", "version": __version__, "model": type(model).__name__}}
    stored = _Stored(place, state, split, about)
    folders = _store_all(torch, watch, stored, options, tokens)
    if watch.maps:
        folders["attention_maps"] = _store_maps(torch, watch, stored)
    return folders


# --- Hugging Face ---------------------------------------------------------------------------------------------

# Options of transformers that say where a run lies, and not what it is.
_PLACES = ("output_dir", "logging_dir", "run_name", "hub_model_id", "hub_token", "push_to_hub_token", "local_rank",
           "resume_from_checkpoint", "report_to", "_n_gpu", "logging_first_step", "disable_tqdm")


def _end_of_another(who, again=False):
    """Two trainings of one program are two runs: what another callback or logger began ends where this one begins."""
    if _current is not None and _current._of is not None and (again or _current._of is not who):
        _current.finish()


def _make_callback():
    try:
        from transformers import TrainerCallback as base
    except Exception:
        base = object

    class FathomCallback(base):
        """Trainer(callbacks=[FathomCallback()]): losses, evaluations, options; stop and save of the window. What it is given
        goes to init(), where no run has begun yet."""

        def __init__(self, **init_arguments):
            self._arguments = init_arguments
            self._run = None

        def __getstate__(self):  # what is copied or sent to another process begins a run of its own
            return dict(self.__dict__, _run=None)

        def on_train_begin(self, args, state, control, model=None, **kwargs):
            if not state.is_world_process_zero:
                return
            options = {}
            with contextlib.suppress(Exception):
                settings = getattr(getattr(model, "config", None), "to_diff_dict", dict)()
                options["model"] = {key: value for key, value in settings.items() if not str(key).startswith("_")}
            with contextlib.suppress(Exception):
                given = args.to_sanitized_dict() if hasattr(args, "to_sanitized_dict") else vars(args)
                options.update({key: value for key, value in given.items() if key not in _PLACES})
                options.update(getattr(state, "trial_params", None) or {})
            total = int(getattr(state, "max_steps", 0) or 0)
            _end_of_another(self, getattr(state, "is_hyper_param_search", False))
            if _current is None:
                arguments = dict(self._arguments)
                arguments.setdefault("name", getattr(args, "run_name", None) or os.path.basename(str(args.output_dir)))
                options.update(_mapping(arguments.pop("config", None)))
                if getattr(state, "trial_name", None):
                    arguments["name"] = "%s %s" % (arguments["name"], state.trial_name)
                self._run = init(config=options, total_updates=total or None, **arguments)
                self._run._of = self
            else:
                self._run = _current
                for key, value in options.items():
                    self._run.config.setdefault(key, value)
                if total:
                    self._run.progress(state.global_step, total)

        def on_log(self, args, state, control, logs=None, **kwargs):
            run = self._run
            if run is None or not logs:
                return
            row, last = {}, {}
            for name, value in logs.items():
                if name.startswith("train_") or name == "total_flos":
                    last[name] = value
                elif name.startswith(("eval_", "test_")):
                    row[name[:4] + "/" + name[5:]] = value
                else:
                    row[name] = value
            if getattr(state, "epoch", None) is not None:
                row.setdefault("epoch", state.epoch)
            seen = getattr(state, "num_input_tokens_seen", 0)
            if seen:
                row.setdefault("num_input_tokens_seen", seen)
            if set(row) - {"epoch", "num_input_tokens_seen"}:
                run.log(row, step=state.global_step)
            if last:
                run.summary.update(last)

        def on_step_end(self, args, state, control, **kwargs):
            run = self._run
            if run is None:
                return control
            if run.should_stop():
                control.should_training_stop = control.should_save = True
            if run.should_save():
                control.should_save = True
            return control

        def on_save(self, args, state, control, **kwargs):
            if self._run is not None:
                self._run.checkpoint(os.path.join(args.output_dir, "checkpoint-%d" % state.global_step), state.global_step)

        def on_train_end(self, args, state, control, **kwargs):
            if self._run is not None:
                self._run.flush()

    FathomCallback.__qualname__ = "FathomCallback"  # by which it is found again in another process
    return FathomCallback


# --- Lightning ------------------------------------------------------------------------------------------------


def _make_logger():
    base = listener = object
    names = ["lightning.pytorch", "pytorch_lightning"]
    for name in sorted(names, key=lambda each: each.split(".")[0] not in sys.modules):  # the one that the program uses
        try:
            base = __import__(name + ".loggers.logger", fromlist=["Logger"]).Logger
            listener = __import__(name + ".callbacks", fromlist=["Callback"]).Callback
            break
        except Exception:
            continue

    class _Heed(listener):
        """What a trainer tells after each batch."""

        def __init__(self, logger):
            self.logger = logger

        def on_train_batch_end(self, trainer, *args, **kwargs):
            self.logger.heed(trainer)

    class FathomLogger(base):
        """Trainer(logger=FathomLogger(project=…)): metrics, options, stop and save of the window."""

        def __init__(self, project=None, name=None, save_dir=None, **init_arguments):
            if base is not object:
                base.__init__(self)
            self._arguments = dict(init_arguments, project=project, name=name, dir=save_dir)
            self._begun = None

        def __getstate__(self):  # what is copied or sent to another process begins a run of its own
            return dict(self.__dict__, _begun=None)

        @property
        def experiment(self):
            if self._begun is None or (self._begun._ended and _current is None):
                _end_of_another(self)
                before = _current
                self._begun = init(**self._arguments)
                if self._begun is not before:
                    self._begun._of = self
            return self._begun

        @property
        def name(self):
            return self.experiment.project or "fathom"

        @property
        def version(self):
            return self.experiment.id

        @property
        def save_dir(self):
            return self._arguments.get("dir")

        def _find_trainer(self):
            """Lightning hands a logger no trainer: the caller that tells the options has one. A callback of that trainer
            looks after every batch whether somebody has asked for something."""
            frame = sys._getframe(2)
            for _ in range(8):
                if frame is None:
                    return
                found = frame.f_locals.get("trainer")
                if hasattr(found, "should_stop") and hasattr(found, "save_checkpoint"):
                    callbacks = getattr(found, "callbacks", None)
                    if isinstance(callbacks, list) and not any(getattr(each, "logger", None) is self for each in callbacks):
                        callbacks.append(_Heed(self))
                    return
                frame = frame.f_back

        def log_hyperparams(self, params=None, *args, **kwargs):
            self.experiment.config.update(params)
            self._find_trainer()

        def log_graph(self, *args, **kwargs):
            self._find_trainer()

        def log_metrics(self, metrics, step=None):
            self.experiment.log(dict(metrics), step=step)

        def heed(self, trainer):
            """Stop and save of the window, between two batches."""
            run = self.experiment
            stop = run.should_stop()
            if run.should_save() or (stop and not trainer.should_stop):
                with contextlib.suppress(Exception):
                    path = os.path.join(run.dir or ".", "artifacts", "step-%08d.ckpt" % trainer.global_step)
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    trainer.save_checkpoint(path)
                    run.checkpoint(path, trainer.global_step)
            if stop:
                trainer.should_stop = True

        def after_save_checkpoint(self, checkpoint_callback):
            with contextlib.suppress(Exception):
                path = checkpoint_callback.last_model_path or checkpoint_callback.best_model_path
                if path:
                    self.experiment.checkpoint(path, best=path == checkpoint_callback.best_model_path)

        def save(self):
            self.experiment.flush()

        def finalize(self, status="success"):
            if self._begun is not None and not self._begun._ended and status == "failed":
                self._begun.flush()

    FathomLogger.__qualname__ = "FathomLogger"  # by which it is found again in another process
    return FathomLogger
