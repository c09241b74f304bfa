// SPDX-License-Identifier: Apache-2.0
#include "core/train/loop/update_step.h"

#include <cstddef>
#include <utility>

#include "core/nn/on_host.h"

namespace fathom {

namespace {

// Numbers of one element each, read from their device in one go: every read there waits for all that was
// asked before.
std::vector<double> readScalars(const std::vector<torch::Tensor>& scalars) {
  std::vector<double> values;
  values.reserve(scalars.size());
  if (scalars.empty() || isOnHost(scalars.front())) {
    for (const torch::Tensor& scalar : scalars) values.push_back(scalar.item<double>());
    return values;
  }
  std::vector<torch::Tensor> wide;
  for (const torch::Tensor& scalar : scalars) wide.push_back(scalar.reshape({1}).to(torch::kFloat64));
  const torch::Tensor read = torch::cat(wide).cpu();
  for (std::int64_t i = 0; i < read.numel(); ++i) values.push_back(read.const_data_ptr<double>()[i]);
  return values;
}

// The loss of each micro-batch, then its sums.
std::vector<torch::Tensor> scalarsOf(const std::vector<LossTerms>& all) {
  std::vector<torch::Tensor> scalars;
  for (const LossTerms& terms : all) {
    scalars.push_back(terms.loss);
    for (const LossSum& sum : terms.sums) scalars.push_back(sum.sum);
  }
  return scalars;
}

// In the order of their scalars: the loss of a micro-batch, then its sums.
std::vector<TermNumbers> numbersOf(const std::vector<LossTerms>& all, const std::vector<std::int64_t>& places,
                                   std::vector<double>::const_iterator value) {
  std::vector<TermNumbers> numbers;
  for (std::size_t i = 0; i < all.size(); ++i) {
    TermNumbers term;
    term.microBatch = places.empty() ? static_cast<std::int64_t>(i) : places[i];
    term.loss = *value++;
    term.units = static_cast<double>(all[i].units);
    for (const LossSum& sum : all[i].sums) term.sums.push_back({sum.name, *value++, sum.count});
    numbers.push_back(std::move(term));
  }
  return numbers;
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

void UpdateStep::share(RankShare& ranks, std::int64_t mostMicroBatches) {
  m_ranks = &ranks;
  std::vector<torch::Tensor> trained;
  for (const torch::Tensor& tensor : m_tensors)
    if (tensor.requires_grad()) trained.push_back(tensor);
  ranks.hold(std::move(trained), mostMicroBatches);
}

void UpdateStep::begin() {
  m_sums = {};
  m_pending.clear();
  m_places.clear();
  m_met = false;
  m_clipFactor = 1;
  for (torch::Tensor& tensor : m_tensors) tensor.mutable_grad().reset();
}

void UpdateStep::add(const LossTerms& terms, std::int64_t place, bool last) {
  if (terms.units > 0) {
    if (m_ranks != nullptr && last) m_ranks->lastPass();
    const bool mean = m_normalisation != Normalisation::PerUnit;
    const torch::Tensor loss = mean ? terms.loss / static_cast<double>(terms.units) : terms.loss;
    (m_lossScale == 1 ? loss : loss * m_lossScale).backward();
  }
  LossTerms kept = terms;
  kept.loss = terms.loss.detach();
  m_pending.push_back(std::move(kept));
  m_places.push_back(place >= 0 ? place : static_cast<std::int64_t>(m_places.size()));
}

PassResults UpdateStep::gathered() const {
  PassResults gathered{m_pending, {}};
  for (const torch::Tensor& tensor : m_tensors) gathered.gradients.push_back(tensor.grad());
  return gathered;
}

void UpdateStep::take(const PassResults& results) {
  m_pending = results.terms;
  for (std::size_t i = 0; i < m_tensors.size(); ++i) m_tensors[i].mutable_grad() = results.gradients[i];
}

void UpdateStep::addSums(double loss, double units) {
  m_sums.loss += loss;
  m_sums.units += units;
  if (units > 0) ++m_sums.microBatches;
}

const UpdateSums& UpdateStep::sums() {
  if (m_ranks == nullptr || m_met) {
    addTerms(m_pending, readScalars(scalarsOf(m_pending)).begin());
    m_pending.clear();
  } else {
    for (const TermNumbers& term : meetOthers()) addNumbers(term);
  }
  return m_sums;
}

// Gradients are those of all ranks from now on.
std::vector<TermNumbers> UpdateStep::meetOthers() {
  m_met = true;
  const std::vector<LossTerms> mine = std::exchange(m_pending, {});
  const std::vector<double> values = readScalars(scalarsOf(mine));
  return m_ranks->meet(numbersOf(mine, m_places, values.begin()));
}

void UpdateStep::addTerms(const std::vector<LossTerms>& all, std::vector<double>::const_iterator value) {
  for (const TermNumbers& term : numbersOf(all, {}, value)) addNumbers(term);
}

void UpdateStep::addNumbers(const TermNumbers& term) {
  addSums(term.loss, term.units);
  if (m_sums.sums.empty()) {
    for (const TermNumbers::Sum& sum : term.sums) {
      m_sums.sums.emplace_back(sum.name, 0);
      m_sums.counts.emplace_back(sum.name, 0);
    }
  }
  for (std::size_t i = 0; i < term.sums.size(); ++i) {
    m_sums.sums[i].second += term.sums[i].sum;
    m_sums.counts[i].second += term.sums[i].count;
  }
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

// A number that is not finite times 0 is NaN, and NaN stays.
torch::Tensor UpdateStep::leftOut(const torch::Tensor& checked) {
  if (!m_nothing.defined() || m_nothing.sizes() != checked.sizes()) m_nothing = at::zeros_like(checked);
  if (!m_broken.defined()) m_broken = at::zeros({}, checked.options());
  m_broken.add_(at::dot(checked, m_nothing));
  return m_broken.ne(0).to(torch::kFloat32);
}

UpdateStep::Launched UpdateStep::launch(double learningRate) {
  const at::NoGradGuard noGrad;
  Launched launched;
  if (m_ranks != nullptr) launched.known = meetOthers();
  launched.terms = std::exchange(m_pending, {});
  for (const LossTerms& terms : launched.terms) addSums(0, static_cast<double>(terms.units));
  for (const TermNumbers& term : launched.known) addSums(0, term.units);
  launched.units = m_sums.units;
  launched.normaliser = normaliser();
  torch::Tensor norm = gradientNormOnDevice(m_tensors);
  if (!norm.defined()) norm = at::zeros({}, m_tensors.front().options().dtype(torch::kFloat64));
  std::vector<torch::Tensor> scalars{norm.reshape({1})};
  const auto add = [&](const torch::Tensor& scalar) {
    scalars.push_back(scalar.reshape({1}).to(norm.device(), torch::kFloat64));
  };
  for (const LossTerms& terms : launched.terms)
    if (!terms.sums.empty()) add(terms.sums.front().sum);
  for (const TermNumbers& term : launched.known)
    if (!term.sums.empty()) scalars.push_back(at::full({1}, term.sums.front().sum, norm.options()));
  const auto checked = static_cast<std::int64_t>(scalars.size());
  for (const LossTerms& terms : launched.terms) {
    add(terms.loss);
    for (const LossSum& sum : terms.sums) add(sum.sum);
  }
  const torch::Tensor numbers = at::cat(scalars);
  launched.numbers = LateNumbers(numbers);
  // By 1 nothing is multiplied: that would be an operator.
  const auto normalised = [&](const torch::Tensor& number) {
    return launched.normaliser == 1 ? number : number * launched.normaliser;
  };
  const torch::Tensor clip = clipFactorOnDevice(m_clip, m_maxNorm, normalised(norm));
  const torch::Tensor factor =
      clip.defined() ? normalised(clip) : at::full({}, launched.normaliser, norm.options());
  m_optimizer.stepOnDevice(learningRate, {factor, leftOut(numbers.narrow(0, 0, checked))});
  return launched;
}

double UpdateStep::read(const Launched& launched) {
  const std::vector<double> values = launched.numbers.read();
  std::size_t checked = 1;
  for (const LossTerms& terms : launched.terms)
    if (!terms.sums.empty()) ++checked;
  m_sums = {};
  addTerms(launched.terms, values.begin() + static_cast<std::ptrdiff_t>(checked));
  for (const TermNumbers& term : launched.known) addNumbers(term);
  return values.front() * launched.normaliser;
}

}  // namespace fathom
