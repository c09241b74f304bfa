// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/input_norm.h"

#include <algorithm>
#include <cmath>
#include <exception>

#include "core/analysis/analysis_entry.h"
#include "core/analysis/json_reals.h"

namespace fathom {

void NormHistogram::add(double value) {
  m_moments.add(value);
  constexpr auto kEnd = static_cast<double>(kBins);
  if (m_width == 0 && value > 0) m_width = 2 * value / kEnd;
  while (m_width > 0 && value >= m_width * kEnd) {
    m_width *= 2;
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
      const std::int64_t moved = m_counts[i];
      m_counts[i] = 0;
      m_counts[i / 2] += moved;
    }
  }
  const std::size_t bin = m_width > 0 ? static_cast<std::size_t>(value / m_width) : 0;
  if (m_counts.size() <= bin) m_counts.resize(bin + 1);
  ++m_counts[bin];
  while (m_counts.size() > 1 && m_counts.back() == 0) m_counts.pop_back();
}

SampleDistribution NormHistogram::summary() const {
  return count() == 0 ? summariseSamples({}) : summariseBins(m_counts, 0, m_width, m_moments);
}

namespace {

Json partToJson(const InputNormPart& part) {
  const SampleDistribution& values = part.values;
  return {{"stack", part.stack},
          {"part", part.part},
          {"layers", part.layers},
          {"residual", part.residual},
          {"count", values.count},
          {"five_numbers", realsToJson(values.fiveNumbers)},
          {"mu", jsonReal(part.mu())},
          {"mean", jsonReal(values.mean)},
          {"variance", jsonReal(values.variance)},
          {"bin_width", jsonReal(part.width)},
          {"counts", part.counts},
          {"skipped_examples", part.skipped}};
}

InputNormPart partFromJson(const Json& json) {
  InputNormPart part;
  part.stack = json.at("stack").get<std::string>();
  part.part = json.at("part").get<std::string>();
  part.layers = json.at("layers").get<std::int64_t>();
  part.residual = json.at("residual").get<std::string>();
  part.values.count = json.at("count").get<std::int64_t>();
  for (std::size_t i = 0; i < part.values.fiveNumbers.size(); ++i)
    part.values.fiveNumbers[i] = realFromJson(json.at("five_numbers").at(i)).value();
  part.values.mean = realFromJson(json.at("mean")).value();
  part.values.variance = realFromJson(json.at("variance")).value();
  part.width = realFromJson(json.at("bin_width")).value();
  part.counts = json.at("counts").get<std::vector<std::int64_t>>();
  part.skipped = json.at("skipped_examples").get<std::int64_t>();
  return part;
}

Json scaleToJson(const TensorScale& scale) {
  return {{"name", scale.name},
          {"shape", scale.shape},
          {"rule", scale.rule},
          {"base_std", jsonReal(scale.base)},
          {"factor", jsonReal(scale.factor)},
          {"std", jsonReal(scale.deviation)},
          {"mean", jsonReal(scale.mean)}};
}

TensorScale scaleFromJson(const Json& json) {
  TensorScale scale;
  scale.name = json.at("name").get<std::string>();
  scale.shape = json.at("shape").get<std::vector<std::int64_t>>();
  scale.rule = json.at("rule").get<std::string>();
  scale.base = realFromJson(json.at("base_std")).value();
  scale.factor = realFromJson(json.at("factor")).value();
  scale.deviation = realFromJson(json.at("std")).value();
  scale.mean = realFromJson(json.at("mean")).value();
  return scale;
}

}  // namespace

Json inputNormsToJson(const InputNorms& norms) {
  Json parts = Json::array(), used = Json::array(), tensors = Json::array();
  for (const InputNormPart& part : norms.parts) parts.push_back(partToJson(part));
  for (const UsedInputNorm& one : norms.used)
    used.push_back({{"stack", one.stack}, {"mu", jsonReal(one.mu)}, {"factor", jsonReal(one.factor)}});
  for (const TensorScale& scale : norms.tensors) tensors.push_back(scaleToJson(scale));
  return {{"quantity", "input_norm"},
          {"examples", norms.examples},
          {"parts", std::move(parts)},
          {"used", std::move(used)},
          {"tensors", std::move(tensors)}};
}

Result<InputNorms> inputNormsFromJson(const Json& json) {
  try {
    InputNorms norms;
    norms.examples = json.at("examples").get<std::int64_t>();
    for (const Json& part : json.at("parts")) norms.parts.push_back(partFromJson(part));
    for (const Json& one : json.at("used"))
      norms.used.push_back({one.at("stack").get<std::string>(), realFromJson(one.at("mu")).value(),
                            realFromJson(one.at("factor")).value()});
    for (const Json& scale : json.at("tensors")) norms.tensors.push_back(scaleFromJson(scale));
    return norms;
  } catch (const std::exception& e) {
    return dataError(Phrase::tr("the stored input norms cannot be read: %1")(e.what()),
                     Phrase::tr("compute the analysis again"));
  }
}

AnalysisEntry inputNormEntry() {
  return {.id = "input_norm",
          .title = "Input norm and scale of tensors",
          .reference = "DT-Fixup, Section 3",
          .version = 3,
          .takesExamples = true};
}

}  // namespace fathom
