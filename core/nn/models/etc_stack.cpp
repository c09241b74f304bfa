// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/etc_stack.h"

#include "core/nn/models/branch_join.h"

namespace fathom {

EtcStack::EtcStack(ParameterStore& store, const StackConfiguration& configuration,
                   const GlobalLocalRules& rules, const OptionValues& options)
    : m_configuration(configuration) {
  StackSetup setup = configuration.setup;
  m_long = makeResidual(store, setup, configuration.residual, options);
  setup.kind = StackKind::Global;
  m_global = makeResidual(store, setup, configuration.residual, options);
  const bool biases = m_long->branchBiases();
  AttentionSetup attention = configuration.selfAttention;
  attention.width = setup.width;
  attention.queryKeyValueBias = attention.queryKeyValueBias && biases;
  attention.outputBias = attention.outputBias && biases;
  for (std::int64_t l = 0; l < setup.layers(); ++l) {
    m_attentions.emplace_back(store, m_long->parameterAt(l, 0, ParameterRole::Dense),
                              m_global->parameterAt(l, 0, ParameterRole::Dense), attention, rules);
    m_feedForwards.emplace_back(store, m_long->parameterAt(l, 1, ParameterRole::Dense), setup.width,
                                configuration.feedForward, configuration.activation,
                                configuration.activationDropout, biases);
  }
}

GlobalLocal::Streams EtcStack::forward(const GlobalLocal::Streams& streams, const LongStructure& structure,
                                       const StepContext& context) const {
  struct Side {
    const ResidualScheme& scheme;
    torch::Tensor x;
  };
  Side sides[] = {{*m_long, m_long->entry(streams.longs)}, {*m_global, m_global->entry(streams.globals)}};
  if (context.observer)
    for (const Side& side : sides) context.observer->stackInput(side.scheme.setup().kind, side.x);
  GlobalLocal::HandedOn handed;
  for (std::int64_t l = 0; l < m_configuration.setup.layers(); ++l) {
    const auto layer = static_cast<std::size_t>(l);
    const SublayerSite longSite = m_long->site(l, 0), globalSite = m_global->site(l, 0);
    const GlobalLocal::Streams read{m_long->sublayer(l, 0).branchInput(sides[0].x),
                                    m_global->sublayer(l, 0).branchInput(sides[1].x)};
    const GlobalLocal::Streams given =
        m_attentions[layer].forward(read, structure, handed, {longSite, globalSite}, context);
    sides[0].x = joinBranch(*m_long, longSite, sides[0].x, read.longs, given.longs, context);
    sides[1].x = joinBranch(*m_global, globalSite, sides[1].x, read.globals, given.globals, context);
    for (Side& side : sides) {
      const SublayerSite site = side.scheme.site(l, 1);
      const torch::Tensor input = side.scheme.sublayer(l, 1).branchInput(side.x);
      const torch::Tensor output =
          m_feedForwards[layer].forward(input, side.scheme.sublayer(l, 1).shifts(), site, context);
      side.x = joinBranch(side.scheme, site, side.x, input, output, context);
    }
  }
  for (Side& side : sides) {
    side.x = side.scheme.exit(side.x);
    if (context.observer) context.observer->stackOutput(side.scheme.setup().kind, side.x);
  }
  return {sides[0].x, sides[1].x};
}

std::vector<StackDescription> EtcStack::descriptions() const {
  std::vector<StackDescription> both(2, m_configuration.description());
  both[1].kind = StackKind::Global;
  return both;
}

}  // namespace fathom
