#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Kills, injected faults, a full disk, odd files, hostile projects and hostile input, until the time given is over;
# prints one table and ends with 1 when anything was lost, hung or took more memory than it may.
#   packaging/torture.sh                    ten minutes on build/release
#   packaging/torture.sh --minutes 60 --seed 7 --build build/dev
#   packaging/torture.sh --only faults,odd_files
#   packaging/torture.sh --patience 5            on a machine that has other work: commands may take five times as long
set -euo pipefail
exec python3 "$(dirname "$0")/torture.py" "$@"
