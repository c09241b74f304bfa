// SPDX-License-Identifier: Apache-2.0
#include "core/engine/bench/bench_sql_decoder.h"

#include <ATen/CPUGeneratorImpl.h>

#include "core/engine/bench/bench_sql_inputs.h"
#include "core/nn/pretrained/tensor_file.h"
#include "core/optim/gradient_clip.h"
#include "core/train/parts/compute_device.h"

namespace fathom {

namespace {

constexpr double kDecoderLossGap = 1e-5, kDecoderNormGap = 1e-4;  // relative, float32

torch::Tensor decoderRows(std::int64_t rows, std::int64_t width, std::uint64_t seed) {
  return at::empty({rows, width}).normal_(0, 1, at::make_generator<at::CPUGeneratorImpl>(seed));
}

class DecoderWork {
 public:
  DecoderWork(const GrammarDecoderSetup& setup, SqlBenchExamples examples)
      : m_examples(std::move(examples)), m_decoder(m_store, setup) {
    fillForBench(m_store, 1);
    std::int64_t rows = 0, columns = 0;
    for (std::size_t b = 0; b < m_examples.words.size(); ++b) {
      m_lengths.push_back(m_examples.elements(b));
      rows += m_lengths.back();
      columns += m_examples.columns[b];
    }
    m_memory = decoderRows(rows, setup.memory, 2).requires_grad_();
    m_columns = decoderRows(columns, setup.memory, 3).requires_grad_();
  }

  // As SqlNetwork::loss() does it; the mean over examples.
  double step() {
    m_store.zeroGradients();
    m_memory.mutable_grad().reset();
    m_columns.mutable_grad().reset();
    const DecoderMemory memory =
        m_decoder.prepare(m_memory, packingOf(m_lengths, torch::kCPU), m_columns, m_examples.columns);
    const DerivationPlan plan = derivationPlan(m_examples.actions, m_examples.columns, torch::kCPU);
    const torch::Tensor loss = m_decoder.loss(memory, plan, {}).loss.mean();
    loss.backward();
    return loss.item<double>();
  }

  std::vector<BenchCheck> check() {
    const double loss = step();
    return {{"loss", loss, kDecoderLossGap},
            {"grad_norm", gradientNorm(m_store), kDecoderNormGap},
            {"memory_grad_norm", m_memory.grad().norm().item<double>(), kDecoderNormGap},
            {"column_grad_norm", m_columns.grad().norm().item<double>(), kDecoderNormGap}};
  }

  Status write(const std::string& folder, Json config) const {
    FATHOM_TRY(const std::string weights, writeTensors(peerWeights(folder), m_store.state()));
    const at::NoGradGuard noGrad;
    const auto counts = [](const std::vector<std::int64_t>& all) {
      return at::tensor(all, torch::TensorOptions(torch::kInt64));
    };
    FATHOM_TRY(const std::string batch,
               writeTensors(peerBatch(folder),
                            {{"memory", unpacked(m_memory, packingOf(m_lengths, torch::kCPU))},
                             {"columns", unpacked(m_columns, packingOf(m_examples.columns, torch::kCPU))},
                             {"lengths", counts(m_lengths)},
                             {"column_counts", counts(m_examples.columns)},
                             {"actions", m_examples.paddedActions()}}));
    config.update({{"work", "loss"},
                   {"heads", m_decoder.setup().heads},
                   {"smoothing", m_decoder.setup().smoothing},
                   {"grammar", grammarForPeer()}});
    return writePeerConfig(folder, config);
  }

  // Number of operations of a step with gradients, a backward pass taken as two forward ones.
  double operations() const {
    const GrammarDecoderSetup& setup = m_decoder.setup();
    double total = 0;
    for (std::size_t b = 0; b < m_lengths.size(); ++b) {
      const auto n = static_cast<double>(m_lengths[b]), columns = static_cast<double>(m_examples.columns[b]);
      double selected = 0;
      for (const GrammarAction action : m_examples.actions[b]) selected += action >= kSelectColumn ? 1 : 0;
      const auto steps = static_cast<double>(m_examples.actions[b].size());
      total += decoderMemoryOperations(setup, n, columns) +
               steps * decoderStepOperations(setup, n, columns, selected / steps);
    }
    return 3 * total;
  }

  // The products of the recurrence, forward and backward, and nothing between them.
  void recurrenceAlone() const {
    const at::NoGradGuard noGrad;
    const GrammarDecoderSetup& s = m_decoder.setup();
    const DerivationPlan plan = derivationPlan(m_examples.actions, m_examples.columns, torch::kCPU);
    const torch::Tensor dynamic = at::zeros({4 * s.hidden, s.vector + 2 * s.hidden}),
                        query = at::zeros({s.memory, s.hidden}),
                        joined = at::zeros({s.vector, s.hidden + s.memory});
    for (const std::int64_t rows : plan.live) {
      for (const torch::Tensor& map : {dynamic, query, joined}) {
        const torch::Tensor out = at::mm(at::zeros({rows, map.size(1)}), map.t());
        at::mm(out, map);
      }
    }
  }

  const SqlBenchExamples& examples() const { return m_examples; }

 private:
  SqlBenchExamples m_examples;
  ParameterStore m_store{torch::TensorOptions(torch::kFloat32)};
  GrammarDecoder m_decoder;
  std::vector<std::int64_t> m_lengths;
  torch::Tensor m_memory, m_columns;
};

}  // namespace

Status benchSqlDecoder(const SqlDecoderBench& bench) {
  FATHOM_CHECK(checkReleasedDecoder(bench.reference));
  const int threads = prepareNumerics(torch::kCPU, bench.settings.threads);
  const SqlNetworkSetup network = sqlBenchNetwork(sqlBenchOptions(bench.size));
  DecoderWork ours(network.decoder,
                   bench.spread ? spiderLikeExamples(bench.rows, 1)
                                : equalSqlExamples(bench.rows, bench.length, bench.columns, bench.actions));
  PairBench pairs = pairBench("sql-decoder", "sql_decoder.py", bench.settings);
  pairs.check = ours.check();
  pairs.step = [&] { ours.step(); };
  const double rate = measuredGemmRate();
  Result<Json> result = runPairBench(pairs, [&](const std::string& folder) {
    return ours.write(folder, {{"threads", threads}, {"reference", bench.reference}});
  });
  if (result.ok()) {
    Json& json = *result;
    const double seconds = json["seconds_a_step"].get<double>(), operations = ours.operations();
    json["size"] = bench.size;
    json["examples"] = ours.examples().count();
    json["actions"] = ours.examples().actionCount();
    json["floor"] = {{"gflop", operations / 1e9},
                     {"gemm_gflops", rate / 1e9},
                     {"seconds", operations / rate},
                     {"share", operations / rate / seconds}};
    json["recurrence_seconds"] = medianSeconds(5, [&] { ours.recurrenceAlone(); });
    if (json.contains("ratio")) json["peer_is"] = bench.reference.empty() ? "step_by_step" : "released";
  }
  return finishBench(result, threads);
}

}  // namespace fathom
