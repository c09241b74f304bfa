#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packs what a card is checked with into one folder of at most 60 MB, to be copied to a machine that has one and any
# LibTorch 2.11.0+cu130 (a Python's torch, or the archive), but nothing of Fathom's build:
#   packaging/gpu-check.sh FOLDER               packs; the folder must not be there
#   FATHOM_LIBTORCH=.../torch FOLDER/check.sh   there: runs it all and prints one report (check.sh --help)
# What is packed was built here before (packaging/build.sh); a plug-in that could not be built here is left out.
set -euo pipefail
limit=$((60 * 1000 * 1000))
case "${1:-}" in
  "" | -*) sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
folder=${1%/}
here=$(cd "$(dirname "$0")/.." && pwd)
build=${FATHOM_BUILD:-$here/build/release}
if [ -e "$folder" ]; then echo "gpu-check.sh: $folder is there already: name a new folder" >&2; exit 1; fi
for program in device/device_checks bin/fathom-sqlrun; do
  if [ ! -x "$build/$program" ]; then
    echo "gpu-check.sh: $build/$program is not there: packaging/build.sh makes it" >&2
    exit 1
  fi
done
aside=$folder.part-$$
trap 'rm -rf "$aside"' EXIT
mkdir -p "$aside/bin" "$aside/lib"
install -m 755 "$here/packaging/gpu_check.sh" "$aside/check.sh"
install -s -m 755 "$build/device/device_checks" "$build/bin/fathom-sqlrun" "$aside/bin/"
for plugin in libfathom-kernels-cuda.so libfathom-graphs-cuda.so libfathom-nccl.so; do
  if [ -e "$build/bin/$plugin" ]; then install -m 755 "$build/bin/$plugin" "$aside/bin/"; fi
done
# Its libraries but LibTorch's (FATHOM_LIBTORCH) and the C library's, which belong to the machine.
ldd "$aside"/bin/device_checks "$aside"/bin/fathom-sqlrun | sed -n 's|^.* => \(/.*\) (0x[0-9a-f]*)$|\1|p' | sort -u |
  grep -Ev '/(libtorch[^/]*|libc10[^/]*|libgomp[^/]*|libcud[^/]*|libcu[a-z]*|libc|libm|libdl|librt|libpthread|libutil|ld-linux[^/]*)\.so' |
  while read -r library; do install -m 644 "$(readlink -f "$library")" "$aside/lib/$(basename "$library")"; done
(cd "$here" && git rev-parse HEAD 2>/dev/null || echo unknown) >"$aside/version"
size=$(du -sb "$aside" | cut -f1)
if [ "$size" -gt "$limit" ]; then
  echo "gpu-check.sh: $((size / 1000000)) MB are more than the $((limit / 1000000)) MB that the folder may have" >&2
  exit 1
fi
mv "$aside" "$folder"
trap - EXIT
echo "$folder: $((size / 1000000)) MB, $(find "$folder" -type f | wc -l) files"
