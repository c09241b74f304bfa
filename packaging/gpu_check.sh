#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs what is to be known of a card and prints one report; packed as check.sh by packaging/gpu-check.sh.
#   FATHOM_LIBTORCH=/path/to/torch ./check.sh [CHECK ...]     LibTorch 2.11.0+cu130: its folder, with lib/ in it
# Checks, all of them without names: describe, kernels, stacks, dropout, tasks, graphs, ranks, sanitizer, roofline.
# Ends with 0 when each held or could not be tried (with the reason), with 1 when one did not, with 3 where there is no card.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
case "${1:-}" in -*) sed -n '3,6s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
program=${FATHOM_DEVICE_CHECKS:-$here/bin/device_checks}
if [ -n "${FATHOM_LIBTORCH:-}" ]; then
  if [ ! -e "$FATHOM_LIBTORCH/lib/libtorch_cpu.so" ]; then
    echo "check.sh: no lib/libtorch_cpu.so in FATHOM_LIBTORCH=$FATHOM_LIBTORCH: name the folder 'torch' of LibTorch 2.11.0+cu130" >&2
    exit 2
  fi
  export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$here/lib:$FATHOM_LIBTORCH/lib"
fi
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-4} GOMP_SPINCOUNT=1000
chosen=("$@")
[ ${#chosen[@]} -gt 0 ] || chosen=(describe kernels stacks dropout tasks graphs ranks sanitizer roofline)
failed=0
# Its outcome: 0 right, 1 not, 2 could not be tried.
check() {
  local name=$1 said code=0 word started=$SECONDS
  shift
  said=$("$@" 2>&1) || code=$?
  case $code in 0) word=ok ;; 2) word="not tried" ;; *) word="FAILED ($code)"; failed=1 ;; esac
  printf '== %s: %s, %d s\n%s\n' "$name" "$word" $((SECONDS - started)) "$said"
}
describe() { "$program" engine describe | tr -d '\n' | sed 's/.*"devices": *\(\[[^]]*\]\).*/devices \1\n/' | cut -c1-2000; }
sanitizer() {
  local tool
  tool=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null) ||
    { echo "compute-sanitizer is not installed"; return 2; }
  local kind code
  for kind in memcheck racecheck synccheck initcheck; do
    code=0
    "$tool" --tool $kind --error-exitcode 9 "$program" kernels | tail -3 || code=$?
    case $code in 0) ;; 2) return 2 ;; *) return 1 ;; esac
  done
}
echo "Fathom $(cat "$here/version" 2>/dev/null || echo "of this build"), $(date -u +%F), $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null || echo "no nvidia-smi")"
code=0
reason=$("$program" device 2>&1) || code=$?
case $code in
  0) ;;
  2) echo "no card can be used: $reason"; exit 3 ;;
  *) echo "check.sh: $program ended with $code: $reason" >&2; exit 1 ;;
esac
for name in "${chosen[@]}"; do
  case $name in
    describe) check "what the engine found" describe ;;
    kernels) check "kernels against LibTorch's operations" "$program" kernels ;;
    stacks)
      check "layers against the processor, float64" "$program" stacks float64 0
      check "layers against the processor, float32" "$program" stacks float32 0
      ;;
    dropout) check "layers with dropout and kernels" "$program" stacks float64 0.1 ;;
    tasks) check "tasks against the processor" "$program" tasks ;;
    graphs) check "trainings with graphs of the device and without" "$program" graphs ;;
    ranks) check "ranks on cards, by NCCL" "$program" ranks ;;
    sanitizer) check "compute-sanitizer over the kernels" sanitizer ;;
    roofline) check "share of the roofline" "$program" roofline ;;
    *) echo "check.sh: no check '$name'" >&2; exit 2 ;;
  esac
done
exit $failed
