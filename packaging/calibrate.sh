#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compares the verdicts of `fathom-engine trainability` with what really happens in short trainings on the generated
# sample: scheme x depth x learning rate, 300 updates at width 64. Can be stopped and started again: finished runs
# are kept in the work folder, verdicts are made anew. Writes the table of hits and misses at the end.
#
#   packaging/calibrate.sh [--bin DIR] [--work DIR] [--table FILE] [--limit N] [--rejudge]
#
# --bin      where fathom-engine lies (default: build/release/bin)
# --work     where data and runs lie (default: build/calibration)
# --table    the table to write (default: tests/calibration/trainability.txt)
# --limit    train at most N runs that are not there yet, then stop; the table holds what there is
# --rejudge  train nothing: make the verdicts on the rows of the table anew and keep their outcomes
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
bin=$root/build/release/bin
work=$root/build/calibration
table=$root/tests/calibration/trainability.txt
limit=-1
rejudge=
while [ $# -gt 0 ]; do
  if [ "$1" = --rejudge ]; then
    rejudge=yes
    shift
    continue
  fi
  [ $# -gt 1 ] || { echo "$1 needs a value; see the head of $0" >&2; exit 2; }
  case "$1" in
    --bin) bin=$2 ;;
    --work) work=$2 ;;
    --table) table=$2 ;;
    --limit) limit=$2 ;;
    *) echo "unknown option $1; see the head of $0" >&2; exit 2 ;;
  esac
  shift 2
done
engine=$bin/fathom-engine
[ -x "$engine" ] || { echo "there is no fathom-engine in $bin; build it, or name its folder with --bin" >&2; exit 2; }
[ -z "$rejudge" ] || [ -f "$table" ] || { echo "there is no table $table to judge again" >&2; exit 2; }

schemes=(post_ln pre_ln admin)
depths=(4 8 12)
rates=(0.0015 0.004 0.0005 0.012)
updates=300
preset=$root/resources/presets/sample_deep_short.json

mkdir -p "$work"
if [ ! -f "$work/data/test.tsv" ]; then
  echo "writing the sample"
  "$engine" sample --out "$work/data.new" > /dev/null
  mv "$work/data.new" "$work/data"
fi

# The options of one cell, for training and for the verdict alike.
options_of() {  # scheme depth rate
  printf -- '--set\n%s\n' "data.train=$work/data/train.tsv" "data.validation=$work/data/validation.tsv" \
    "data.test=$work/data/test.tsv" "encoder.residual=$1" "decoder.residual=$1" "encoder.layers=$2" \
    "decoder.layers=$2" "lr_schedule.rate=$3" "training.length=${updates}u" "validation.interval=100u" \
    "validation.score_interval=never" "checkpoint.interval=${updates}u" "checkpoint.keep_last=1" "device=cpu" \
    "threads=1"
}

# A member of a JSON file or line that has it once on a line of its own or after a brace; of several the first.
member() {  # name file
  grep -o "\"$1\": *[^,}]*" "$2" | head -n 1 | sed 's/^"[^"]*": *//; s/"//g'
}

rows=$work/rows.txt
: > "$rows"

# Adds a row with the verdict of a cell and the check that it comes from: the first, the worst.
judge() {  # scheme depth rate outcome nll seconds
  local options verdict
  mapfile -t options < <(options_of "$1" "$2" "$3")
  "$engine" trainability --json --config "$preset" "${options[@]}" > "$work/verdict.json" 2> "$work/verdict.log" ||
    { cat "$work/verdict.log" >&2; exit 1; }
  verdict=$(member verdict "$work/verdict.json")
  printf '%s %s %s %s %s %s %s %s\n' "$1" "$2" "$3" "$verdict" \
    "$([ "$verdict" = green ] && echo - || member id "$work/verdict.json")" "$4" "$5" "$6" >> "$rows"
}

train() {  # scheme depth rate run
  local options began code=0
  mapfile -t options < <(options_of "$1" "$2" "$3")
  rm -rf "$4"
  mkdir -p "$work/runs"
  began=$(date +%s)
  "$engine" train --config "$preset" --run "$4" "${options[@]}" > "$work/train.log" 2>&1 || code=$?
  # 20: diverged, which is a result.
  if [ $code -ne 0 ] && [ $code -ne 20 ]; then
    echo "the training of $1-$2-$3 ended with $code:" >&2
    tail -n 3 "$work/train.log" >&2
    exit $code
  fi
  echo $(($(date +%s) - began)) > "$4/finished"
}

all_cells() {
  local total=$((${#schemes[@]} * ${#depths[@]} * ${#rates[@]})) number=0 trained=0
  local rate depth scheme run outcome state nll
  # Rate by rate, so that what is there after a while is a whole grid of schemes and depths.
  for rate in "${rates[@]}"; do
    for depth in "${depths[@]}"; do
      for scheme in "${schemes[@]}"; do
        number=$((number + 1))
        run=$work/runs/$scheme-$depth-$rate
        if [ ! -f "$run/finished" ]; then
          [ "$trained" != "$limit" ] || continue
          trained=$((trained + 1))
          echo "run $number of $total: $scheme-$depth-$rate"
          train "$scheme" "$depth" "$rate" "$run"
        fi
        outcome=$(ls "$run"/attempts/*/outcome.json | tail -n 1)
        state=$(member state "$outcome")
        # A run that ended in divergence has its last validation among its events.
        nll=$(member valid.nll "$outcome")
        [ -n "$nll" ] ||
          nll=$(grep -ho '"valid.nll": *[0-9.e+-]*' "$run"/attempts/*/events.jsonl | tail -n 1 | sed 's/.*: *//')
        judge "$scheme" "$depth" "$rate" "$([ "$state" = finished ] && echo learned || echo failed)" \
          "$(printf %.3f "${nll:-nan}")" "$(cat "$run/finished")"
      done
    done
  done
}

# Scheme, layers, rate, outcome, nll and seconds of the rows of the table, by the names in its head.
table_rows() {
  awk '$1 == "scheme" { for (i = 1; i <= NF; ++i) at[$i] = i; head = 1; next }
       head && NF == 0 { exit }
       head { print $at["scheme"], $at["layers"], $at["rate"], $at["outcome"], $at["nll"], $at["seconds"] }' "$table"
}

if [ -n "$rejudge" ]; then
  while read -r scheme depth rate outcome nll seconds; do
    judge "$scheme" "$depth" "$rate" "$outcome" "$nll" "$seconds" < /dev/null
  done < <(table_rows)
  grep '^#' "$table" > "$work/head.txt"
else
  all_cells
  cat > "$work/head.txt" << HEAD
# Verdicts of the trainability check against real trainings: $updates updates, width 64, generated sample.
# Written by packaging/calibrate.sh. learned: validation nll below .85 x the unigram entropy of the targets.
# because: the check that a verdict other than green comes from.
HEAD
fi

mkdir -p "$(dirname "$table")"
{
  cat "$work/head.txt"
  sort -k1,1 -k2,2n -k3,3g "$rows" | awk '
    function mark() {
      if ($4 == "doubtful") return "-"
      return ($4 == "green") == ($6 == "learned") ? "hit" : "MISS"
    }
    BEGIN {
      format = "%-9s %6s %8s  %-24s %-9s %-8s %7s %8s  %s\n"
      printf format, "scheme", "layers", "rate", "verdict", "because", "outcome", "nll", "seconds", "agrees"
    }
    {
      printf format, $1, $2, $3, $4, $5, $6, $7, $8, mark()
      count[mark()]++
      split_[$4 " " $6]++
      slowest = $8 + 0 > slowest + 0 ? $8 + 0 : slowest
    }
    END {
      printf "\n%d runs: %d hits, %d misses, %d doubtful", NR, count["hit"], count["MISS"], count["-"]
      print (slowest > 0 ? "; slowest run " slowest " s" : "")
      for (verdict_ in split_) print "  " verdict_ ": " split_[verdict_] | "sort"
    }'
} > "$table.new"
mv "$table.new" "$table"
cat "$table"
