#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds, and opens the program with the sample project. Without a display it runs the
# quick start in the terminal instead and writes its figures to build/quick-start (or to the folder given).
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/progress.sh
programs=(fathom fathom-engine fathom-sqlrun)
say "installs what is missing (with nothing there 2.6 GB, of which 1.2 GB LibTorch in build/deps), builds, opens the window"
announce "the programs" build/release 700 400 "${programs[@]}"
say "can be stopped at any time (Ctrl-C) and started again: what is done stays"
packaging/deps.sh
packaging/build.sh "${programs[@]}"
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  exec build/release/bin/fathom open-sample
fi
say "no display: running the quick start in the terminal"
exec build/release/bin/fathom quick-start --out "${1:-build/quick-start}"
