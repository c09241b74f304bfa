// SPDX-License-Identifier: Apache-2.0
#include "core/engine/bench/bench_sql_inputs.h"

#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <cmath>

#include "core/base/files/path_facts.h"
#include "core/base/numbers/random_stream.h"
#include "core/engine/bench/bench_layers.h"
#include "core/engine/bench/bench_peer.h"
#include "core/nn/models/sql_sp.h"
#include "core/spider/grammar/random_derivation.h"

namespace fathom {

namespace {

// As long as asked for, or the nearest that a few thousand draws give.
std::vector<GrammarAction> derivationOf(std::int64_t length, std::int64_t columns, std::uint64_t seed) {
  std::vector<GrammarAction> nearest;
  const auto distance = [length](const std::vector<GrammarAction>& actions) {
    return std::abs(static_cast<std::int64_t>(actions.size()) - length);
  };
  for (std::uint64_t draw = 0; draw < 4000; ++draw) {
    const auto free =
        static_cast<int>(std::max<std::int64_t>(0, length - static_cast<std::int64_t>(draw % 16)));
    auto actions = randomDerivation(seed * 4000 + draw, static_cast<int>(columns), free);
    if (nearest.empty() || distance(actions) < distance(nearest)) nearest = std::move(actions);
    if (distance(nearest) == 0) break;
  }
  return nearest;
}

}  // namespace

std::int64_t SqlBenchExamples::actionCount() const {
  std::int64_t total = 0;
  for (const auto& one : actions) total += static_cast<std::int64_t>(one.size());
  return total;
}

torch::Tensor SqlBenchExamples::paddedActions() const {
  std::size_t most = 0;
  for (const auto& one : actions) most = std::max(most, one.size());
  torch::Tensor padded = at::full({count(), static_cast<std::int64_t>(most)}, -1, torch::kInt64);
  auto at = padded.accessor<std::int64_t, 2>();
  for (std::size_t b = 0; b < actions.size(); ++b)
    for (std::size_t t = 0; t < actions[b].size(); ++t)
      at[static_cast<std::int64_t>(b)][static_cast<std::int64_t>(t)] = actions[b][t];
  return padded;
}

SqlBenchExamples equalSqlExamples(std::int64_t count, std::int64_t elements, std::int64_t columns,
                                  std::int64_t actions) {
  SqlBenchExamples examples;
  const std::int64_t tables = std::max<std::int64_t>(2, columns / 6);
  for (std::int64_t b = 0; b < count; ++b) {
    examples.columns.push_back(columns);
    examples.tables.push_back(tables);
    examples.words.push_back(std::max<std::int64_t>(1, elements - columns - tables));
    examples.actions.push_back(derivationOf(actions, columns, static_cast<std::uint64_t>(b)));
  }
  return examples;
}

SqlBenchExamples spiderLikeExamples(std::int64_t count, std::uint64_t seed) {
  SqlBenchExamples examples;
  RandomStream random(streamSeed(seed, "bench.sql_examples"));
  for (std::int64_t b = 0; b < count; ++b) {
    const double wide = random.uniform(), length = random.uniform();
    examples.words.push_back(8 + static_cast<std::int64_t>(random.below(13)));
    examples.columns.push_back(12 + static_cast<std::int64_t>(64 * wide * wide));
    examples.tables.push_back(2 + examples.columns.back() / 6);
    examples.actions.push_back(derivationOf(16 + static_cast<std::int64_t>(42 * length * length),
                                            examples.columns.back(), seed + static_cast<std::uint64_t>(b)));
  }
  return examples;
}

OptionValues sqlBenchOptions(const std::string& size, const Json& more) {
  Json options = {{"model", "sql_sp"},
                  {"init", "dt_fixup"},
                  {"init.dt_fixup.mu", "given"},
                  {"init.dt_fixup.mu_value", 10},
                  {"optimizer", "adam"},
                  {"model.width", 1024},
                  {"model.heads", 16},
                  {"encoder.layers", 1},
                  {"extra.layers", 24},
                  {"extra.residual", "unnormalised"},
                  {"extra.attention", "relation_aware"},
                  {"model.sql_sp.question_dropout", 0.0},
                  {"model.sql_sp.schema_dropout", 0.0},
                  {"model.sql_sp.vector_dropout", 0.0}};
  if (size == "cpu")
    options.update({{"model.width", 384},
                    {"model.heads", 12},
                    {"extra.layers", 8},
                    {"model.extra_layers.feed_forward", 512},
                    {"model.sql_sp.width", 128},
                    {"model.sql_sp.hidden", 256},
                    {"model.sql_sp.vector", 128},
                    {"model.sql_sp.action_width", 64},
                    {"model.sql_sp.type_width", 32}});
  options.update(more);
  return benchModelOptions(options);
}

SqlNetworkSetup sqlBenchNetwork(const OptionValues& options) {
  const ModelInputs facts{{"vocabulary", 8}, {"pad_id", 0}, {"relation_types", 33}};
  SqlNetworkSetup setup = sqlSpConfiguration(options, facts).network;
  setup.inputs = options.integer("model.width");
  setup.decoder.memory = setup.layers.setup.width;
  return setup;
}

void fillForBench(ParameterStore& store, std::uint64_t seed) {
  const at::NoGradGuard noGrad;
  for (const Parameter& parameter : store.parameters()) {
    const torch::Tensor value = store.value(parameter);
    const double inputs = value.dim() > 1 ? static_cast<double>(value.size(1)) : 16.0;
    const at::Generator generator =
        at::make_generator<at::CPUGeneratorImpl>(streamSeed(seed, parameter.info.name));
    value.normal_(0, 1 / std::sqrt(inputs), generator);
  }
}

Status checkReleasedDecoder(const std::string& folder) {
  if (folder.empty()) return {};
  constexpr const char* kCode = "semparser/model/rnn_decoders.py";
  for (const std::string& root : {folder + "/spider/", folder + "/"})
    if (fileExists(root + kCode)) return {};
  return dataError(std::string("--reference: ") + folder + " holds neither spider/" + kCode + " nor " + kCode,
                   "name a checkout of BorealisAI/DT-Fixup");
}

Json grammarForPeer() {
  Json productions = Json::array();
  for (const GrammarProduction& production : grammarProductions()) {
    Json fields = Json::array();
    for (const GrammarField& field : production.fields)
      fields.push_back({static_cast<int>(field.type), static_cast<int>(field.cardinality)});
    productions.push_back(
        {{"name", production.constructor}, {"type", static_cast<int>(production.type)}, {"fields", fields}});
  }
  return {{"root", static_cast<int>(kTypeStmt)}, {"productions", productions}};
}

double decoderStepOperations(const GrammarDecoderSetup& setup, double elements, double columns,
                             double columnShare) {
  const auto d = static_cast<double>(setup.memory), a = static_cast<double>(setup.action),
             t = static_cast<double>(setup.type), h = static_cast<double>(setup.hidden),
             v = static_cast<double>(setup.vector);
  const double cell = 4 * h * (2 * a + v + t + 2 * h);
  const double attention = h * d + 2 * elements * d + v * (h + d);
  const double rules = 4 * v * v + 4 * v * a + 46 * a;
  return 2 * (cell + attention + (1 - columnShare) * rules + columnShare * columns * v);
}

double decoderMemoryOperations(const GrammarDecoderSetup& setup, double elements, double columns) {
  const auto d = static_cast<double>(setup.memory);
  return 2 * (2 * elements * d * d + columns * d * static_cast<double>(setup.vector + setup.action));
}

double medianSeconds(int calls, const std::function<void()>& work) {
  std::vector<double> seconds;
  for (int i = 0; i < calls; ++i) {
    const double started = BenchClock::now().wall;
    work();
    seconds.push_back(BenchClock::now().wall - started);
  }
  return median(seconds);
}

double measuredGemmRate() {
  constexpr std::int64_t kSide = 1024;
  const torch::Tensor a = at::full({kSide, kSide}, 0.5), b = at::full({kSide, kSide}, 0.25);
  torch::Tensor out = at::mm(a, b);
  const double seconds = medianSeconds(7, [&] { at::mm_out(out, a, b); });
  return 2.0 * kSide * kSide * kSide / seconds;
}

}  // namespace fathom
