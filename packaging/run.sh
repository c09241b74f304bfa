#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds, and opens the program with the sample project. Without a display it runs the
# quick start in the terminal instead and writes its figures to build/quick-start (or to the folder given).
set -euo pipefail
cd "$(dirname "$0")/.."
packaging/deps.sh
packaging/build.sh fathom fathom-engine
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  exec build/release/bin/fathom open-sample
fi
printf '· no display: running the quick start in the terminal\n'
exec build/release/bin/fathom quick-start --out "${1:-build/quick-start}"
