#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds, checks the format and runs every test, then those without torch under the
# sanitizers. Arguments go to ctest (packaging/test.sh -L unit; packaging/test.sh -R option); with them no sanitizers.
set -euo pipefail
cd "$(dirname "$0")/.."
started=$SECONDS
packaging/deps.sh
installed=$SECONDS
packaging/build.sh
built=$SECONDS
printf '· checking the format\n'
git ls-files '*.cpp' '*.h' | xargs -r clang-format --dry-run --Werror
printf '· running the tests\n'
status=0
(cd build/release && ctest --output-on-failure --parallel "${FATHOM_JOBS:-$(nproc)}" --no-tests=error "$@") || status=$?
tested=$SECONDS
if [ "$status" = 0 ] && [ $# = 0 ]; then packaging/sanitize.sh || status=$?; fi
printf '· install %d s, build %d s, tests %d s, sanitizers %d s\n' \
  $((installed - started)) $((built - installed)) $((tested - built)) $((SECONDS - tested))
exit "$status"
