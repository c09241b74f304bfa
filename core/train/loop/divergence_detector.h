// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/errors/phrase.h"
#include "core/base/json/json.h"
#include "core/train/parts/train_settings.h"

namespace fathom {

// Why a run counts as diverged. `cause` as in RunOutcome: nan_loss, inf_loss, nonfinite_grad, loss_above,
// no_learning. `details` are the facts behind the message: step; loss_above: limit, updates (in a row);
// no_learning: nll, ratio, entropy (nats); nonfinite_grad in float16: skipped (updates in a row).
struct Divergence {
  std::string cause;
  std::int64_t step = 0;  // update that showed it
  std::int64_t lastFiniteStep = 0;
  Phrase message;
  Json details = Json::object();
};

// Divergence is an outcome (docs/reliability.md §8). Non-finite and exploding end the run at once; "not
// learning" is judged at every validation from update n on, and holds if it still holds at the end. The state
// is part of a checkpoint.
class DivergenceDetector {
 public:
  // `unigramEntropy` of the training targets in nats, 0 = unknown (no "not learning"); `ignorantNll` = ln V.
  DivergenceDetector(DivergenceSettings settings, double unigramEntropy, double ignorantNll);

  // After the gradients of update `step` (1-based) are there and before they are applied.
  std::optional<Divergence> checkUpdate(std::int64_t step, double nll, double gradientNorm);
  // After a validation. True when this one is the first to find the run not learning.
  bool checkValidation(std::int64_t step, double nll);
  // Verdict of the last validation.
  const std::optional<Divergence>& notLearning() const { return m_notLearning; }
  std::int64_t lastFiniteStep() const { return m_lastFinite; }

  Json state() const;
  void load(const Json& state);

 private:
  DivergenceSettings m_settings;
  double m_unigramEntropy, m_ignorantNll;
  double m_firstNll = 0;
  std::int64_t m_lastFinite = 0;
  std::int64_t m_above = 0;  // updates in a row above the limit
  std::optional<Divergence> m_notLearning;
};

}  // namespace fathom
