#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds (a warning is an error), checks the format and runs every test, then those without
# torch under the address and undefined-behaviour sanitizers and those with threads under the thread sanitizer
# (packaging/sanitize.sh). Arguments go to ctest (packaging/test.sh -L unit; packaging/test.sh -R option); with them no
# sanitizers.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/progress.sh
say "installs what is missing (with nothing there 2.6 GB, of which 1.2 GB LibTorch in build/deps), builds, checks the format, tests"
announce "programs and tests" build/release 1900 1200
if [ $# = 0 ]; then
  announce "tests without torch under asan" build/asan 350 840 sanitized_tests
  announce "tests with threads under tsan" build/tsan 170 320 sanitized_tests
fi
say "the tests themselves take about 20 min on 2 cores; can be stopped at any time (Ctrl-C) and started again"
started=$SECONDS
packaging/deps.sh
installed=$SECONDS
packaging/build.sh
built=$SECONDS
say "checking the format"
git ls-files '*.cpp' '*.h' | xargs -r clang-format --dry-run --Werror
say "running the tests"
status=0
(cd build/release && ctest --output-on-failure --parallel "${FATHOM_JOBS:-$(nproc)}" --no-tests=error "$@") || status=$?
tested=$SECONDS
if [ "$status" = 0 ] && [ $# = 0 ]; then packaging/sanitize.sh || status=$?; fi
say "install $((installed - started)) s, build $((built - installed)) s, tests $((tested - built)) s, sanitizers $((SECONDS - tested)) s"
exit "$status"
