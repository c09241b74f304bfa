#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whether the sources are written as .clang-format says; names the lines that are not and ends with 1.
#   packaging/format.sh            every source that git does not ignore
#   packaging/format.sh --mend     writes them so
set -euo pipefail
cd "$(dirname "$0")/.."
what=(--dry-run --Werror)
case "${1:-}" in
  '') ;;
  --mend) what=(-i) ;;
  *) echo "format.sh: unknown argument '$1' (known: --mend)" >&2; exit 2 ;;
esac
# A file that was removed and is not committed yet is still in the list.
git ls-files --cached --others --exclude-standard '*.cpp' '*.h' | while IFS= read -r file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done |
  xargs -0 -r -n 100 -P "${FATHOM_JOBS:-$(nproc)}" clang-format "${what[@]}"
