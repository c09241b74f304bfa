#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what building and running Fathom needs, on Debian 12: system packages with apt (only those that are
# missing; root only then), and LibTorch from the pinned PyPI wheel under build/deps (never into the system's Python).
#   packaging/deps.sh            packages and LibTorch for the CPU
#   packaging/deps.sh --cuda     also the NVIDIA libraries that LibTorch needs on a GPU (2.7 GB)
#   packaging/deps.sh --kernels  also nvcc, under build/deps/cuda, where the system has none of CUDA 13 (271 MB)
#   packaging/deps.sh --nccl     also NCCL's header, under build/deps/nccl, for ranks on cards (196 MB to load, 0.3 MB on disk)
#   packaging/deps.sh --extras   also clang-tidy and shellcheck
set -euo pipefail
cd "$(dirname "$0")/.."

torch_version=2.11.0
packages=(
  g++ clang libclang-rt-14-dev cmake ninja-build ccache mold pkg-config git ca-certificates python3 python3-pip clang-format
  qt6-base-dev qt6-svg-dev qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools qt6-translations-l10n
  libgl-dev libqcustomplot-dev libqscintilla2-qt6-dev
  libsqlite3-dev libsqlitecpp-dev libyaml-dev libsentencepiece-dev nlohmann-json3-dev libcli11-dev
  libboost-dev libboost-context-dev libicu-dev zlib1g-dev libzstd-dev libseccomp-dev libstemmer-dev libgloo-dev
  wordnet-base
  slurmctld slurmd slurm-client munge
  openssh-client openssh-server
  breeze-icon-theme fonts-dejavu-core fonts-texgyre fonts-noto-cjk fonts-roboto-unhinted
  xvfb poppler-utils librsvg2-bin
)
cuda=0 kernels=0 nccl=0
for argument in "$@"; do
  case "$argument" in
    --cuda) cuda=1 ;;
    --kernels) kernels=1 ;;
    --nccl) nccl=1 ;;
    --extras) packages+=(clang-tidy shellcheck) ;;
    *) echo "deps.sh: unknown argument '$argument' (known: --cuda --kernels --nccl --extras)" >&2; exit 2 ;;
  esac
done
if [ "$cuda" = 0 ] && command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; then cuda=1; fi

say() { printf '· %s\n' "$*"; }

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
if [ "${#missing[@]}" -gt 0 ]; then
  say "installing ${#missing[@]} packages: ${missing[*]}"
  as_root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "deps.sh: missing, and installing them needs root: ${missing[*]}" >&2; exit 1; }
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    -o Dpkg::Use-Pty=0 "${missing[@]}" >/dev/null
else
  say "system packages: all there"
fi

# With platforms named pip takes no wheel of another tag: each that one of the wheels has stands here. The folder is new:
# pip leaves out what would go into a folder that is there (nvidia/ of an earlier call).
fetch() {
  local folder=$1
  shift
  python3 -m pip install --quiet --no-deps --no-compile --disable-pip-version-check --root-user-action=ignore \
    --python-version 3.11 --implementation cp --abi cp311 --abi none --only-binary=:all: \
    --platform manylinux_2_28_x86_64 --platform manylinux_2_27_x86_64 --platform manylinux_2_25_x86_64 \
    --platform manylinux_2_18_x86_64 --platform manylinux_2_17_x86_64 --platform manylinux2014_x86_64 --target "$folder" "$@"
}
if [ "$kernels" = 1 ] && [ ! -f build/deps/cuda/installed-13.0.88 ]; then
  if command -v nvcc >/dev/null && nvcc --version | grep -q 'release 13\.'; then
    say "nvcc: the system's"
  else
    say "nvcc 13.0.88: fetching (271 MB on disk)"
    rm -rf build/deps/cuda.part
    mkdir -p build/deps
    fetch build/deps/cuda.part -r packaging/nvcc-requirements.txt
    touch build/deps/cuda.part/installed-13.0.88
    rm -rf build/deps/cuda
    mv build/deps/cuda.part build/deps/cuda
  fi
fi

if [ "$nccl" = 1 ]; then
  if [ -f build/deps/nccl/installed-2.28.9 ]; then
    say "NCCL's header 2.28.9: there"
  else
    say "NCCL's header 2.28.9: fetching (196 MB to load)"
    rm -rf build/deps/nccl.part
    mkdir -p build/deps
    fetch build/deps/nccl.part --require-hashes -r packaging/nccl-requirements.txt
    # The library itself lies beside the LibTorch of a machine with cards.
    rm -rf build/deps/nccl.part/nvidia/nccl/lib
    touch build/deps/nccl.part/installed-2.28.9
    rm -rf build/deps/nccl
    mv build/deps/nccl.part build/deps/nccl
  fi
fi

if [ -n "${FATHOM_LIBTORCH:-}" ]; then
  say "LibTorch: using $FATHOM_LIBTORCH"
  exit 0
fi
target=build/deps/libtorch
if [ -f "$target/installed-$torch_version-cuda" ] || { [ "$cuda" = 0 ] && [ -f "$target/installed-$torch_version-cpu" ]; }; then
  say "LibTorch $torch_version: there"
  exit 0
fi
say "LibTorch $torch_version: fetching (0.6 GB to load, 1.2 GB on disk)"
rm -rf "$target.part"
mkdir -p "$target.part"
# The hashes pin the very files: a changed wheel is refused.
fetch "$target.part" --require-hashes -r packaging/libtorch-requirements.txt
kind=cpu
if [ "$cuda" = 1 ]; then
  say "NVIDIA libraries for the GPU: fetching (2.7 GB)"
  rm -rf "$target.cuda"
  fetch "$target.cuda" -r packaging/libtorch-cuda-requirements.txt
  cp -rl "$target.cuda/." "$target.part"
  rm -rf "$target.cuda"
  kind=cuda
fi
touch "$target.part/installed-$torch_version-$kind"
rm -rf "$target"
mv "$target.part" "$target"
say "LibTorch $torch_version: in $target"
