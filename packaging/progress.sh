#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts that build. Its functions print the cost of a build in advance, and its progress.
say() { printf '· %s\n' "$*"; }

# in_words <seconds>
in_words() {
  if [ "$1" -lt 90 ]; then printf '%d s' "$1"; else printf '%d min' $((($1 + 30) / 60)); fi
}

# announce <what> <folder> <processor seconds of a whole build> <MB on disk> [targets…]: prints the cost of a build here.
# Ends the script where the disk has no room for it.
announce() {
  local what=$1 folder=$2 seconds=$3 room=$4 steps free cores=${FATHOM_JOBS:-$(nproc)}
  shift 4
  if [ -f "$folder/build.ninja" ]; then
    # A dry run of build.ninja stops at the step that remakes build.ninja itself. A file that includes it has no such step.
    steps=$(ninja -C "$folder" -f <(echo include build.ninja) -n "$@" | grep -c '^\[' || true)
    if [ "$steps" = 0 ]; then say "$what: built already, in $folder"; else say "$what: $steps steps to go, in $folder"; fi
    return
  fi
  free=$(($(df -Pk . | awk 'NR == 2 {print $4}') / 1024))
  say "$what: about $(in_words $((seconds / cores))) with $cores at a time, $room MB in $folder"
  if [ "$free" -lt "$room" ]; then
    printf '%s needs %d MB in %s, and %d MB are free\n' "$what" "$room" "$PWD/$folder" "$free" >&2
    exit 1
  fi
}

# build_tree <folder> [targets…]: builds, saying how far it is: each second on a terminal, each half minute elsewhere.
build_tree() {
  local folder=$1 status=0
  shift
  NINJA_STATUS='@%f %t %e@ ' cmake --build "$folder" --parallel "${FATHOM_JOBS:-$(nproc)}" -- "$@" | build_lines ||
    status=${PIPESTATUS[0]}
  return "$status"
}

build_lines() {
  local line finished total left next=2 every=30 start='' end='\n'
  if [ -t 1 ]; then every=1 start='\r' end='\033[K'; fi
  while IFS= read -r line; do
    if [[ $line =~ ^@([0-9]+)\ ([0-9]+)\ ([0-9]+)\.[0-9]+@ ]]; then
      finished=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]}
      [ "${BASH_REMATCH[3]}" -ge "$next" ] || continue
      next=$((BASH_REMATCH[3] + every))
      left=$((BASH_REMATCH[3] * (total - finished) / finished))
      printf '%b· step %d of %d, about %s left%b' "$start" "$finished" "$total" "$(in_words "$left")" "$end"
    elif [[ $line != "ninja: Entering"* && $line != "ninja: no work to do." ]]; then
      if [ "$start" ]; then printf '%b' "$start$end"; fi
      printf "%s\n" "$line"
    fi
  done
  if [ "$start" ]; then printf '%b' "$start$end"; fi
}
