// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/transformer_stack.h"

#include <algorithm>

#include "core/base/errors/error.h"
#include "core/nn/attention/relative_positions.h"
#include "core/nn/models/branch_join.h"

namespace fathom {

TransformerStack::TransformerStack(ParameterStore& store, const StackConfiguration& configuration,
                                   const OptionValues& options)
    : m_configuration(configuration) {
  const StackSetup& setup = configuration.setup;
  m_residual = makeResidual(store, setup, configuration.residual, options);
  const bool biases = m_residual->branchBiases();
  const AttentionEntry& entry = attentionEntry(configuration.attention);
  if (entry.twoStreams)
    throw Failure(usageError(Phrase::tr("attention '%1' joins a long and a global stream")(entry.id),
                             Phrase::tr("choose the model etc")));
  // Relations are of one text: between two there are none.
  const AttentionEntry& crossEntry = entry.relations ? attentionEntry("multi_head") : entry;
  for (std::int64_t l = 0; l < setup.layers(); ++l) {
    for (std::size_t s = 0; s < setup.sublayers.size(); ++s) {
      const SublayerKind kind = setup.sublayers[s];
      const ParameterInfo where =
          m_residual->parameterAt(l, static_cast<std::int64_t>(s), ParameterRole::Dense);
      if (kind == SublayerKind::FeedForward) {
        m_attentions.push_back(nullptr);
        m_feedForwards.push_back(
            std::make_unique<FeedForward>(store, where, setup.width, configuration.feedForward,
                                          configuration.activation, configuration.activationDropout, biases));
        continue;
      }
      const bool self = kind == SublayerKind::SelfAttention;
      AttentionSetup attention = self ? configuration.selfAttention : configuration.crossAttention;
      attention.width = setup.width;
      attention.queryKeyValueBias = attention.queryKeyValueBias && biases;
      attention.outputBias = attention.outputBias && biases;
      m_attentions.push_back((self ? entry : crossEntry).make(store, where, attention));
      m_feedForwards.push_back(nullptr);
    }
  }
}

// Ids of the self attention, the same for all layers.
torch::Tensor TransformerStack::relations(const torch::Tensor& x, const StackInputs& inputs) const {
  const std::int64_t distance = m_configuration.relativeDistance;
  if (distance == 0 || inputs.relations.defined()) return inputs.relations;
  if (x.dim() == 2) return relativePositionBlocks(inputs.selfMask.querySpans, distance);
  const std::int64_t before = inputs.decoding != nullptr ? inputs.decoding->step : 0;
  return relativePositions(x.size(1), before + x.size(1), distance, x.device());
}

torch::Tensor TransformerStack::branch(std::int64_t layer, std::int64_t sublayer,
                                       const torch::Tensor& branchInput, const StackInputs& inputs,
                                       const StepContext& context, torch::Tensor chains[2]) const {
  const SublayerSite site = m_residual->site(layer, sublayer);
  const auto index = static_cast<std::size_t>(site.index);
  if (site.kind == SublayerKind::FeedForward) {
    return m_feedForwards[index]->forward(branchInput, m_residual->sublayer(layer, sublayer).shifts(), site,
                                          context);
  }
  const bool cross = site.kind == SublayerKind::CrossAttention;
  const torch::Tensor none;
  KeyValueCache* cache = nullptr;
  if (inputs.decoding) {
    auto& caches = cross ? inputs.decoding->crossAttention : inputs.decoding->selfAttention;
    cache = &caches[static_cast<std::size_t>(layer)];
  }
  const BranchInputs branchInputs{branchInput,
                                  cross || inputs.wantedSpans.defined() ? inputs.memory : none,
                                  cross ? inputs.memoryMask : inputs.selfMask,
                                  chains[cross],
                                  cross ? none : inputs.relations,
                                  cache,
                                  site,
                                  context};
  BranchOutputs out = m_attentions[index]->forward(branchInputs);
  chains[cross] = std::move(out.scores);
  return std::move(out.value);
}

torch::Tensor TransformerStack::forward(const torch::Tensor& input, const StackInputs& given,
                                        const StepContext& context) const {
  const StackSetup& setup = m_configuration.setup;
  const StackRange& range = given.range;
  const std::int64_t end = range.end < 0 ? setup.layers() : range.end;
  torch::Tensor x = range.first == 0 ? m_residual->entry(input) : input;
  const torch::Tensor ids = relations(x, given);
  const StackInputs inputs{given.selfMask, given.memory,     given.memoryMask,  ids,
                           given.decoding, given.wantedRows, given.wantedSpans, range};
  StepContext still = context;
  still.training = false;
  const bool some = given.wantedRows.defined();
  if (context.observer) context.observer->stackInput(setup.kind, x);
  torch::Tensor chains[2];  // [0] self attention, [1] cross attention
  for (std::int64_t l = range.first; l < end - (some ? 1 : 0); ++l) {
    const StepContext& own = l < range.still ? still : context;
    for (std::int64_t s = 0; s < static_cast<std::int64_t>(setup.sublayers.size()); ++s) {
      const torch::Tensor branchInput = m_residual->sublayer(l, s).branchInput(x);
      const torch::Tensor branchOutput = branch(l, s, branchInput, inputs, own, chains);
      x = joinBranch(*m_residual, m_residual->site(l, s), x, branchInput, branchOutput, own);
    }
  }
  if (some) x = lastLayer(x, inputs, context);
  if (end < setup.layers()) return x;
  const torch::Tensor y = m_residual->exit(x);
  if (context.observer) context.observer->stackOutput(setup.kind, y);
  return y;
}

// Keys and values of every row, the rest of the wanted ones alone: of four parts of a layer's products one
// and a half are left.
torch::Tensor TransformerStack::lastLayer(const torch::Tensor& x, const StackInputs& inputs,
                                          const StepContext& context) const {
  const std::int64_t l = m_configuration.setup.layers() - 1;
  const auto kinds = static_cast<std::int64_t>(m_configuration.setup.sublayers.size());
  AttentionMask mask = inputs.selfMask;
  mask.querySpans = inputs.wantedSpans;
  torch::Tensor stream = x.index_select(0, inputs.wantedRows), chains[2];
  for (std::int64_t s = 0; s < kinds; ++s) {
    const ResidualSublayer& scheme = m_residual->sublayer(l, s);
    const bool attends = m_residual->site(l, s).kind == SublayerKind::SelfAttention;
    const torch::Tensor memory = attends ? scheme.branchInput(x) : torch::Tensor();
    const torch::Tensor branchInput =
        attends ? memory.index_select(0, inputs.wantedRows) : scheme.branchInput(stream);
    const torch::Tensor none;
    const StackInputs own{mask, memory, mask, none, nullptr, {}, inputs.wantedSpans};
    const torch::Tensor branchOutput = branch(l, s, branchInput, own, context, chains);
    stream = joinBranch(*m_residual, m_residual->site(l, s), stream, branchInput, branchOutput, context);
  }
  return stream;
}

bool TransformerStack::readsSomeRows() const {
  const auto& kinds = m_configuration.setup.sublayers;
  return m_configuration.setup.layers() > 0 && !kinds.empty() && kinds[0] == SublayerKind::SelfAttention &&
         std::count(kinds.begin(), kinds.end(), SublayerKind::FeedForward) ==
             static_cast<std::ptrdiff_t>(kinds.size()) - 1 &&
         std::all_of(m_attentions.begin(), m_attentions.end(),
                     [](const std::unique_ptr<Attention>& attention) {
                       return !attention || attention->readsSomeRows();
                     });
}

bool TransformerStack::takesPackedRows(const torch::TensorOptions& tensors, std::int64_t longest) const {
  return std::all_of(m_attentions.begin(), m_attentions.end(),
                     [&](const std::unique_ptr<Attention>& attention) {
                       return !attention || attention->takesPackedRows(tensors, longest);
                     });
}

bool TransformerStack::canBeCut() const {
  return m_configuration.selfAttention.chain == ScoreChain::None;
}

std::vector<KeyValueCache> TransformerStack::projectMemory(const torch::Tensor& memory) const {
  std::vector<KeyValueCache> caches;
  const StackSetup& setup = m_configuration.setup;
  for (std::size_t i = 0; i < m_attentions.size(); ++i) {
    if (setup.sublayers[i % setup.sublayers.size()] != SublayerKind::CrossAttention) continue;
    caches.push_back(m_attentions[i]->projectMemory(memory));
  }
  return caches;
}

StackDescription StackConfiguration::description() const {
  return {setup.kind, setup.layers(), setup.sublayers, setup.width, selfAttention.heads, residual, attention};
}

}  // namespace fathom
