// SPDX-License-Identifier: Apache-2.0
#include "core/train/loop/divergence_detector.h"

#include <algorithm>
#include <cmath>

#include "core/base/json/phrase_json.h"
#include "core/base/text/number_text.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

constexpr std::int64_t kUpdatesAbove = 10;

}  // namespace

DivergenceDetector::DivergenceDetector(DivergenceSettings settings, double unigramEntropy, double ignorantNll)
    : m_settings(settings), m_unigramEntropy(unigramEntropy), m_ignorantNll(ignorantNll) {}

std::optional<Divergence> DivergenceDetector::checkUpdate(std::int64_t step, double nll,
                                                          double gradientNorm) {
  const auto found = [&](const char* cause, Phrase message, Json details = Json::object()) {
    details["step"] = step;
    return Divergence{cause, step, m_lastFinite, std::move(message), std::move(details)};
  };
  if (std::isnan(nll)) return found("nan_loss", Phrase::tr("the loss is not a number at update %1")(step));
  if (std::isinf(nll)) return found("inf_loss", Phrase::tr("the loss is infinite at update %1")(step));
  if (!std::isfinite(gradientNorm))
    return found("nonfinite_grad", Phrase::tr("the gradient is not finite at update %1")(step));
  m_lastFinite = step;
  if (m_notLearning) m_notLearning->lastFiniteStep = step;
  if (m_firstNll == 0) m_firstNll = nll;
  if (m_settings.explodingFactor <= 0) return std::nullopt;
  const double limit = std::max(m_settings.explodingFactor * m_firstNll, 2 * m_ignorantNll);
  m_above = nll > limit ? m_above + 1 : 0;
  if (m_above < kUpdatesAbove) return std::nullopt;
  return found("loss_above",
               Phrase::tr("the loss stayed above %1 for %2 updates at update %3")(formatted("%.4g", limit),
                                                                                  kUpdatesAbove, step),
               {{"limit", limit}, {"updates", kUpdatesAbove}});
}

bool DivergenceDetector::checkValidation(std::int64_t step, double nll) {
  if (m_settings.notLearningAfter <= 0 || m_unigramEntropy <= 0 || step < m_settings.notLearningAfter)
    return false;
  const double limit = m_settings.notLearningRatio * m_unigramEntropy;
  if (nll <= limit) {
    m_notLearning.reset();
    return false;
  }
  if (m_notLearning) return false;
  m_notLearning =
      Divergence{kNotLearning,
                 step,
                 m_lastFinite,
                 Phrase::tr("not learning: after %1 updates the validation nll %2 is still above %3 of the "
                            "targets' unigram entropy (%4 nats)")(
                     step, formatted("%.4g", nll), formatted("%.4g", m_settings.notLearningRatio),
                     formatted("%.4g", m_unigramEntropy)),
                 {{"step", step},
                  {"nll", jsonReal(nll)},
                  {"ratio", m_settings.notLearningRatio},
                  {"entropy", m_unigramEntropy}}};
  return true;
}

Json DivergenceDetector::state() const {
  Json json;
  json["first_nll"] = jsonReal(m_firstNll);
  json["last_finite"] = m_lastFinite;
  json["above"] = m_above;
  if (m_notLearning) {
    json["not_learning"] = {{"step", m_notLearning->step}};
    writePhrase(json["not_learning"], "message", m_notLearning->message);
    json["not_learning"]["details"] = m_notLearning->details;
  }
  return json;
}

void DivergenceDetector::load(const Json& state) {
  m_firstNll = realFromJson(state.at("first_nll")).value();
  m_lastFinite = state.at("last_finite").get<std::int64_t>();
  m_above = state.at("above").get<std::int64_t>();
  m_notLearning.reset();
  if (state.contains("not_learning")) {
    const Json& found = state["not_learning"];
    m_notLearning = Divergence{kNotLearning, found.at("step").get<std::int64_t>(), m_lastFinite,
                               readPhrase(found, "message"), found.value("details", Json::object())};
  }
}

}  // namespace fathom
