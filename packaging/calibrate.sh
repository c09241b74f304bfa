#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compares the verdicts of `fathom-engine trainability` with what really happens in short trainings on the generated
# sample: scheme x depth x learning rate, 300 updates at width 64. Can be stopped and started again: finished runs
# are kept in the work folder, verdicts are made anew. Writes the table of hits and misses at the end.
#
#   packaging/calibrate.sh [--bin DIR] [--work DIR] [--table FILE] [--limit N]
#
# --bin     where fathom-engine lies (default: build/release/bin)
# --work    where data and runs lie (default: build/calibration)
# --table   the table to write (default: tests/calibration/trainability.txt)
# --limit   train at most N runs that are not there yet, then stop; the table holds what there is
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
bin=$root/build/release/bin
work=$root/build/calibration
table=$root/tests/calibration/trainability.txt
limit=-1
while [ $# -gt 0 ]; do
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

# A member of a JSON file or line that has it once on a line of its own or after a brace.
member() {  # name file
  grep -o "\"$1\": *[^,}]*" "$2" | head -n 1 | sed 's/^"[^"]*": *//; s/"//g'
}

total=$((${#schemes[@]} * ${#depths[@]} * ${#rates[@]}))
number=0
trained=0
rows=$work/rows.txt
: > "$rows"
# Rate by rate, so that what is there after a while is a whole grid of schemes and depths.
for rate in "${rates[@]}"; do
  for depth in "${depths[@]}"; do
    for scheme in "${schemes[@]}"; do
      number=$((number + 1))
      cell=$scheme-$depth-$rate
      run=$work/runs/$cell
      mapfile -t options < <(options_of "$scheme" "$depth" "$rate")
      if [ ! -f "$run/finished" ]; then
        [ "$trained" != "$limit" ] || continue
        trained=$((trained + 1))
        rm -rf "$run"
        mkdir -p "$work/runs"
        echo "run $number of $total: $cell"
        began=$(date +%s)
        code=0
        "$engine" train --config "$preset" --run "$run" "${options[@]}" > "$work/train.log" 2>&1 || code=$?
        # 20: diverged, which is a result.
        if [ $code -ne 0 ] && [ $code -ne 20 ]; then
          echo "the training of $cell ended with $code:" >&2
          tail -n 3 "$work/train.log" >&2
          exit $code
        fi
        echo $(($(date +%s) - began)) > "$run/finished"
      fi
      "$engine" trainability --json --config "$preset" "${options[@]}" > "$work/verdict.json" 2> "$work/verdict.log" ||
        { cat "$work/verdict.log" >&2; exit 1; }
      outcome=$(ls "$run"/attempts/*/outcome.json | tail -n 1)
      state=$(member state "$outcome")
      # A run that ended in divergence has its last validation among its events.
      nll=$(member valid.nll "$outcome")
      [ -n "$nll" ] || nll=$(grep -ho '"valid.nll": *[0-9.e+-]*' "$run"/attempts/*/events.jsonl | tail -n 1 | sed 's/.*: *//')
      printf '%s %s %s %s %s %.3f %s\n' "$scheme" "$depth" "$rate" "$(member verdict "$work/verdict.json")" \
        "$([ "$state" = finished ] && echo learned || echo failed)" "${nll:-nan}" "$(cat "$run/finished")" >> "$rows"
    done
  done
done

mkdir -p "$(dirname "$table")"
sort -k1,1 -k2,2n -k3,3g "$rows" | awk -v updates=$updates '
  function mark() {
    if ($4 == "doubtful") return "-"
    return ($4 == "green") == ($5 == "learned") ? "hit" : "MISS"
  }
  BEGIN {
    print "# Verdicts of the trainability check against real trainings: " updates " updates, width 64, generated sample."
    print "# Written by packaging/calibrate.sh. learned: validation nll below .85 x the unigram entropy of the targets."
    format = "%-9s %6s %8s  %-24s %-8s %7s %8s  %s\n"
    printf format, "scheme", "layers", "rate", "verdict", "outcome", "nll", "seconds", "agrees"
  }
  {
    printf format, $1, $2, $3, $4, $5, $6, $7, mark()
    count[mark()]++
    split_[$4 " " $5]++
    slowest = $7 > slowest ? $7 : slowest
  }
  END {
    printf "\n%d runs: %d hits, %d misses, %d doubtful; slowest run %d s\n", NR, count["hit"], count["MISS"], count["-"], slowest
    for (verdict_ in split_) print "  " verdict_ ": " split_[verdict_] | "sort"
  }' > "$table.new"
mv "$table.new" "$table"
cat "$table"
