// SPDX-License-Identifier: Apache-2.0
#include "core/train/loop/update_step.h"

namespace fathom {

namespace {

// Numbers of one element each, read from their device in one go: every read there waits for all that was
// asked before.
std::vector<double> readScalars(const std::vector<torch::Tensor>& scalars) {
  std::vector<double> values;
  values.reserve(scalars.size());
  if (scalars.empty() || scalars.front().device().is_cpu()) {
    for (const torch::Tensor& scalar : scalars) values.push_back(scalar.item<double>());
    return values;
  }
  std::vector<torch::Tensor> wide;
  for (const torch::Tensor& scalar : scalars) wide.push_back(scalar.reshape({1}).to(torch::kFloat64));
  const torch::Tensor read = torch::cat(wide).cpu();
  for (std::int64_t i = 0; i < read.numel(); ++i) values.push_back(read.const_data_ptr<double>()[i]);
  return values;
}

}  // namespace

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
  std::vector<torch::Tensor> scalars;
  for (const LossTerms& terms : m_pending) {
    scalars.push_back(terms.loss);
    for (const LossSum& sum : terms.sums) scalars.push_back(sum.sum);
  }
  const std::vector<double> values = readScalars(scalars);
  auto value = values.begin();
  for (const LossTerms& terms : m_pending) {
    addSums(*value++, static_cast<double>(terms.units));
    if (m_sums.sums.empty()) {
      for (const LossSum& sum : terms.sums) {
        m_sums.sums.emplace_back(sum.name, 0);
        m_sums.counts.emplace_back(sum.name, 0);
      }
    }
    for (std::size_t i = 0; i < terms.sums.size(); ++i) {
      m_sums.sums[i].second += *value++;
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
