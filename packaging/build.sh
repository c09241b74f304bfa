#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Configures (once) and builds the release preset; says how far it is and what time it took. Arguments are what to build,
# everything without. Interrupted, it goes on where it was.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/progress.sh
started=$SECONDS
mkdir -p build
if [ ! -f build/release/build.ninja ]; then
  cmake --preset release >build/configure.log 2>&1 || { cat build/configure.log >&2; exit 1; }
fi
build_tree build/release "$@"
say "built in $(in_words $((SECONDS - started)))"
