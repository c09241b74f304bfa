// SPDX-License-Identifier: Apache-2.0
#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/base/numbers/random_stream.h"
#include "core/engine/bench/bench_sql_decoder.h"
#include "core/engine/bench/bench_sql_inputs.h"
#include "core/init/initialisation.h"
#include "core/nn/pretrained/tensor_file.h"
#include "core/optim/optimizer.h"
#include "core/train/loop/update_step.h"
#include "core/train/parts/compute_device.h"

namespace fathom {

namespace {

constexpr double kSqlStepRate = 1e-4, kClipNorm = 5;
constexpr double kSqlLossGap = 1e-5, kSqlNormGap = 1e-3;  // relative, float32

torch::Tensor wholeNumbers(const std::vector<std::int64_t>& values) {
  return at::tensor(values, torch::TensorOptions(torch::kInt64));
}

// SQL-SP above its encoder as a model of its own.
class SqlNetworkAlone final : public Model {
 public:
  SqlNetworkAlone(const SqlNetworkSetup& setup, const OptionValues& options)
      : m_store(torch::TensorOptions(torch::kFloat32)), m_network(m_store, setup, options) {}
  const std::string& id() const override {
    static const std::string name = "sql_network";
    return name;
  }
  using Model::parameters;
  ParameterStore& parameters() override { return m_store; }
  std::vector<StackDescription> stacks() const override { return {m_network.layers()}; }
  ResidualScheme& residual(StackKind) override { return m_network.residual(); }
  const SqlNetwork& network() const { return m_network; }

 private:
  ParameterStore m_store;
  SqlNetwork m_network;
};

// A batch as the task makes it: a word is a piece, an item two to four; every fourth column is written as the
// one before it. The encoder's states lie in 16 bits, as they are kept.
struct SqlStepBatch {
  SqlBenchExamples examples;
  SqlInputs inputs;
  torch::Tensor kept;  // half [B * T, inputs]
  std::vector<std::int64_t> firstPieces;
  std::int64_t pieces = 0;  // T

  SqlStepBatch(std::int64_t rows, std::int64_t width) : examples(spiderLikeExamples(rows, 3)) {
    RandomStream random(streamSeed(3, "bench.sql_step"));
    std::vector<std::int64_t> wordSpans, itemSpans, tableOf;
    std::int64_t cells = 0;
    for (std::size_t b = 0; b < examples.words.size(); ++b) {
      std::int64_t at = 1;
      for (std::int64_t w = 0; w < examples.words[b]; ++w, ++at)
        wordSpans.insert(wordSpans.end(), {at, at + 1});
      ++at;
      const std::int64_t tables = examples.tables[b], items = tables + examples.columns[b];
      for (std::int64_t i = 0; i < items; ++i) {
        if (i > tables && i % 4 == 0) {
          const std::int64_t begin = itemSpans[itemSpans.size() - 2], end = itemSpans.back();
          itemSpans.insert(itemSpans.end(), {begin, end});
        } else {
          const auto length = 2 + static_cast<std::int64_t>(random.below(3));
          itemSpans.insert(itemSpans.end(), {at, at + length});
          at += length + 1;
        }
        if (i >= tables)
          tableOf.push_back(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(tables))));
      }
      pieces = std::max(pieces, at);
      cells += examples.elements(b) * examples.elements(b);
    }
    inputs.words = examples.words;
    inputs.columns = examples.columns;
    inputs.tables = examples.tables;
    inputs.wordSpans = wholeNumbers(wordSpans).view({-1, 2});
    inputs.itemSpans = wholeNumbers(itemSpans).view({-1, 2});
    inputs.columnTables = wholeNumbers(tableOf);
    inputs.relations = at::empty({cells}, torch::kUInt8);
    for (std::int64_t i = 0; i < cells; ++i)
      inputs.relations.mutable_data_ptr<std::uint8_t>()[i] = static_cast<std::uint8_t>(random.below(33));
    kept = at::empty({rows * pieces, width})
               .normal_(0, 0.4, at::make_generator<at::CPUGeneratorImpl>(4))
               .to(torch::kHalf);
    for (std::int64_t b = 0; b < rows; ++b) firstPieces.push_back(b * pieces);
  }
};

class SqlStep {
 public:
  SqlStep(const SqlStepBench& bench, const SqlStepBatch& batch, bool packed, double dropout)
      : m_batch(batch),
        m_options(sqlBenchOptions(bench.size, {{"model.fused_attention", packed},
                                               {"model.sql_sp.question_dropout", dropout},
                                               {"model.sql_sp.schema_dropout", dropout},
                                               {"model.sql_sp.vector_dropout", dropout}})),
        m_model(sqlBenchNetwork(m_options), m_options) {
    initialiseModel(m_model, m_options, 1).value();
    m_optimizer = makeOptimizer(m_options, m_model.parameters()).value();
    m_update = std::make_unique<UpdateStep>(*m_optimizer, Normalisation::PerUnit, ClipRule::Torch, kClipNorm);
  }

  // Mean loss and the gradient's norm before clipping; `apply` also updates.
  std::pair<double, double> step(bool apply) {
    m_update->begin();
    const StepContext context{.seed = 1, .update = m_count++, .training = true};
    const SqlNetwork& network = m_model.network();
    const SqlEncoding encoding =
        network.encode(m_batch.kept.to(torch::kFloat32), m_batch.firstPieces, m_batch.inputs, context);
    const DecoderLoss loss = network.loss(encoding, m_batch.examples.actions, context);
    const std::int64_t rows = m_batch.examples.count();
    m_update->add({loss.loss.sum(), rows, {}});
    const double norm = m_update->gradientNorm();
    if (apply) m_update->apply(kSqlStepRate);
    return {m_update->sums().loss / static_cast<double>(rows), norm};
  }

  Status write(const std::string& folder, const SqlStepBench& bench, int threads) const {
    const SqlInputs& inputs = m_batch.inputs;
    FATHOM_TRY(const std::string weights, writeTensors(peerWeights(folder), m_model.parameters().state()));
    std::int64_t longest = 0;
    for (std::size_t b = 0; b < inputs.words.size(); ++b)
      longest = std::max(longest, m_batch.examples.elements(b));
    const std::int64_t rows = m_batch.examples.count();
    torch::Tensor relations = at::zeros({rows, longest, longest}, torch::kInt64);
    std::int64_t first = 0;
    for (std::int64_t b = 0; b < rows; ++b) {
      const std::int64_t n = m_batch.examples.elements(static_cast<std::size_t>(b));
      relations[b].narrow(0, 0, n).narrow(1, 0, n).copy_(
          inputs.relations.narrow(0, first, n * n).view({n, n}));
      first += n * n;
    }
    FATHOM_TRY(const std::string batch,
               writeTensors(peerBatch(folder),
                            {{"states", m_batch.kept.to(torch::kFloat32).view({rows, m_batch.pieces, -1})},
                             {"word_spans", inputs.wordSpans},
                             {"item_spans", inputs.itemSpans},
                             {"column_tables", inputs.columnTables},
                             {"words", wholeNumbers(inputs.words)},
                             {"columns", wholeNumbers(inputs.columns)},
                             {"tables", wholeNumbers(inputs.tables)},
                             {"relations", relations},
                             {"actions", m_batch.examples.paddedActions()}}));
    const SqlNetworkSetup setup = sqlBenchNetwork(m_options);
    const Json config = {{"threads", threads},
                         {"layers", setup.layers.setup.layers()},
                         {"layer_heads", setup.layers.selfAttention.heads},
                         {"heads", setup.decoder.heads},
                         {"smoothing", setup.decoder.smoothing},
                         {"dropout", bench.dropout},
                         {"rate", kSqlStepRate},
                         {"grammar", grammarForPeer()}};
    return writePeerConfig(folder, config);
  }

 private:
  const SqlStepBatch& m_batch;
  OptionValues m_options;
  SqlNetworkAlone m_model;
  std::unique_ptr<Optimizer> m_optimizer;
  std::unique_ptr<UpdateStep> m_update;
  std::int64_t m_count = 0;
};

// The same step on padded rows, in turn with ours.
Json paddedSteps(const SqlStepBench& bench, const SqlStepBatch& batch, SqlStep& ours) {
  SqlStep padded(bench, batch, false, bench.dropout);
  padded.step(true);
  std::vector<double> seconds, ratios;
  std::int64_t peak = 0;
  for (std::int64_t pair = 0; pair < bench.settings.pairs; ++pair) {
    const double own = medianSeconds(static_cast<int>(bench.settings.steps), [&] { ours.step(true); });
    resetPeakMemory();
    seconds.push_back(medianSeconds(static_cast<int>(bench.settings.steps), [&] { padded.step(true); }));
    peak = std::max(peak, peakMemory());
    ratios.push_back(seconds.back() / own);
  }
  return {{"seconds_a_step", median(seconds)}, {"ratio", median(ratios)}, {"peak_bytes", peak}};
}

}  // namespace

Status benchSqlStep(const SqlStepBench& bench) {
  const int threads = prepareNumerics(torch::kCPU, bench.settings.threads);
  const SqlStepBatch batch(bench.rows, sqlBenchNetwork(sqlBenchOptions(bench.size)).inputs);
  auto plain = std::make_unique<SqlStep>(bench, batch, true, 0);
  const auto [loss, norm] = plain->step(false);
  const auto [paddedLoss, paddedNorm] = SqlStep(bench, batch, false, 0).step(false);
  if (std::abs(paddedLoss - loss) > kSqlLossGap * loss || std::abs(paddedNorm - norm) > kSqlNormGap * norm)
    return numericError("padded rows give another loss or gradient, nothing was timed");
  SqlStep ours(bench, batch, true, bench.dropout);
  PairBench pairs = pairBench("sql-step", "sql_step.py", bench.settings);
  pairs.check = {{"loss", loss, kSqlLossGap}, {"grad_norm", norm, kSqlNormGap}};
  pairs.step = [&] { ours.step(true); };
  Result<Json> result = runPairBench(pairs, [&](const std::string& folder) {
    const Status written = plain->write(folder, bench, threads);
    plain.reset();  // its memory is not ours while timing
    return written;
  });
  if (result.ok()) {
    Json& json = *result;
    json["size"] = bench.size;
    json["examples"] = batch.examples.count();
    json["actions"] = batch.examples.actionCount();
    json["padded"] = paddedSteps(bench, batch, ours);
    if (json.contains("ratio")) json["peer_is"] = "step_by_step";
  }
  return finishBench(result, threads);
}

}  // namespace fathom
