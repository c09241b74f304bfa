// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/attention_maps.h"

#include <exception>

#include "core/analysis/analysis_entry.h"

namespace fathom {

std::string AttentionMatrix::file(const std::string& part) const {
  for (const auto& [name, file] : parts)
    if (name == part) return file;
  return {};
}

Json attentionMatricesToJson(const AttentionMatrices& matrices) {
  Json list = Json::array();
  for (const AttentionMatrix& matrix : matrices.attentions) {
    Json arrays = Json::object();
    for (const auto& [part, file] : matrix.parts) arrays[part] = file;
    list.push_back({{"stack", matrix.stack},
                    {"kind", matrix.kind},
                    {"layers", matrix.layers},
                    {"heads", matrix.heads},
                    {"queries", matrix.queries},
                    {"keys", matrix.keys},
                    {"arrays", std::move(arrays)}});
  }
  return {{"quantity", "attention_maps"}, {"example", matrices.example}, {"attentions", std::move(list)}};
}

Result<AttentionMatrices> attentionMatricesFromJson(const Json& json) {
  try {
    AttentionMatrices matrices;
    matrices.example = json.at("example").get<std::int64_t>();
    for (const Json& item : json.at("attentions")) {
      AttentionMatrix matrix;
      matrix.stack = item.at("stack").get<std::string>();
      matrix.kind = item.at("kind").get<std::string>();
      matrix.layers = item.at("layers").get<int>();
      matrix.heads = item.at("heads").get<int>();
      matrix.queries = item.at("queries").get<std::vector<std::string>>();
      matrix.keys = item.at("keys").get<std::vector<std::string>>();
      for (const auto& part : item.at("arrays").items())
        matrix.parts.emplace_back(part.key(), part.value().get<std::string>());
      matrices.attentions.push_back(std::move(matrix));
    }
    return matrices;
  } catch (const std::exception& e) {
    return dataError(Phrase::tr("the stored attention cannot be read: %1")(e.what()),
                     Phrase::tr("compute the analysis again"));
  }
}

AnalysisEntry attentionMapsEntry() {
  return {.id = "attention_maps",
          .title = "Attention itself",
          .reference = "RealFormer §3.2",
          .version = 2};  // one example alone
}

}  // namespace fathom
