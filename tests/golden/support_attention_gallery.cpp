// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/support_attention_gallery.h"

#include <QTemporaryDir>
#include <cmath>

#include "core/analysis/attention/attention_maps.h"
#include "core/record/results/analysis_store.h"

namespace fathom::gallery {

namespace {

constexpr int kMapLayers = 2, kMapHeads = 3;

Json arrayOf(const AttentionMatrix& matrix, const std::string& part, bool gap) {
  std::vector<float> values;
  const int queries = int(matrix.queries.size()), keys = int(matrix.keys.size());
  const bool probability = part == "probabilities";
  for (int map = 0; map < kMapLayers * kMapHeads; ++map) {
    for (int query = 0; query < queries; ++query) {
      for (int key = 0; key < keys; ++key) {
        const bool chosen = key == (query + map) % keys;
        const double rest = 0.3 / (keys - 1);
        values.push_back(
            float(probability ? (chosen ? 0.7 : rest) : (chosen ? 1.5 : -0.5) * (1 + 0.1 * map)));
      }
    }
  }
  if (gap) values[1] = std::nanf("");
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
  return {{"file", matrix.name() + "." + part + ".npy"},
          {"shape", {kMapLayers, kMapHeads, queries, keys}},
          {"f4", Json::binary({bytes, bytes + values.size() * sizeof(float)})}};
}

}  // namespace

ProbedResult madeUpAttention(bool second) {
  static const QTemporaryDir folder;
  const std::vector<std::string> german = {"\u2581das", "\u2581Haus", "<3", "</s>"},
                                 english = {"</s>", "\u2581the", "\u2581house"};
  const AttentionMatrices matrices{
      7,
      {{"encoder", "self_attention", kMapLayers, kMapHeads, german, german, {}},
       {"decoder", "cross_attention", kMapLayers, kMapHeads, english, german, {}}}};
  Json json = attentionMatricesToJson(matrices);
  for (std::size_t i = 0; i < matrices.attentions.size(); ++i) {
    Json& arrays = json["attentions"][i]["arrays"];
    for (const char* part : {"probabilities", "scores", "content"})
      arrays[part] = arrayOf(matrices.attentions[i], part, second);
    if (second) arrays["residual"] = arrayOf(matrices.attentions[i], "residual", false);
  }
  AnalysisRequest request;
  request.analysis = "attention_maps";
  request.checkpoint = second ? "0001-00000400" : "0001-00000300";
  const std::string path = storeAnalysis(folder.path().toStdString(), request, json).value();
  return {second ? "bbbb" : "aaaa",
          second ? "RealFormer <2>" : "Post-LN",
          request.checkpoint,
          readAnalysis(path).value().result,
          path,
          {}};
}

}  // namespace fathom::gallery
