// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/norms/input_norm.h"

#include "core/analysis/analysis_entry.h"
#include "core/base/json/json_fields.h"

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

template <typename Io>
void jsonMembers(Io& io, InputNormPart& part) {
  io("stack", part.stack)("part", part.part)("layers", part.layers)("residual", part.residual);
  io("count", part.values.count)("five_numbers", part.values.fiveNumbers).derived("mu", part.mu());
  io("mean", part.values.mean)("variance", part.values.variance)("bin_width", part.width);
  io("counts", part.counts)("skipped_examples", part.skipped);
}

template <typename Io>
void jsonMembers(Io& io, TensorScale& scale) {
  io("name", scale.name)("shape", scale.shape)("rule", scale.rule)("base_std", scale.base);
  io("factor", scale.factor)("std", scale.deviation)("mean", scale.mean);
}

template <typename Io>
void jsonMembers(Io& io, UsedInputNorm& used) {
  io("stack", used.stack)("mu", used.mu)("factor", used.factor);
}

template <typename Io>
void jsonMembers(Io& io, InputNorms& norms) {
  io.derived("quantity", std::string("input_norm"));
  io("examples", norms.examples)("parts", norms.parts)("used", norms.used)("tensors", norms.tensors);
}

Json inputNormsToJson(const InputNorms& norms) {
  return jsonOf(norms);
}

Result<InputNorms> inputNormsFromJson(const Json& json) {
  return storedFromJson<InputNorms>(json, Phrase::tr("the stored input norms cannot be read: %1"),
                                    Phrase::tr("compute the analysis again"));
}

AnalysisEntry inputNormEntry() {
  return {.id = "input_norm",
          .title = "Input norm and scale of tensors",
          .reference = "DT-Fixup, Section 3",
          .version = 3,
          .takesExamples = true};
}

}  // namespace fathom
