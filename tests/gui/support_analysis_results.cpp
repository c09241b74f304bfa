// SPDX-License-Identifier: Apache-2.0
#include "tests/gui/support_analysis_results.h"

#include <cmath>

#include "core/analysis/analysis_entry.h"
#include "core/analysis/attention/attention_distribution.h"
#include "core/analysis/attention/attention_maps.h"
#include "core/analysis/dependency/stack_dependency.h"
#include "core/analysis/norms/sublayer_norms.h"
#include "core/base/files/atomic_file.h"
#include "core/record/results/analysis_store.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/record/runs/run_folder.h"

namespace fathom::test {

Json madeEntropy(int layers, int heads, double shift) {
  AttentionDistributions made{"attention_entropy", "nats", 30, 500, {}};
  AttentionDistribution attention{"encoder", "self_attention", 0, {}};
  for (int layer = 0; layer < layers; ++layer) {
    attention.heads.emplace_back();
    for (int head = 0; head < heads; ++head) {
      HeadDistribution one;
      const double median = 1 + shift + 0.5 * layer + 0.1 * head;
      one.values.count = 500;
      one.values.fiveNumbers = {median - 0.5, median - 0.2, median, median + 0.2, median + 0.5};
      one.values.mean = median;
      one.values.variance = 0.1;
      for (int i = 0; i < 20; ++i) {
        const double x = median - 0.5 + i / 19.0;
        one.violin.grid.push_back(x);
        one.violin.density.push_back(std::exp(-20 * (x - median) * (x - median)));
      }
      attention.heads.back().push_back(std::move(one));
    }
  }
  made.attentions.push_back(std::move(attention));
  return distributionsToJson(made);
}

Json madeDependency(int sublayers, double shift) {
  StackDependency stack;
  stack.stack = "encoder";
  stack.residual = "pre_ln";
  stack.tokens = 500;
  stack.beta.sublayers = sublayers;
  for (int row = 0; row < sublayers; ++row) {
    stack.sublayers.push_back("encoder.layers." + std::to_string(row / 2) +
                              (row % 2 == 0 ? ".self_attention" : ".feed_forward"));
    for (int column = 0; column <= sublayers; ++column) {
      const double value = column <= row + 1 ? 1 / std::sqrt(row + 2.0) + shift : 0;
      stack.beta.meanTokenStd.push_back(value);
      stack.beta.globalStd.push_back(value);
    }
    stack.beta.biasShare.push_back(0);
  }
  return dependenciesToJson({stack});
}

Json madeNorms(int layers) {
  std::vector<SublayerNorm> made;
  for (int i = 0; i < 2 * layers; ++i) {
    const double norm = std::pow(10.0, 0.2 * (i - 2 * layers + 1));
    made.push_back({"encoder." + std::to_string(i), "encoder", "feed_forward", i / 2, norm, norm});
  }
  return sublayerNormsToJson(made);
}

namespace {

Json mapsOf(const AttentionMatrix& matrix) {
  Json json = attentionMatricesToJson({0, {matrix}});
  const int tokens = static_cast<int>(matrix.queries.size());
  std::vector<float> values;
  for (int map = 0; map < matrix.layers * matrix.heads; ++map)
    for (int query = 0; query < tokens; ++query)
      for (int key = 0; key < tokens; ++key)
        values.push_back(key == (query + map) % tokens ? 0.7F : 0.3F / static_cast<float>(tokens - 1));
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
  json["attentions"][0]["arrays"]["probabilities"] = {
      {"file", matrix.name() + ".probabilities.npy"},
      {"shape", {matrix.layers, matrix.heads, tokens, tokens}},
      {"f4", Json::binary({bytes, bytes + values.size() * sizeof(float)})}};
  return json;
}

}  // namespace

Json madeMaps(int layers, int heads, int tokens) {
  AttentionMatrix matrix{"encoder", "self_attention", layers, heads, {}, {}, {}};
  for (int i = 0; i < tokens; ++i) matrix.queries.push_back("w" + std::to_string(i));
  matrix.keys = matrix.queries;
  return mapsOf(matrix);
}

Json madeSchemaMaps(int layers, int heads) {
  AttentionMatrix matrix{"extra", "self_attention", layers, heads, {}, {}, {}};
  matrix.groups = {{"question", 0, 4}, {"column", 4, 60}, {"table", 64, 10}};
  matrix.linked = {1, 7, 65};
  for (const AttentionMatrix::Group& group : *matrix.groups)
    for (int i = 0; i < group.count; ++i) matrix.queries.push_back(group.sort + std::to_string(i));
  matrix.keys = matrix.queries;
  return mapsOf(matrix);
}

void storeResult(const std::string& run, const std::string& analysis, const std::string& checkpoint,
                 const Json& result) {
  AnalysisRequest request;
  request.analysis = analysis;
  request.checkpoint = checkpoint;
  request.version = probeVersion(analysis);
  if (analysis == "attention_maps") request.options["example"] = 0;
  storeAnalysis(RunFolder(run).analysesPath(), request, result).value();
}

void keepCheckpoint(const std::string& run, int step) {
  CheckpointWriter writer = CheckpointWriter::begin(run, 1, step).value();
  writeFileAtomically(writer.folder() + "/model.safetensors", std::to_string(step)).value();
  writer.commit(Json::object()).value();
}

}  // namespace fathom::test
