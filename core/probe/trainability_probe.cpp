// SPDX-License-Identifier: Apache-2.0
#include "core/probe/trainability_probe.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/analysis/norms/gradient_norm.h"
#include "core/base/errors/phrase.h"
#include "core/base/numbers/random_stream.h"
#include "core/nn/residual/residual_scheme.h"
#include "core/probe/branch_probe.h"
#include "core/probe/gradient_probe.h"
#include "core/probe/stack_shift.h"

namespace fathom {

namespace {

constexpr std::int64_t kSimulatedRows = 256;
constexpr std::int64_t kDependencyTokens = 512;  // the recursion grows with the square of the sub-layers
constexpr double kDelta = 1e-4;

double rootMeanSquare(const torch::Tensor& values) {
  return std::sqrt(values.detach().to(torch::kFloat64).square().mean().item<double>());
}

torch::Tensor normalRows(const torch::Tensor& like, std::int64_t width, std::uint64_t seed) {
  at::Generator generator = at::globalContext().defaultGenerator(torch::kCPU).clone();
  generator.set_current_seed(seed);
  return at::empty({kSimulatedRows, width}, torch::kFloat64).normal_(0, 1, generator).to(like.options());
}

// E[act(s z)^2] for standard normal z.
double activatedSquare(double deviation, Activation activation, std::uint64_t seed) {
  const torch::Tensor z = normalRows(torch::empty({0}, torch::kFloat64), kSimulatedRows, seed) * deviation;
  return activate(z, activation).square().mean().item<double>();
}

// Weights of one sub-layer by role: mean square times the number of inputs, the gain of a variance.
double gainOf(const ParameterStore& store, const SublayerSite& site, ParameterRole role) {
  for (const Parameter& parameter : store.parameters()) {
    const ParameterInfo& info = parameter.info;
    if (info.stack != site.stack || info.layer != site.layer || info.sublayer != site.kind ||
        info.role != role)
      continue;
    const torch::Tensor value = store.value(parameter);
    return std::pow(rootMeanSquare(value), 2) * static_cast<double>(value.size(-1));
  }
  return 0;
}

// Variance of the branch output for inputs of a mean square.
double branchSquare(const ParameterStore& store, const SublayerSite& site, double inputSquare,
                    const ScalePrediction& prediction) {
  if (site.kind == SublayerKind::FeedForward) {
    const double hidden = std::sqrt(inputSquare * gainOf(store, site, ParameterRole::FeedForwardInput));
    return activatedSquare(hidden, prediction.activation, streamSeed(1, site.name())) *
           gainOf(store, site, ParameterRole::FeedForwardOutput);
  }
  const bool cross = site.kind == SublayerKind::CrossAttention;
  const double read = cross ? prediction.memoryScale * prediction.memoryScale : inputSquare;
  return read * gainOf(store, site, ParameterRole::Value) *
         gainOf(store, site, ParameterRole::AttentionOutput) *
         (cross ? prediction.crossAttention : prediction.selfAttention);
}

// Rows [tokens, width] of the real positions.
torch::Tensor realRows(const torch::Tensor& states, const torch::Tensor& real) {
  return real.defined() ? states.index({real}) : states.reshape({-1, states.size(-1)});
}

// x_{i-1} and the branch as the scheme adds them, before its norm.
torch::Tensor joinedSum(const ResidualSublayer& sublayer, const torch::Tensor& x,
                        const torch::Tensor& branch) {
  const ResidualTerms terms = sublayer.terms();
  const torch::Tensor stream = terms.shortcut.defined() ? x * terms.shortcut : x;
  return stream + (terms.branchScale.defined() ? branch * terms.branchScale : branch);
}

// Root mean squares of every sum before its norm over real tokens, of x_0 and of the stack's output.
class ScaleRecorder : public ForwardObserver {
 public:
  ScaleRecorder(Model& model, const TokenMasks& real) : m_model(model), m_real(real) {}
  struct Scales {
    StackKind stack;
    double input = 0, output = 0, mu = 0;
    std::vector<SublayerSite> sites;
    std::vector<double> sums;
  };
  std::vector<Scales> stacks;
  void stackInput(StackKind stack, const torch::Tensor& x0) override {
    const torch::Tensor rows = realRows(x0, m_real.of(stack));
    stacks.push_back({stack, rootMeanSquare(rows), 0, rows.norm(2, -1).max().item<double>(), {}, {}});
  }
  void stackOutput(StackKind stack, const torch::Tensor& y) override {
    of(stack).output = rootMeanSquare(realRows(y, m_real.of(stack)));
  }
  void sublayer(const SublayerRecord& record) override {
    const SublayerSite& site = record.site;
    const ResidualSublayer& scheme = m_model.residual(site.stack).sublayer(site.layer, site.sublayer);
    const torch::Tensor sum = joinedSum(scheme, record.input, record.branchOutput);
    of(site.stack).sites.push_back(site);
    of(site.stack).sums.push_back(rootMeanSquare(realRows(sum, m_real.of(site.stack))));
  }

 private:
  // Both streams of a layer come by turns.
  Scales& of(StackKind stack) {
    return *std::find_if(stacks.rbegin(), stacks.rend(),
                         [&](const Scales& each) { return each.stack == stack; });
  }
  Model& m_model;
  const TokenMasks& m_real;
};

// Mean over real queries of 1 / number of keys that each sees.
double averagingShare(const torch::Tensor& real, const torch::Tensor& states, bool causal) {
  const torch::Tensor mask = real.defined() ? real.to(torch::kFloat64)
                                            : torch::ones({states.size(0), states.size(1)}, torch::kFloat64);
  const torch::Tensor keys = causal ? mask.cumsum(1) : mask.sum(1, true).expand_as(mask);
  return ((mask / keys.clamp_min(1)).sum() / mask.sum()).item<double>();
}

// The first examples, so that there are not many more tokens than are needed.
StackBranches firstRows(StackBranches recorded, torch::Tensor& real) {
  const std::int64_t rows = std::max<std::int64_t>(1, kDependencyTokens / recorded.input.size(1));
  const auto cut = [rows](const torch::Tensor& states) { return states.slice(0, 0, rows).contiguous(); };
  recorded.input = cut(recorded.input);
  recorded.output = cut(recorded.output);
  for (torch::Tensor& branch : recorded.branches) branch = cut(branch);
  if (real.defined()) real = cut(real);
  return recorded;
}

// The parts of the check in the order in which they are measured.
class Measurement {
 public:
  Measurement(const ProbeSubject& subject, const ProbeBatch& batch, Activation activation)
      : m_subject(subject), m_batch(batch), m_activation(activation) {
    m_context.seed = subject.seed;
  }

  Result<TrainabilityFacts> facts() {
    begin(Phrase::tr("scales").english);
    scales();
    begin(Phrase::tr("dependency of layers").english);
    FATHOM_CHECK(dependencies());
    begin(Phrase::tr("gradients").english);
    FATHOM_CHECK(gradients());
    begin(Phrase::tr("output shift").english);
    FATHOM_CHECK(shifts());
    m_facts.weightScale = weightScale();
    return std::move(m_facts);
  }

 private:
  void begin(const char* phase) {
    if (m_subject.stop.stopRequested()) throw Failure(interruptedError());
    if (m_subject.progress != nullptr) m_subject.progress->begin(phase, "", -1);
  }
  StackCheck& checkOf(StackKind stack) {
    for (StackCheck& check : m_facts.stacks)
      if (check.stack == stackName(stack)) return check;
    throw Failure(internalError(std::string("no stack ") + stackName(stack)));
  }

  void scales() {
    ScaleRecorder recorder(m_subject.model, m_batch.realTokens);
    StepContext context = m_context;
    context.observer = &recorder;
    m_branches = recordBranches(m_batch.forward, context);
    const torch::NoGradGuard noGradients;
    double memory = 1;
    torch::Tensor encoderMask = m_batch.realTokens.encoder;
    for (const ScaleRecorder::Scales& found : recorder.stacks) {
      const ResidualScheme& scheme = m_subject.model.residual(found.stack);
      StackCheck check;
      check.stack = stackName(found.stack);
      check.residual = scheme.id();
      check.layers = scheme.setup().layers();
      check.mu = found.mu;
      check.inputScale = found.input;
      for (const SublayerSite& site : found.sites) check.sublayers.push_back(site.name());
      check.measured = found.sums;
      const torch::Tensor& real = m_batch.realTokens.of(found.stack);
      ScalePrediction prediction{found.input, memory, 1, 1, m_activation};
      const torch::Tensor shape = real.defined() ? real : torch::ones({1, 1}, torch::kBool);
      prediction.selfAttention = averagingShare(shape, shape, found.stack == StackKind::Decoder);
      if (encoderMask.defined()) prediction.crossAttention = averagingShare(encoderMask, encoderMask, false);
      check.predicted = predictScales(m_subject.model.parameters(), scheme, prediction);
      memory = found.output;
      m_facts.stacks.push_back(std::move(check));
    }
    const torch::Tensor& first = m_batch.realTokens.encoder;
    m_facts.tokens = first.defined() ? first.sum().item<std::int64_t>() : 0;
  }

  Status dependencies() {
    for (StackBranches& recorded : std::exchange(m_branches, {})) {
      m_last[recorded.stack] = recorded.output;
      torch::Tensor real = m_batch.realTokens.of(recorded.stack);
      if (real.defined()) real = real.to(torch::kCPU);
      const StackBranches few = firstRows(std::move(recorded), real);
      FATHOM_TRY(checkOf(few.stack).ownShare,
                 ownSharesOfStack(few, m_subject.model.residual(few.stack), real));
    }
    return {};
  }

  Status gradients() {
    std::vector<double> norms;
    const auto found = probeGradients(m_batch.loss, m_context);
    if (found.empty()) return dataError(Phrase::tr("the model has no sub-layers to look at"));
    for (const SublayerGradient& gradient : found) norms.push_back(gradient.norm);
    // An output projection that starts at zero (FixUp) lets no gradient through: nothing to be relative to.
    const bool closed = *std::max_element(norms.begin(), norms.end()) == 0;
    const std::vector<double> relative = closed ? norms : relativeToLargest(norms);
    for (std::size_t i = 0; i < found.size(); ++i)
      checkOf(found[i].site.stack).gradient.push_back(relative[i]);
    return {};
  }

  Status shifts() {
    for (StackCheck& check : m_facts.stacks) {
      if (m_subject.stop.stopRequested()) return interruptedError();
      Perturbation change;
      change.delta = kDelta;
      change.seed = m_subject.seed;
      for (const StackDescription& stack : m_subject.model.stacks())
        if (check.stack == stackName(stack.kind)) change.stack = stack.kind;
      const ResidualScheme& scheme = m_subject.model.residual(change.stack);
      FATHOM_TRY(const OutputShift shift,
                 probeLastShift(m_subject.model.parameters(), scheme,
                                {m_batch.forward, m_batch.realTokens.of(change.stack)}, m_context, change,
                                m_last[change.stack]));
      const double width = static_cast<double>(scheme.setup().width);
      check.amplification = std::sqrt(shift.theorem2.perToken / width) / kDelta;
    }
    return {};
  }

  double weightScale() const {
    Perturbation all;
    double squares = 0, count = 0;
    for (const Parameter& parameter : m_subject.model.parameters().parameters()) {
      if (parameter.info.layer < 0 || !perturbs(parameter.info, all)) continue;
      const torch::Tensor value = m_subject.model.parameters().value(parameter).detach().to(torch::kFloat64);
      squares += value.square().sum().item<double>();
      count += static_cast<double>(value.numel());
    }
    return count > 0 ? std::sqrt(squares / count) : 0;
  }

  const ProbeSubject& m_subject;
  const ProbeBatch& m_batch;
  Activation m_activation;
  StepContext m_context;
  TrainabilityFacts m_facts;
  std::vector<StackBranches> m_branches;      // of the pass that measures the scales
  std::map<StackKind, torch::Tensor> m_last;  // what leaves each stack before its top norm
};

}  // namespace

std::vector<double> predictScales(const ParameterStore& store, const ResidualScheme& scheme,
                                  const ScalePrediction& prediction) {
  const torch::NoGradGuard noGradients;
  const std::int64_t width = scheme.setup().width;
  const torch::Tensor like = torch::empty({0}, store.options());
  torch::Tensor x = scheme.entry(normalRows(like, width, streamSeed(1, "input")) * prediction.inputScale);
  std::vector<double> scales;
  const std::int64_t layers = scheme.setup().layers();
  const std::int64_t each = layers == 0 ? 0 : scheme.sublayerCount() / layers;
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    for (std::int64_t s = 0; s < each; ++s) {
      const ResidualSublayer& sublayer = scheme.sublayer(layer, s);
      const SublayerSite site = scheme.site(layer, s);
      const double read = rootMeanSquare(sublayer.branchInput(x));
      const double square = branchSquare(store, site, read * read, prediction);
      const torch::Tensor branch = normalRows(like, width, streamSeed(2, site.name())) * std::sqrt(square);
      scales.push_back(rootMeanSquare(joinedSum(sublayer, x, branch)));
      x = sublayer.join(x, branch);
    }
  }
  return scales;
}

Result<TrainabilityFacts> measureTrainability(const ProbeSubject& subject, Activation activation) {
  FATHOM_TRY(const ProbeBatch batch, wholeProbeBatch(subject, Phrase::tr("reading a batch").english));
  return Measurement(subject, batch, activation).facts();
}

}  // namespace fathom
