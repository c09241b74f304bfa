// SPDX-License-Identifier: Apache-2.0
#include "core/probe/stack_shift.h"

#include <torch/csrc/autograd/autograd.h>

#include <algorithm>

#include "core/base/numbers/random_stream.h"
#include "core/nn/residual/residual_scheme.h"
#include "core/probe/branch_probe.h"

namespace fathom {

namespace {

// x_i of one stack, as recorded.
class StreamRecorder : public ForwardObserver {
 public:
  StreamRecorder(const StackSetup& setup, const std::set<std::int64_t>& layers)
      : m_stack(setup.kind),
        m_last(static_cast<std::int64_t>(setup.sublayers.size()) - 1),
        m_layers(layers) {}
  std::vector<SublayerSite> sites;
  std::vector<torch::Tensor> streams;
  // The kept states of a frozen encoder do not change with its weights.
  bool watchesFrozenParts() const override { return m_stack == StackKind::Encoder; }
  void sublayer(const SublayerRecord& record) override {
    if (record.site.stack != m_stack) return;
    const bool wanted =
        m_layers.empty() || (record.site.sublayer == m_last && m_layers.count(record.site.layer) != 0);
    if (!wanted) return;
    sites.push_back(record.site);
    streams.push_back(record.output.detach().clone());
  }

 private:
  StackKind m_stack;
  std::int64_t m_last;
  const std::set<std::int64_t>& m_layers;
};

// The sign of a standard normal is a fair coin: 64 of them per draw.
torch::Tensor randomSigns(const torch::Tensor& like, std::uint64_t seed) {
  torch::Tensor signs = torch::empty(like.sizes(), torch::kFloat32);
  RandomStream stream(seed);
  float* values = signs.mutable_data_ptr<float>();
  std::uint64_t bits = 0;
  for (std::int64_t i = 0; i < signs.numel(); ++i, bits >>= 1) {
    if (i % 64 == 0) bits = stream.next();
    values[i] = (bits & 1) != 0 ? 1.0f : -1.0f;
  }
  return signs.to(like.options());
}

std::vector<double> doubles(const torch::Tensor& tensor) {
  const torch::Tensor values = tensor.to(torch::kCPU, torch::kFloat64).contiguous();
  return {values.const_data_ptr<double>(), values.const_data_ptr<double>() + values.numel()};
}

// The streams of all batches one after another, [tokens, width] each.
StreamRecorder recordStreams(const StackSetup& setup, const std::set<std::int64_t>& layers,
                             const std::vector<ShiftBatch>& batches, StepContext context) {
  std::vector<StreamRecorder> each;
  context.training = false;
  for (const ShiftBatch& batch : batches) {
    each.emplace_back(setup, layers);
    context.observer = &each.back();
    batch.forward(context);
  }
  StreamRecorder all(setup, layers);
  if (each.empty()) return all;
  all.sites = each.front().sites;
  for (std::size_t i = 0; i < all.sites.size(); ++i) {
    std::vector<torch::Tensor> rows;
    for (StreamRecorder& one : each) {
      rows.push_back(one.streams.at(i).flatten(0, -2));
      one.streams[i] = torch::Tensor();
    }
    all.streams.push_back(at::cat(rows));
  }
  return all;
}

// Mask of the real tokens of recordStreams, over all batches.
std::vector<std::uint8_t> realTokensOf(const std::vector<ShiftBatch>& batches) {
  std::vector<std::uint8_t> real;
  for (const ShiftBatch& batch : batches) {
    if (!batch.realTokens.defined()) continue;
    const torch::Tensor mask = batch.realTokens.to(torch::kCPU, torch::kUInt8).contiguous();
    const std::uint8_t* values = mask.const_data_ptr<std::uint8_t>();
    real.insert(real.end(), values, values + mask.numel());
  }
  return real;
}

}  // namespace

bool perturbs(const ParameterInfo& parameter, const Perturbation& perturbation) {
  switch (parameter.role) {
    case ParameterRole::Bias:
    case ParameterRole::NormWeight:
    case ParameterRole::NormBias:
    case ParameterRole::Scheme:
      return false;
    case ParameterRole::TokenEmbedding:
    case ParameterRole::SegmentEmbedding:
    case ParameterRole::PositionEmbedding:
      return perturbation.includeEmbeddings;
    default:
      return perturbation.stack == StackKind::None || parameter.stack == perturbation.stack;
  }
}

PerturbedWeights::PerturbedWeights(ParameterStore& store, const Perturbation& perturbation) {
  const torch::NoGradGuard noGradients;
  for (const Parameter& parameter : store.parameters()) {
    if (!perturbs(parameter.info, perturbation)) continue;
    torch::Tensor value = store.value(parameter).detach();
    torch::Tensor direction;
    if (perturbation.kind == Perturbation::Kind::RandomSign) {
      direction = randomSigns(value, streamSeed(perturbation.seed, parameter.info.name));
    } else {
      const torch::Tensor gradient = store.gradient(parameter);
      if (!gradient.defined()) continue;
      direction = gradient.sign();
    }
    m_saved.emplace_back(value, value.clone());
    value.sub_(direction, perturbation.delta);
  }
}

PerturbedWeights::~PerturbedWeights() {
  const torch::NoGradGuard noGradients;
  for (auto& [view, original] : m_saved) view.copy_(original);
}

Result<StackShift> probeOutputShift(ParameterStore& store, const ResidualScheme& scheme,
                                    const std::vector<ShiftBatch>& batches, StepContext context,
                                    const Perturbation& perturbation, const std::set<std::int64_t>& layers) {
  const torch::NoGradGuard noGradients;
  const StackSetup& setup = scheme.setup();
  const StreamRecorder before = recordStreams(setup, layers, batches, context);
  const StreamRecorder after = [&] {
    const PerturbedWeights perturbed(store, perturbation);
    return recordStreams(setup, layers, batches, context);
  }();
  if (before.streams.empty())
    return dataError(Phrase::tr("the model has no %1 to measure")(stackName(setup.kind)));
  const std::vector<std::uint8_t> real = realTokensOf(batches);
  const LayerNorm* top = scheme.topNorm();
  StackShift shift;
  shift.sites = before.sites;
  shift.realTokens = real.empty()
                         ? before.streams.front().numel() / before.streams.front().size(-1)
                         : std::count_if(real.begin(), real.end(), [](auto one) { return one != 0; });
  for (std::size_t i = 0; i < before.streams.size(); ++i) {
    const std::int64_t width = before.streams[i].size(-1);
    const torch::Tensor &x = before.streams[i], &star = after.streams[i];
    FATHOM_TRY(const OutputShift plain, measureOutputShift(doubles(x), doubles(star), width, real));
    shift.afterSublayer.push_back(plain);
    if (top == nullptr) {
      shift.afterTopNorm.push_back(plain);
      continue;
    }
    FATHOM_TRY(const OutputShift normed,
               measureOutputShift(doubles((*top)(x)), doubles((*top)(star)), width, real));
    shift.afterTopNorm.push_back(normed);
  }
  return shift;
}

Result<OutputShift> probeLastShift(ParameterStore& store, const ResidualScheme& scheme,
                                   const ShiftBatch& batch, const StepContext& context,
                                   const Perturbation& perturbation, const torch::Tensor& last) {
  const torch::NoGradGuard noGradients;
  const StackSetup& setup = scheme.setup();
  const std::set<std::int64_t> layers = {setup.layers() - 1};
  const StreamRecorder after = [&] {
    const PerturbedWeights perturbed(store, perturbation);
    return recordStreams(setup, layers, {batch}, context);
  }();
  if (after.streams.empty() || !last.defined())
    return dataError(Phrase::tr("the model has no %1 to measure")(stackName(setup.kind)));
  const torch::Tensor &star = after.streams.back(), x = last.flatten(0, -2).to(star.options());
  const LayerNorm* top = scheme.topNorm();
  const auto normed = [top](const torch::Tensor& stream) {
    return doubles(top == nullptr ? stream : (*top)(stream));
  };
  return measureOutputShift(normed(x), normed(star), star.size(-1), realTokensOf({batch}));
}

}  // namespace fathom
