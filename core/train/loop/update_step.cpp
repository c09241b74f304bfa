// SPDX-License-Identifier: Apache-2.0
#include "core/train/loop/update_step.h"

namespace fathom {

NamedValues UpdateSums::means() const {
  NamedValues means;
  for (std::size_t i = 0; i < sums.size(); ++i)
    means.emplace_back(sums[i].first, sums[i].second / counts[i].second);
  return means;
}

UpdateStep::UpdateStep(Optimizer& optimizer, Normalisation normalisation, ClipRule clip, double maxNorm,
                       std::int64_t accumulation)
    : m_optimizer(optimizer),
      m_normalisation(normalisation),
      m_clip(clip),
      m_maxNorm(maxNorm),
      m_accumulation(accumulation) {
  for (const OptimizerParameter& parameter : optimizer.parameters()) m_tensors.push_back(parameter.tensor);
}

void UpdateStep::begin() {
  m_sums = {};
  m_pending.clear();
  m_clipFactor = 1;
  for (torch::Tensor& tensor : m_tensors) tensor.mutable_grad().reset();
}

void UpdateStep::add(const LossTerms& terms) {
  if (terms.units > 0) {
    const bool mean = m_normalisation != Normalisation::PerUnit;
    const torch::Tensor loss = mean ? terms.loss / static_cast<double>(terms.units) : terms.loss;
    (m_lossScale == 1 ? loss : loss * m_lossScale).backward();
  }
  LossTerms kept = terms;
  kept.loss = terms.loss.detach();
  m_pending.push_back(std::move(kept));
}

void UpdateStep::addSums(double loss, double units) {
  m_sums.loss += loss;
  m_sums.units += units;
  if (units > 0) ++m_sums.microBatches;
}

const UpdateSums& UpdateStep::sums() {
  for (const LossTerms& terms : m_pending) {
    addSums(terms.loss.item<double>(), static_cast<double>(terms.units));
    if (m_sums.sums.empty()) {
      for (const LossSum& sum : terms.sums) {
        m_sums.sums.emplace_back(sum.name, 0);
        m_sums.counts.emplace_back(sum.name, 0);
      }
    }
    for (std::size_t i = 0; i < terms.sums.size(); ++i) {
      m_sums.sums[i].second += terms.sums[i].sum.item<double>();
      m_sums.counts[i].second += terms.sums[i].count;
    }
  }
  m_pending.clear();
  return m_sums;
}

double UpdateStep::normaliser() const {
  const double divisor = m_normalisation == Normalisation::PerUnit ? m_sums.units
                         : m_normalisation == Normalisation::MeanOfMicroBatches
                             ? static_cast<double>(m_sums.microBatches)
                             : static_cast<double>(m_accumulation);
  return divisor > 0 ? 1 / (divisor * m_lossScale) : 0;
}

double UpdateStep::gradientNorm() {
  sums();
  const double norm = fathom::gradientNorm(m_tensors) * normaliser();
  m_clipFactor = clipFactor(m_clip, m_maxNorm, norm);
  return norm;
}

void UpdateStep::apply(double learningRate) {
  sums();
  m_optimizer.step(learningRate, normaliser() * m_clipFactor);
}

}  // namespace fathom
