#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the wheel of fathom.py, with the standard library of python3 alone: the same bytes each time.
#   packaging/python/build.sh [FOLDER]     build/python/fathom_run-VERSION-py3-none-any.whl, or in FOLDER
set -euo pipefail
cd "$(dirname "$0")/../.."
exec python3 packaging/python/make_wheel.py "${1:-build/python}"
