// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "core/engine/bench/bench_device_step.h"
#include "core/engine/bench/bench_dry_run.h"
#include "core/engine/bench/bench_entropy_jsd.h"
#include "core/engine/bench/bench_fine_tune_step.h"
#include "core/engine/bench/bench_layers.h"
#include "core/engine/bench/bench_long_attention.h"
#include "core/engine/bench/bench_nmt_step.h"
#include "core/engine/bench/bench_output_shift.h"
#include "core/engine/bench/bench_sql_decoder.h"
#include "core/engine/bench/bench_squad_score.h"

namespace fathom {

// The command line of the benches with peers: rat-layer, nmt-step, bert-step, optimizer-step, tokenize,
// entropy-jsd, long-attention, output-shift, fine-tune-step, squad-score, sql-decoder, grammar-beam,
// sql-step; and of dry-run and device-step, which have none. Keeps what the line says; `action` is set to the
// chosen bench.
class BenchLine {
 public:
  void addTo(CLI::App& bench, std::function<Status()>& action);

 private:
  void addSql(CLI::App& bench, std::function<Status()>& action);

  RatLayerBench m_rat;
  NmtStepBench m_nmt;
  BertStepBench m_bert;
  OptimizerStepBench m_optimizer;
  TokenizeBench m_tokenize;
  EntropyJsdBench m_entropyJsd;
  LongAttentionBench m_long;
  OutputShiftBench m_shift;
  SqlDecoderBench m_sqlDecoder;
  GrammarBeamBench m_beam;
  SqlStepBench m_sqlStep;
  FineTuneStepBench m_fineTune;
  SquadScoreBench m_squadScore;
  DryRunBench m_dryRun;
  DeviceStepBench m_deviceStep;
};

}  // namespace fathom
