#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compares the verdicts of `fathom-engine trainability` with what really happens in short trainings of width 64:
# translation (multi-head and relation-aware attention) and masked words (BERT) by scheme, depth and learning rate.
# Can be stopped and started again: finished runs are kept in the work folder. Every cell belongs to one half by a
# hash of its name and a seed, before anything is trained: limits are taken from the half "fit", hits and misses are
# reported on the half "report". Also kept is what this very engine said of a cell.
#
#   packaging/calibrate.sh [--bin DIR] [--work DIR] [--table FILE] [--limit N] [--train-only] [--rejudge] [--limits]
#
# --bin         where fathom-engine lies (default: build/release/bin)
# --work        where data and runs lie (default: build/calibration)
# --table       the table to write (default: tests/calibration/trainability.txt)
# --limit       train at most N runs that are not there yet, then stop; the table holds what there is
# --train-only  make no verdicts and no table
# --rejudge     train nothing: make the verdicts on the rows of the table anew and keep their outcomes
# --limits      only print what the half "fit" of the table says about each limit
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
bin=$root/build/release/bin
work=$root/build/calibration
table=$root/tests/calibration/trainability.txt
limit=-1
doing=all
while [ $# -gt 0 ]; do
  case "$1" in
    --rejudge | --limits | --train-only)
      doing=${1#--}
      shift
      continue
      ;;
  esac
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
seed=1
checks=(update gradient step scale movement loss)
kept=(all train-only)  # of what is done, where a table need not be there
case " ${kept[*]} " in
  *" $doing "*) ;;
  *) [ -f "$table" ] || { echo "there is no table $table" >&2; exit 2; } ;;
esac
[ "$doing" = limits ] || [ -x "$engine" ] ||
  { echo "there is no fathom-engine in $bin; build it, or name its folder with --bin" >&2; exit 2; }

# family scheme layers rate, one a line.
cells() {
  local scheme depth rate
  for scheme in post_ln pre_ln admin; do
    for depth in 4 8 12; do
      for rate in 0.0005 0.0015 0.004 0.012; do echo "translation $scheme $depth $rate"; done
      for rate in 0.001 0.003 0.01; do echo "bert $scheme $depth $rate"; done
    done
    for depth in 4 10; do
      for rate in 0.0015 0.004 0.012; do echo "relation $scheme $depth $rate"; done
    done
    # Rates at which nothing moves, or everything jumps, whatever the scheme.
    for depth in 4 8; do
      for rate in 0.00005 0.04; do echo "translation $scheme $depth $rate"; done
    done
  done
  # The border of Post-LN.
  for rate in 0.0005 0.0015 0.004 0.012; do echo "translation post_ln 6 $rate"; done
}

mixed() {  # cell: a number that says nothing about it
  printf '%s %s' "$seed" "$1" | md5sum | cut -c1-8
}

half_of() {  # cell
  [ $((0x$(mixed "$1") % 2)) = 0 ] && echo fit || echo report
}

# In an order without rule, so that what is there after a while is a part of everything.
mixed_cells() {
  local cell
  cells | while read -r cell; do echo "$(mixed "order $cell") $cell"; done | sort | cut -d' ' -f2-
}

make_data() {
  [ ! -f "$work/data/validation.txt" ] || return 0
  echo "writing the sample"
  rm -rf "$work/data.new"
  "$engine" sample --out "$work/data.new" > /dev/null
  local part
  # Few lines are enough to tell learning from not learning. Documents for BERT: the English side.
  for part in validation test; do head -n 200 "$work/data.new/$part.tsv" > "$work/data.new/$part.short.tsv"; done
  for part in train validation test; do
    head -n 8000 "$work/data.new/$part.tsv" | awk -F'\t' '{ print $2 } NR % 25 == 0 { print "" }' \
      > "$work/data.new/$part.txt"
  done
  rm -rf "$work/data"
  mv "$work/data.new" "$work/data"
}

# Preset and options of one cell, for training and for the verdict alike: a file, then --set key=value.
options_of() {  # family scheme depth rate
  local updates=300 set=(device=cpu threads=1 "lr_schedule.rate=$4" validation.score_interval=never
    validation.interval=100u checkpoint.keep_last=1 "encoder.residual=$2" "encoder.layers=$3")
  if [ "$1" = bert ]; then
    updates=400
    echo "$root/resources/presets/mlm_quick.json"
    set+=("data.train=$work/data/train.txt" "data.validation=$work/data/validation.txt"
      "data.test=$work/data/test.txt" mlm.documents=blank_line mlm.sentences=line mlm.vocabulary.size=300
      mlm.random_next=0 mlm.max_length=32 mlm.masked_share=0.25 mlm.duplicates=2 model.bert.head=masked_words
      model.width=64 model.feed_forward=128 model.dropout=0 model.attention_dropout=0 lr_schedule.warmup=100
      divergence.not_learning_after=400)
    [ "$2" != admin ] || set+=(init=admin_profile)
  else
    echo "$root/resources/presets/sample_deep_short.json"
    set+=("data.train=$work/data/train.tsv" "data.validation=$work/data/validation.short.tsv"
      "data.test=$work/data/test.short.tsv" data.max_pairs=6000 batch.max_tokens=256 "decoder.residual=$2"
      "decoder.layers=$3")
    [ "$1" = translation ] || set+=(encoder.attention=relation_aware decoder.attention=relation_aware)
  fi
  set+=("training.length=${updates}u" "checkpoint.interval=${updates}u")
  printf -- '--set\n%s\n' "${set[@]}"
}

# A member of a JSON file or line that has it once on a line of its own or after a brace; of several the first.
member() {  # name file
  grep -o "\"$1\": *[^,}]*" "$2" | head -n 1 | sed 's/^"[^"]*": *//; s/"//g'
}

# The worst value of a check over the stacks: the smallest of those where less is worse.
worst() {  # check file
  grep -o "\"id\":\"$1\",\"verdict\":\"[a-z_]*\",\"stack\":\"[a-z]*\",\"value\":[^,]*" "$2" | sed 's/.*://; s/"//g' |
    awk -v less="$(case "$1" in gradient | movement) echo 1 ;; esac)" '
      NR == 1 || (less ? $1 + 0 < worst : $1 + 0 > worst) { worst = $1 + 0 }
      END { if (NR) printf "%.3g", worst; else printf "-" }'
}

rows=$work/rows.txt

# Adds a row with the verdict of a cell, the check that it comes from (the first, the worst) and every check's value.
# What one and the same engine said is asked once.
judge() {  # family scheme depth rate half outcome nll seconds
  local options verdict check said=$work/verdicts/$engine_sum/$1-$2-$3-$4.json
  if [ ! -f "$said" ]; then
    mkdir -p "${said%/*}"
    mapfile -t options < <(options_of "$1" "$2" "$3" "$4")
    "$engine" trainability --json --config "${options[@]}" > "$said.new" 2> "$work/verdict.log" ||
      { cat "$work/verdict.log" >&2; exit 1; }
    mv "$said.new" "$said"
  fi
  verdict=$(member verdict "$said")
  {
    printf '%s ' "$@" "$verdict" "$([ "$verdict" = green ] && echo - || member id "$said")"
    for check in "${checks[@]}"; do printf '%s ' "$(worst "$check" "$said")"; done
    echo
  } >> "$rows"
}

train() {  # run family scheme depth rate
  local options began code=0 run=$1
  mapfile -t options < <(options_of "$2" "$3" "$4" "$5")
  rm -rf "$run"
  mkdir -p "$work/runs"
  began=$(date +%s)
  "$engine" train --run "$run" --config "${options[@]}" > "$work/train.log" 2>&1 || code=$?
  # 20: diverged, which is a result.
  if [ $code -ne 0 ] && [ $code -ne 20 ]; then
    echo "the training of $run ended with $code:" >&2
    tail -n 3 "$work/train.log" >&2
    exit $code
  fi
  rm -rf "$run/checkpoints"
  echo $(($(date +%s) - began)) > "$run/finished"
}

train_all() {
  local total number=0 trained=0 family scheme depth rate run
  total=$(cells | wc -l)
  while read -r family scheme depth rate <&3; do
    number=$((number + 1))
    run=$work/runs/$family-$scheme-$depth-$rate
    [ ! -f "$run/finished" ] || continue
    [ "$trained" != "$limit" ] || continue
    trained=$((trained + 1))
    echo "run $number of $total: $family-$scheme-$depth-$rate"
    train "$run" "$family" "$scheme" "$depth" "$rate" < /dev/null
  done 3< <(mixed_cells)
}

judge_all() {
  local family scheme depth rate run outcome state nll
  while read -r family scheme depth rate <&3; do
    run=$work/runs/$family-$scheme-$depth-$rate
    [ -f "$run/finished" ] || continue
    outcome=$(ls "$run"/attempts/*/outcome.json | tail -n 1)
    state=$(member state "$outcome")
    # A run that ended in divergence has its last validation among its events.
    nll=$(member valid.nll "$outcome")
    [ -n "$nll" ] ||
      nll=$(grep -ho '"valid.nll": *[0-9.e+-]*' "$run"/attempts/*/events.jsonl | tail -n 1 | sed 's/.*: *//')
    judge "$family" "$scheme" "$depth" "$rate" "$(half_of "$family $scheme $depth $rate")" \
      "$([ "$state" = finished ] && echo learned || echo failed)" "$(printf %.3f "${nll:-nan}")" \
      "$(cat "$run/finished")" < /dev/null
  done 3< <(mixed_cells)
}

# The named columns of the rows of the table.
table_columns() {  # name...
  awk -v names="$*" '
    $1 == "family" { for (i = 1; i <= NF; ++i) at[$i] = i; head = 1; next }
    head && NF == 0 { exit }
    head { count = split(names, name, " "); for (i = 1; i <= count; ++i) printf "%s ", $at[name[i]]; print "" }' "$table"
}

rejudge_all() {
  local cell
  while read -r -a cell <&3; do
    judge "${cell[@]}" < /dev/null
  done 3< <(table_columns family scheme layers rate half outcome nll seconds)
}

# What a limit may be: behind the worst that learned, before many that failed.
show_limits() {
  local check
  for check in "${checks[@]}"; do
    echo "$check: of what learned the worst values, and how many of what failed are worse"
    table_columns half outcome "$check" | awk -v less="$(case "$check" in gradient | movement) echo 1 ;; esac)" '
      $1 == "fit" && $3 != "-" { print $2, less ? -$3 : $3 + 0 }' | sort -k2,2gr | awk '
      $1 == "failed" { ++failed }
      $1 == "learned" && ++learned <= 5 { printf "  %.3g (%d)\n", $2 < 0 ? -$2 : $2, failed }
      END { printf "  %d failed\n", failed }'
  done
}

if [ "$doing" = limits ]; then
  show_limits
  exit
fi
mkdir -p "$work"
make_data
engine_sum=$(cksum < "$engine" | tr ' ' -)
: > "$rows"
case "$doing" in
  train-only)
    train_all
    exit
    ;;
  all)
    train_all
    judge_all
    cat > "$work/head.txt" << HEAD
# Verdicts of the trainability check against real trainings of width 64 on made data: 300 updates of
# translation, 400 of masked words. Written by packaging/calibrate.sh. learned: validation nll below .85 x the unigram
# entropy of the targets. because: the check that a verdict other than green comes from. Then the worst value of each.
# half: by the hash of the cell with seed $seed; the limits come from "fit" alone.
HEAD
    ;;
  rejudge)
    rejudge_all
    grep '^#' "$table" > "$work/head.txt"
    ;;
esac

mkdir -p "$(dirname "$table")"
{
  cat "$work/head.txt"
  sort -k1,1 -k2,2 -k3,3n -k4,4g "$rows" | awk -v checks="${checks[*]}" '
    function mark() {
      if ($9 == "doubtful") return "-"
      return ($9 == "green") == ($6 == "learned") ? "hit" : "MISS"
    }
    BEGIN {
      format = "%-11s %-7s %6s %7s %-6s %-7s %6s %7s  %-23s %-8s"
      printf format, "family", "scheme", "layers", "rate", "half", "outcome", "nll", "seconds", "verdict", "because"
      count = split(checks, name, " ")
      for (i = 1; i <= count; ++i) printf " %8s", name[i]
      print "  agrees"
    }
    {
      printf format, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10
      for (i = 1; i <= count; ++i) printf " %8s", $(10 + i)
      print "  " mark()
      ++of[$5]
      ++agree[$5 " " mark()]
      ++outcomes[$5 " " $9 " " $6]
    }
    END {
      print ""
      for (half in of) {
        printf "%s: %d runs: %d hits, %d misses, %d doubtful\n", half == "-" ? "all" : half, of[half],
          agree[half " hit"], agree[half " MISS"], agree[half " -"] | "sort"
        for (key in outcomes) {
          split(key, part, " ")
          if (part[1] == half)
            printf "%s: %s and %s: %d\n", half == "-" ? "all" : half, part[2], part[3], outcomes[key] | "sort"
        }
      }
    }'
} > "$table.new"
mv "$table.new" "$table"
cat "$table"
