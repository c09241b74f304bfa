#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes resources/sample/trained_run.tar.zst anew: the run of the sample that is there before anything has been trained.
# It ends early, so that some of its translations are wrong, and goes without checkpoints. Needs the built programs, in
# build/release/bin or in $FATHOM_PROGRAMS; takes two minutes on two idle cores. tests/gui/tst_trained_run.cpp says when it has become too old.
set -euo pipefail
cd "$(dirname "$0")/.."
programs=${FATHOM_PROGRAMS:-$PWD/build/release/bin}
packed=$PWD/resources/sample/trained_run.tar.zst
folder=$(mktemp -d "${TMPDIR:-/tmp}/fathom-sample-run-XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"
name="2 layers, trained before"
"$programs/fathom" new-project --out sample.fathom
"$programs/fathom" train --project sample.fathom --preset sample_small --name "$name" --wait \
  --set device=cpu --set threads=1 --set analysis.epoch_norms=true --set training.length=400u
analyse() { "$programs/fathom" analyse "$@" --project sample.fathom --run "$name"; }
analyse attention_entropy --checkpoint init,400 --examples 100  # as many as the window looks at in the sample
analyse attention_jsd --examples 100
analyse attention_maps
analyse gradient_norm --checkpoint init,400
analyse beta_dependency --checkpoint init,400
run=$(echo sample.fathom/runs/*)
"$programs/fathom-engine" evaluate --run "$run" --split test
rm -r "$run/artifacts"  # the pieces, a third of all: nothing is computed without checkpoints
"$programs/fathom" export-run --project sample.fathom "$name" --out "$folder/trained_run.tar.zst"
mv "$folder/trained_run.tar.zst" "$packed"
ls -l "$packed"
