#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Configures (once) and builds the release preset; prints the seconds it took. Arguments go to the build tool.
set -euo pipefail
cd "$(dirname "$0")/.."
started=$SECONDS
mkdir -p build
if [ ! -f build/release/build.ninja ]; then
  cmake --preset release >build/configure.log 2>&1 || { cat build/configure.log >&2; exit 1; }
fi
cmake --build build/release --parallel "${FATHOM_JOBS:-$(nproc)}" -- --quiet "$@"
printf '· built in %d s\n' $((SECONDS - started))
