#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The torch-free unit tests under AddressSanitizer and UndefinedBehaviorSanitizer, those with threads under
# ThreadSanitizer: build folders of their own (build/asan, build/tsan), few targets.
#   packaging/sanitize.sh              both (what .ci/run runs after test.sh)
#   packaging/sanitize.sh tsan         one of them; what follows goes to ctest: sanitize.sh asan -R json
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/progress.sh
kinds=(asan tsan)
if [ $# -gt 0 ]; then
  case "$1" in
    asan | tsan) kinds=("$1"); shift ;;
    *) echo "sanitize.sh: unknown sanitizer '$1' (known: asan tsan)" >&2; exit 2 ;;
  esac
fi
# A report ends the test; leaks are looked for at the end of every program but the sandboxed one, which may not.
export ASAN_OPTIONS="abort_on_error=0:detect_stack_use_after_return=1:strict_string_checks=1"
export UBSAN_OPTIONS="print_stacktrace=1"
export TSAN_OPTIONS="halt_on_error=1:second_deadlock_stack=1:suppressions='$PWD/packaging/tsan_suppressions.txt'"
for kind in "${kinds[@]}"; do
  if [ "$kind" = asan ]; then announce "tests without torch under asan" build/asan 770 840 sanitized_tests; fi
  if [ "$kind" = tsan ]; then announce "tests with threads under tsan" build/tsan 325 320 sanitized_tests; fi
done
mkdir -p build
for kind in "${kinds[@]}"; do
  started=$SECONDS
  if [ ! -f "build/$kind/build.ninja" ]; then
    cmake --preset "$kind" >"build/configure-$kind.log" 2>&1 || { cat "build/configure-$kind.log" >&2; exit 1; }
  fi
  say "building the tests under $kind"
  build_tree "build/$kind" sanitized_tests
  built=$SECONDS
  label=unit
  [ "$kind" = tsan ] && label=threads
  (cd "build/$kind" && ctest --output-on-failure --parallel "$((${FATHOM_JOBS:-$(nproc)} + 1))" --no-tests=error -L "^$label$" "$@" </dev/null)
  say "$kind: build $((built - started)) s, tests $((SECONDS - built)) s"
done
