// SPDX-License-Identifier: Apache-2.0
#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <tuple>

#include "core/base/errors/error.h"
#include "core/base/options/decoding_keys.h"
#include "core/decode/grammar_beam.h"
#include "core/decode/plain_grammar_scorer.h"
#include "core/engine/bench/bench_sql_decoder.h"
#include "core/engine/bench/bench_sql_inputs.h"
#include "core/nn/models/sql_sp.h"
#include "core/nn/pretrained/tensor_file.h"
#include "core/objectives/encoder_features.h"
#include "core/objectives/sql_batch_inputs.h"
#include "core/train/parts/compute_device.h"
#include "core/train/state/stored_run.h"

namespace fathom {

namespace {

constexpr double kScoreGap = 1e-8;  // relative, float64

using NamedTensors = std::vector<std::pair<std::string, torch::Tensor>>;

// A decoder's weights and, by example, what it searches in: [n, d] and [C, d], float32.
struct BeamInputs {
  GrammarDecoderSetup setup;
  NamedTensors weights;  // "decoder.*"
  std::vector<torch::Tensor> memory, columns;
};

torch::Tensor beamRows(std::int64_t rows, std::int64_t width, std::uint64_t seed) {
  return at::empty({rows, width}).normal_(0, 1, at::make_generator<at::CPUGeneratorImpl>(seed));
}

// A random decoder that likes what ends a tree, or no search would complete anything.
BeamInputs madeBeamInputs(const GrammarBeamBench& bench) {
  BeamInputs inputs;
  inputs.setup = sqlBenchNetwork(sqlBenchOptions(bench.size)).decoder;
  ParameterStore store{torch::TensorOptions(torch::kFloat32)};
  const GrammarDecoder decoder(store, inputs.setup);
  fillForBench(store, 1);
  {
    const at::NoGradGuard noGrad;
    const torch::Tensor bias = store.value("decoder.production_embedding.bias");
    for (int rule = 0; rule < kGrammarRules; ++rule)
      bias[rule] -= static_cast<double>(grammarProductions()[static_cast<std::size_t>(rule)].fields.size());
  }
  inputs.weights = store.state();
  const SqlBenchExamples examples = spiderLikeExamples(bench.examples, 2);
  for (std::size_t b = 0; b < examples.words.size(); ++b) {
    inputs.memory.push_back(beamRows(examples.elements(b), inputs.setup.memory, 2 * b + 1));
    inputs.columns.push_back(beamRows(examples.columns[b], inputs.setup.memory, 2 * b + 2));
  }
  return inputs;
}

const SqlSp& parserOfRun(const StoredRun& stored) {
  const auto* parser = dynamic_cast<const SqlSp*>(stored.parts.model.get());
  if (parser == nullptr)
    throw Failure(usageError("the run's model writes no queries", "name a run of sql_sp"));
  return *parser;
}

BeamInputs beamInputsOfRun(const StoredRun& stored, std::int64_t count) {
  const at::NoGradGuard noGrad;
  const SqlSp& parser = parserOfRun(stored);
  BeamInputs inputs;
  inputs.setup = parser.network().decoder().setup();
  for (const auto& [name, tensor] : stored.parts.model->parameters().state())
    if (name.starts_with("decoder.")) inputs.weights.emplace_back(name, tensor);
  const std::int64_t batches = stored.parts.task->batchCount(DataSplit::Validation);
  for (std::int64_t i = 0; i < batches && static_cast<std::int64_t>(inputs.memory.size()) < count; ++i) {
    const DeviceBatch batch = toDevice(stored.parts.task->makeBatch(DataSplit::Validation, i), torch::kCPU);
    const TextBatch text = pieceRows(batch);
    const SqlEncoding encoding =
        parser.network().encode(parser.pieceStates(text, {}), SqlSp::firstPieces(text), inputsOf(batch), {});
    std::int64_t row = 0, column = 0;
    for (std::size_t b = 0; b < encoding.columnCounts.size(); ++b) {
      const auto e = static_cast<std::int64_t>(b);
      const std::int64_t elements = encoding.packing.spans[e][1].item<std::int64_t>();
      if (static_cast<std::int64_t>(inputs.memory.size()) < count) {
        inputs.memory.push_back(encoding.memory.narrow(0, row, elements).clone());
        inputs.columns.push_back(encoding.columns.narrow(0, column, encoding.columnCounts[b]).clone());
      }
      row += elements;
      column += encoding.columnCounts[b];
    }
  }
  return inputs;
}

// The decoder in one type, and its searches.
class BeamWork {
 public:
  BeamWork(const BeamInputs& inputs, const GrammarBeamBench& bench, torch::ScalarType type)
      : m_inputs(inputs),
        m_batch(static_cast<std::size_t>(bench.batch)),
        m_type(type),
        m_store(torch::TensorOptions(type)),
        m_decoder(m_store, inputs.setup) {
    m_search.beam = static_cast<int>(bench.beam);
    m_search.maxSteps = static_cast<int>(bench.maxSteps);
    std::map<std::string, torch::Tensor> values;
    for (const auto& [name, tensor] : inputs.weights) values[name] = tensor;
    m_store.load(values).value();
  }

  std::vector<GrammarSearchResult> batched() const {
    std::vector<GrammarSearchResult> results;
    for (std::size_t first = 0; first < m_inputs.memory.size(); first += m_batch) {
      const std::size_t last = std::min(first + m_batch, m_inputs.memory.size());
      for (GrammarSearchResult& one : searchGrammarBatch(m_decoder, prepared(first, last), m_search))
        results.push_back(std::move(one));
    }
    return results;
  }

  std::vector<GrammarSearchResult> plain() const {
    std::vector<GrammarSearchResult> results;
    for (std::size_t e = 0; e < m_inputs.memory.size(); ++e) {
      PlainGrammarScorer scorer(m_decoder, prepared(e, e + 1));
      results.push_back(
          searchGrammar(static_cast<int>(m_inputs.columns[e].size(0)), std::ref(scorer), m_search));
    }
    return results;
  }

  // Forward operations of the hypotheses that were looked at.
  double operations(const std::vector<GrammarSearchResult>& results) const {
    double total = 0;
    for (std::size_t e = 0; e < results.size(); ++e) {
      const auto n = static_cast<double>(m_inputs.memory[e].size(0)),
                 columns = static_cast<double>(m_inputs.columns[e].size(0));
      double rows = 1;
      for (std::size_t t = 0; t + 1 < results[e].steps.size(); ++t) rows += results[e].steps[t].live;
      total += decoderMemoryOperations(m_inputs.setup, n, columns) +
               rows * (decoderStepOperations(m_inputs.setup, n, columns, 0) +
                       2 * columns * static_cast<double>(m_inputs.setup.vector));
    }
    return total;
  }

  Status write(const std::string& folder, Json config) const {
    const auto counts = [](const std::vector<torch::Tensor>& all) {
      std::vector<std::int64_t> rows;
      for (const torch::Tensor& one : all) rows.push_back(one.size(0));
      return at::tensor(rows, torch::TensorOptions(torch::kInt64));
    };
    FATHOM_TRY(const std::string weights, writeTensors(peerWeights(folder), m_inputs.weights));
    FATHOM_TRY(const std::string batch,
               writeTensors(peerBatch(folder), {{"memory", at::cat(m_inputs.memory)},
                                                {"columns", at::cat(m_inputs.columns)},
                                                {"lengths", counts(m_inputs.memory)},
                                                {"column_counts", counts(m_inputs.columns)}}));
    config.update({{"work", "beam"},
                   {"heads", m_inputs.setup.heads},
                   {"beam", m_search.beam},
                   {"max_steps", m_search.maxSteps},
                   {"column_weight", m_search.columnWeight},
                   {"grammar", grammarForPeer()}});
    return writePeerConfig(folder, config);
  }

 private:
  DecoderMemory prepared(std::size_t first, std::size_t last) const {
    const at::NoGradGuard noGrad;
    std::vector<torch::Tensor> memory, columns;
    std::vector<std::int64_t> lengths, counts;
    for (std::size_t e = first; e < last; ++e) {
      memory.push_back(m_inputs.memory[e]);
      columns.push_back(m_inputs.columns[e]);
      lengths.push_back(memory.back().size(0));
      counts.push_back(columns.back().size(0));
    }
    return m_decoder.prepare(at::cat(memory).to(m_type), packingOf(lengths, torch::kCPU),
                             at::cat(columns).to(m_type), counts);
  }

  const BeamInputs& m_inputs;
  std::size_t m_batch;
  torch::ScalarType m_type;
  ParameterStore m_store;
  GrammarDecoder m_decoder;
  GrammarSearchOptions m_search;
};

// The first difference, or nothing. Hypothesis by hypothesis: actions, order, scores.
std::string beamDifference(const std::vector<GrammarSearchResult>& own,
                           const std::vector<GrammarSearchResult>& plain) {
  for (std::size_t e = 0; e < own.size(); ++e) {
    const std::string where = "example " + std::to_string(e);
    if (own[e].completed.size() != plain[e].completed.size()) return where + " completes another number";
    for (std::size_t h = 0; h < own[e].completed.size(); ++h) {
      const GrammarHypothesis &a = own[e].completed[h], &b = plain[e].completed[h];
      const bool near = std::abs(a.score - b.score) <= kScoreGap * std::max(1.0, std::abs(b.score));
      if (a.actions != b.actions || !near) return where + ", hypothesis " + std::to_string(h);
    }
  }
  return {};
}

// The same number as the peer makes of its hypotheses.
std::vector<BenchCheck> digestOf(const std::vector<GrammarSearchResult>& results) {
  double count = 0, score = 0;
  std::int64_t mixed = 0;
  for (const GrammarSearchResult& result : results) {
    for (const GrammarHypothesis& hypothesis : result.completed) {
      for (const GrammarAction action : hypothesis.actions) mixed = (mixed * 31 + action + 2) % 1000000007;
      mixed = (mixed * 31 + 1) % 1000000007;
      count += 1;
      score += hypothesis.score;
    }
  }
  return {{"hypotheses", count, 0}, {"actions", static_cast<double>(mixed), 0}, {"score", score, kScoreGap}};
}

// The whole validation as a training does it.
Json timedValidation(const StoredRun& stored, std::string features) {
  const auto timed = [&](bool predictions) {
    EvaluationRequest request;
    request.decoding = kValidationDecoding;
    request.predictions = predictions;
    const double started = BenchClock::now().wall;
    Evaluation result = stored.parts.objective->evaluate(*stored.parts.model, *stored.parts.task, request);
    return std::pair(BenchClock::now().wall - started, std::move(result));
  };
  const double withoutSearch = timed(false).first;
  const auto [seconds, result] = timed(true);
  Json json = {{"examples", result.predictions.size()},
               {"seconds", seconds},
               {"seconds_without_search", withoutSearch},
               {"features", std::move(features)}};
  for (const TaskScore& score : result.scores)
    if (score.id == "exact_match") json["exact_match"] = score.value;
  return json;
}

struct OpenedBeamRun {
  StoredRun stored;
  std::string features;  // what was said of the frozen encoder's states
};

Result<OpenedBeamRun> openBeamRun(const GrammarBeamBench& bench) {
  StoredRunRequest request;
  request.runPath = bench.run;
  request.assignments = {"device=cpu", "validation.beam=" + std::to_string(bench.beam),
                         "validation.max_steps=" + std::to_string(bench.maxSteps)};
  OpenedBeamRun opened;
  FATHOM_TRY(opened.stored, openStoredRun(request));
  PrepareRequest prepare;
  prepare.cachePath = sharedCachePath(bench.run);
  prepare.make = true;
  prepare.say = [&opened](const Phrase& said) { opened.features = said.english(); };
  opened.stored.parts.objective->prepare(*opened.stored.parts.model, *opened.stored.parts.task, prepare);
  prepare.say = {};
  return opened;
}

}  // namespace

Status benchGrammarBeam(const GrammarBeamBench& bench) {
  FATHOM_CHECK(checkReleasedDecoder(bench.reference));
  const int threads = prepareNumerics(torch::kCPU, bench.settings.threads);
  std::optional<OpenedBeamRun> run;
  if (!bench.run.empty()) {
    FATHOM_TRY(run, openBeamRun(bench));
  }
  const BeamInputs inputs = run ? beamInputsOfRun(run->stored, bench.examples) : madeBeamInputs(bench);
  {
    const BeamWork exact(inputs, bench, torch::kFloat64);
    const std::string wrong = beamDifference(exact.batched(), exact.plain());
    if (!wrong.empty())
      return numericError("the plain search finds something else, nothing was timed: " + wrong);
  }
  const BeamWork ours(inputs, bench, torch::kFloat32);
  PairBench pairs = pairBench("grammar-beam", "sql_decoder.py", bench.settings);
  pairs.check = digestOf(BeamWork(inputs, bench, torch::kFloat64).batched());
  pairs.step = [&] { ours.batched(); };
  const double rate = measuredGemmRate();
  Result<Json> result = runPairBench(pairs, [&](const std::string& folder) {
    return ours.write(folder, {{"threads", threads}, {"reference", bench.reference}});
  });
  if (result.ok()) {
    Json& json = *result;
    const double seconds = json["seconds_a_step"].get<double>(), operations = ours.operations(ours.batched());
    json["examples"] = inputs.memory.size();
    json["beam"] = bench.beam;
    const double plain = medianSeconds(1, [&] { ours.plain(); });
    json["plain_seconds"] = plain;
    json["plain_ratio"] = plain / seconds;
    json["floor"] = {{"gflop", operations / 1e9},
                     {"gemm_gflops", rate / 1e9},
                     {"seconds", operations / rate},
                     {"share", operations / rate / seconds}};
    if (json.contains("ratio")) json["peer_is"] = bench.reference.empty() ? "step_by_step" : "released";
    if (run) json["validation"] = timedValidation(run->stored, run->features);
  }
  return finishBench(result, threads);
}

}  // namespace fathom
