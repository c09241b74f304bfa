#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, checks the format, builds (a warning is an error) and runs every test but those marked slow.
#   packaging/test.sh              what a change needs; .ci/run adds the sanitizers
#   packaging/test.sh --all        also the slow tests, the long forms of others (70 kills instead of 10) and every view
#                                  of the window in every look and size
#   packaging/test.sh -R option    arguments go to ctest, slow tests included: -L unit, -R quick_start
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/progress.sh
chosen=(-LE '^slow$') all=0
case "${1:-}" in
  --all) all=1 chosen=(); shift; export FATHOM_ALL_TESTS=1 ;;
  ?*) chosen=() ;;
esac
# One more than there are cores: tests of processes wait for a third of their time.
jobs=$((${FATHOM_JOBS:-$(nproc)} + 1))
say "installs what is missing (with nothing there 2.6 GB, of which 1.2 GB LibTorch in build/deps), checks the format, builds, tests"
announce "programs and tests" build/release 1900 1200
if [ "$all" = 1 ]; then minutes=60; else minutes=20; fi
say "the tests themselves take about $minutes min on 2 cores; can be stopped at any time (Ctrl-C) and started again"
started=$SECONDS
packaging/deps.sh
installed=$SECONDS
say "checking the format"
packaging/format.sh
packaging/build.sh
built=$SECONDS
say "running the tests"
status=0
ctest --test-dir build/release --output-on-failure --parallel "$jobs" --no-tests=error "${chosen[@]}" "$@" </dev/null || status=$?
say "install $((installed - started)) s, format and build $((built - installed)) s, tests $((SECONDS - built)) s"
if [ $# = 0 ] && [ "$all" = 0 ]; then
  slow=$(ctest --test-dir build/release -N -L '^slow$' | sed -n 's/^Total Tests: //p')
  say "$slow slow tests were left out, and the long forms of others: packaging/test.sh --all runs them"
fi
exit "$status"
