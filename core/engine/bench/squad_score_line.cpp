// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/bench/bench_entry.h"
#include "core/engine/bench/bench_squad_score.h"

namespace fathom {

namespace {

std::function<Status()> declareSquadScore(CLI::App& sub) {
  const auto said = std::make_shared<SquadScoreBench>();
  sub.add_option("--questions", said->questions, "Questions, made by rules")->check(CLI::Range(1, 10000000));
  sub.add_option("--unanswerable", said->unanswerable, "Share of questions without an answer")
      ->check(CLI::Range(0.0, 1.0));
  addBenchSettings(sub, said->settings);
  return [said] { return benchSquadScore(*said); };
}

}  // namespace

BenchEntry squadScoreLineEntry() {
  return {.name = "squad-score", .help = "Evaluation of SQuAD's answers", .declare = declareSquadScore};
}

}  // namespace fathom
