// SPDX-License-Identifier: Apache-2.0
#include "core/nn/attention/global_local.h"

#include "core/base/errors/error.h"
#include "core/base/options/field_builder.h"
#include "core/kernels/kernel_way.h"
#include "core/nn/dropout.h"

namespace fathom {

GlobalLocal::GlobalLocal(ParameterStore& store, const ParameterInfo& longPlace,
                         const ParameterInfo& globalPlace, const AttentionSetup& setup,
                         const GlobalLocalRules& rules)
    : m_setup(setup), m_rules(rules), m_types(setup.relationTypes) {
  const std::int64_t d = setup.width;
  m_rules.heads = setup.heads;
  m_rules.chain = setup.chain;
  const auto part = [&](const char* name, const char* kind, ParameterRole role) {
    ParameterInfo info = longPlace;
    info.name = longPlace.name + "." + name + "." + kind;
    info.role = role;
    return ParameterPart{info, d};
  };
  m_inWeight = store.addFused(
      longPlace.name + ".query_key_value.weight",
      {part("query", "weight", ParameterRole::Query), part("key", "weight", ParameterRole::Key),
       part("value", "weight", ParameterRole::Value)},
      d);
  if (setup.queryKeyValueBias) {
    m_inBias =
        store.addFused(longPlace.name + ".query_key_value.bias",
                       {part("query", "bias", ParameterRole::Bias), part("key", "bias", ParameterRole::Bias),
                        part("value", "bias", ParameterRole::Bias)},
                       -1);
  }
  m_long = addHalf(store, longPlace);
  m_global = addHalf(store, globalPlace);
}

GlobalLocal::Half GlobalLocal::addHalf(ParameterStore& store, const ParameterInfo& where) const {
  const auto add = [&](const char* suffix, ParameterRole role, torch::IntArrayRef shape) {
    ParameterInfo info = where;
    info.name += suffix;
    info.role = role;
    return store.add(info, shape);
  };
  Half half;
  half.outWeight = add(".output.weight", ParameterRole::AttentionOutput, {m_setup.width, m_setup.width});
  if (m_setup.outputBias) half.outBias = add(".output.bias", ParameterRole::Bias, {m_setup.width});
  half.table = add(".relation.weight", ParameterRole::RelationTable, {m_types, m_setup.width});
  half.bias = add(".relation.bias", ParameterRole::Bias, {m_types * m_setup.heads});
  return half;
}

namespace {
constexpr KernelWays kGlobalLocalBlocks{.lanes = KernelNeeds{.formats = {torch::kFloat32, torch::kFloat64}}};

void tell(const GlobalLocalHalf& half, const SublayerSite& site, const StepContext& context) {
  context.observer->attention(
      {site, half.scores, half.relationScores, half.chain, half.logits, half.probabilities});
}
}  // namespace

GlobalLocal::Streams GlobalLocal::forward(const Streams& streams, const LongStructure& structure,
                                          HandedOn& handed, const Sites& sites,
                                          const StepContext& context) const {
  GlobalLocalRules rules = m_rules;
  rules.layer = sites.longs.layer;
  rules.dropout = context.training ? m_setup.dropout : 0;
  rules.longSeed = dropoutSeed(context, sites.longs.name() + ".probabilities");
  rules.globalSeed = dropoutSeed(context, sites.globals.name() + ".probabilities");
  const auto biases = [&](const torch::Tensor& flat) { return flat.view({m_types, m_setup.heads}); };
  const GlobalLocalInputs inputs{at::linear(streams.longs, m_inWeight, m_inBias),
                                 at::linear(streams.globals, m_inWeight, m_inBias),
                                 m_long.table,
                                 m_global.table,
                                 biases(m_long.bias),
                                 biases(m_global.bias),
                                 handed.chains.longs,
                                 handed.chains.globals};
  const bool observed = context.observer && context.observer->wantsAttention();
  const bool blocks =
      m_setup.fusedKernel && !observed && wayOf(kGlobalLocalBlocks, inputs.longRows) == KernelWay::Lanes;
  GlobalLocalOutputs out;
  if (blocks) {
    out = globalLocalBlocks(inputs, structure, rules);
  } else {
    GlobalLocalHalf longHalf, globalHalf;
    if (!handed.pieces) handed.pieces = softmaxPieces(structure, rules, inputs.longRows.device());
    out = globalLocalWindow(inputs, *handed.pieces, rules, &longHalf, &globalHalf);
    if (observed) {
      tell(longHalf, sites.longs, context);
      tell(globalHalf, sites.globals, context);
    }
  }
  handed.chains = {out.longChain, out.globalChain};
  return {at::linear(out.longRows, m_long.outWeight, m_long.outBias),
          at::linear(out.globalRows, m_global.outWeight, m_global.outBias)};
}

namespace {

std::string globalLocalKey(const std::string& stack) {
  return stack + ".attention.global_local.";
}

std::vector<OptionField> globalLocalFields(const std::string& stack) {
  if (stack != stackName(StackKind::Encoder)) return {};  // of two streams, which encoders alone have
  const std::string key = globalLocalKey(stack);
  return {
      integerField(key + "radius", "Local radius r",
                   "A long token sees the long tokens up to so many places away on each side.", 84)
          .unit("tokens")
          .between(1, 1 << 16)
          .reference("ETC §3.1"),
      integerField(key + "distance", "Largest relative distance m",
                   "Relative positions are cut off here on both sides.", 12)
          .unit("tokens")
          .between(1, 1024)
          .reference("ETC §3.2"),
      integerField(key + "relations", "Relation rows",
                   "Rows of each relation table; at least 2 m + 4 are used.", 32)
          .between(6, 1 << 16)
          .reference("ETC's code, relative_vocab_size"),
      flagField(key + "hard_global", "Hard global-to-long mask",
                "A global token sees the long tokens of its own sentence or paragraph only; off: all of "
                "them.",
                true)
          .reference("ETC §3.2")
          .when(key + "exchange", {true}),
      flagField(key + "exchange", "Global tokens are read",
                "Off: what the local radius alone can do. No token reads a global one but that one itself, "
                "and it reads the long tokens of its own sentence or paragraph only.",
                true)
          .reference("ETC §3.1")};
}

}  // namespace

GlobalLocalRules globalLocalRules(const OptionValues& options, const std::string& stack) {
  const std::string key = globalLocalKey(stack);
  GlobalLocalRules rules;
  rules.radius = options.integer(key + "radius");
  rules.ids.distance = options.integer(key + "distance");
  rules.hardGlobal = options.flag(key + "hard_global");
  rules.exchange = options.flag(key + "exchange");
  return rules;
}

std::int64_t globalLocalTypes(const OptionValues& options, const std::string& stack) {
  const std::string key = globalLocalKey(stack) + "relations";
  const std::int64_t types = options.integer(key);
  const RelationIds ids = globalLocalRules(options, stack).ids;
  const std::int64_t used = ids.otherContext() + 1;
  if (types < used)
    throw Failure(usageError(
        Phrase::tr("%1=%2: with distances up to %3 there are %4 relations")(key, types, ids.distance, used),
        Phrase::tr("raise it, or lower the largest distance")));
  return types;
}

AttentionEntry globalLocalEntry() {
  return {.id = "global_local",
          .title = "Global-local (ETC)",
          .reference = "Ainslie et al. 2020, ETC §3",
          .fields = globalLocalFields,
          .make = nullptr,
          .twoStreams = true};
}

}  // namespace fathom
