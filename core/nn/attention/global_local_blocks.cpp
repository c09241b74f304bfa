// SPDX-License-Identifier: Apache-2.0
// The blockwise form: for a head of a sequence, blocks of queries meet the keys that they can see. Scores are
// made again in the backward pass, from the sums of the rows alone (or from the chain, which is there
// anyway), so that memory grows with the streams.
#include <torch/csrc/autograd/custom_function.h>

#include <optional>

#include "core/nn/attention/global_local_head.h"
#include "core/nn/parallel_for.h"

namespace fathom {

namespace {

using long_attention::HalfArrays;
using long_attention::HeadPass;
using long_attention::Pass;
using long_attention::Scratch;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

void runHeads(Pass& pass) {
  parallelFor(0, pass.batch() * pass.rules.heads, 1, [&](std::int64_t begin, std::int64_t end) {
    const at::NoGradGuard noGrad;  // of this thread
    Scratch scratch(pass.longRows.options());
    for (std::int64_t item = begin; item < end; ++item) {
      const std::int64_t b = item / pass.rules.heads, h = item % pass.rules.heads;
      if (pass.longRows.scalar_type() == torch::kFloat64)
        HeadPass<double>(pass, b, h, scratch).run();
      else
        HeadPass<float>(pass, b, h, scratch).run();
    }
  });
}

void keepRules(AutogradContext* ctx, const LongStructure& structure, const GlobalLocalRules& rules) {
  auto& saved = ctx->saved_data;
  saved["sentence"] = structure.sentence;
  saved["paragraph"] = structure.paragraph;
  saved["link"] = structure.link;
  saved["context"] = structure.context;
  saved["global_context"] = structure.globalContext;
  saved["everything"] = structure.everything;
  saved["heads"] = rules.heads;
  saved["radius"] = rules.radius;
  saved["distance"] = rules.ids.distance;
  saved["hard_global"] = rules.hardGlobal;
  saved["exchange"] = rules.exchange;
  saved["chain"] = static_cast<std::int64_t>(rules.chain);
  saved["layer"] = rules.layer;
  saved["dropout"] = rules.dropout;
  saved["long_seed"] = static_cast<std::int64_t>(rules.longSeed);
  saved["global_seed"] = static_cast<std::int64_t>(rules.globalSeed);
}
LongStructure keptStructure(AutogradContext* ctx) {
  const auto tensor = [&](const char* name) { return ctx->saved_data.at(name).toTensor(); };
  return {tensor("sentence"), tensor("paragraph"),      tensor("link"),
          tensor("context"),  tensor("global_context"), tensor("everything")};
}
GlobalLocalRules keptRules(AutogradContext* ctx) {
  const auto whole = [&](const char* name) { return ctx->saved_data.at(name).toInt(); };
  GlobalLocalRules rules;
  rules.heads = whole("heads");
  rules.radius = whole("radius");
  rules.ids.distance = whole("distance");
  rules.hardGlobal = ctx->saved_data.at("hard_global").toBool();
  rules.exchange = ctx->saved_data.at("exchange").toBool();
  rules.chain = static_cast<ScoreChain>(whole("chain"));
  rules.layer = whole("layer");
  rules.dropout = ctx->saved_data.at("dropout").toDouble();
  rules.longSeed = static_cast<std::uint64_t>(whole("long_seed"));
  rules.globalSeed = static_cast<std::uint64_t>(whole("global_seed"));
  return rules;
}

// Forward inputs of the half and room for what it gives.
void openHalf(HalfArrays& half, const torch::Tensor& table, const torch::Tensor& bias,
              const torch::Tensor& previous, const torch::Tensor& rows, const GlobalLocalRules& rules,
              std::int64_t keys) {
  const std::int64_t batch = rows.size(0), queries = rows.size(1);
  half.table = table.contiguous();
  half.bias = bias.contiguous();
  half.previous = previous.defined() ? previous.contiguous() : previous;
  half.out = at::empty({batch, queries, rows.size(2) / 3}, rows.options());
  half.logSums = at::empty({batch, rules.heads, queries}, rows.options());
  if (rules.chain != ScoreChain::None)  // keys that do not exist: 0
    half.chain = at::zeros({batch, rules.heads, queries, keys}, rows.options());
}

void openGradients(HalfArrays& half, const torch::Tensor& outGradient, const torch::Tensor& chainGradient,
                   bool below) {
  const std::int64_t batch = half.out.size(0);
  half.outGradient = outGradient.defined() ? outGradient.contiguous() : at::zeros_like(half.out);
  if (chainGradient.defined()) half.chainGradient = chainGradient.contiguous();
  if (below) half.previousGradient = at::zeros_like(half.chain);
  half.tableGradient = at::zeros({batch, half.table.size(0), half.table.size(1)}, half.table.options());
  half.biasGradient = at::zeros({batch, half.bias.size(0), half.bias.size(1)}, half.bias.options());
}

class GlobalLocalFunction : public torch::autograd::Function<GlobalLocalFunction> {
 public:
  static variable_list forward(AutogradContext* ctx, const torch::Tensor& longRows,
                               const torch::Tensor& globalRows, const torch::Tensor& longTable,
                               const torch::Tensor& globalTable, const torch::Tensor& longBias,
                               const torch::Tensor& globalBias, const std::optional<torch::Tensor>& longChain,
                               const std::optional<torch::Tensor>& globalChain,
                               const LongStructure& structure, const GlobalLocalRules& rules) {
    Pass pass{structure, rules, longRows.contiguous(), globalRows.contiguous(), {}, {}, {}, {}, false};
    const std::int64_t n = longRows.size(1), g = globalRows.size(1);
    openHalf(pass.longs, longTable, longBias, longChain.value_or(torch::Tensor()), longRows, rules,
             rules.windowKeys() + g);
    openHalf(pass.globals, globalTable, globalBias, globalChain.value_or(torch::Tensor()), globalRows, rules,
             g + n);
    runHeads(pass);
    ctx->set_materialize_grads(false);
    variable_list kept = {pass.longRows,      pass.globalRows,     pass.longs.table, pass.globals.table,
                          pass.longs.bias,    pass.globals.bias,   pass.longs.out,   pass.globals.out,
                          pass.longs.logSums, pass.globals.logSums};
    variable_list results = {pass.longs.out, pass.globals.out};
    if (rules.chain != ScoreChain::None) {
      results.insert(results.end(), {pass.longs.chain, pass.globals.chain});
      kept.insert(kept.end(), {pass.longs.chain, pass.globals.chain});
    }
    ctx->save_for_backward(std::move(kept));
    ctx->saved_data["below"] = longChain.has_value();
    keepRules(ctx, structure, rules);
    return results;
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const variable_list kept = ctx->get_saved_variables();
    const LongStructure structure = keptStructure(ctx);
    const GlobalLocalRules rules = keptRules(ctx);
    const bool below = ctx->saved_data.at("below").toBool();
    Pass pass{structure, rules, kept[0], kept[1], at::zeros_like(kept[0]), at::zeros_like(kept[1]),
              {},        {},    true};
    const auto open = [&](HalfArrays& half, std::size_t i) {
      half.table = kept[2 + i];
      half.bias = kept[4 + i];
      half.out = kept[6 + i];
      half.logSums = kept[8 + i];
      if (rules.chain != ScoreChain::None) half.chain = kept[10 + i];
      openGradients(half, gradients[i], half.chain.defined() ? gradients[2 + i] : torch::Tensor(), below);
    };
    open(pass.longs, 0);
    open(pass.globals, 1);
    runHeads(pass);
    return {pass.longRowsGradient,
            pass.globalRowsGradient,
            pass.longs.tableGradient.sum(0),
            pass.globals.tableGradient.sum(0),
            pass.longs.biasGradient.sum(0),
            pass.globals.biasGradient.sum(0),
            pass.longs.previousGradient,
            pass.globals.previousGradient,
            {},
            {}};
  }
};

std::optional<torch::Tensor> given(const torch::Tensor& chain) {
  return chain.defined() ? std::optional<torch::Tensor>(chain) : std::nullopt;
}

}  // namespace

GlobalLocalOutputs globalLocalBlocks(const GlobalLocalInputs& in, const LongStructure& structure,
                                     const GlobalLocalRules& rules) {
  const variable_list out =
      GlobalLocalFunction::apply(in.longRows, in.globalRows, in.longTable, in.globalTable, in.longBias,
                                 in.globalBias, given(in.longChain), given(in.globalChain), structure, rules);
  if (rules.chain == ScoreChain::None) return {out[0], out[1], {}, {}};
  return {out[0], out[1], out[2], out[3]};
}

}  // namespace fathom
