// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/attention/attention_maps.h"

#include "core/analysis/analysis_entry.h"
#include "core/base/json/json_fields.h"

namespace fathom {

std::string AttentionMatrix::file(const std::string& part) const {
  for (const auto& [name, file] : parts)
    if (name == part) return file;
  return {};
}

template <typename Io>
void jsonMembers(Io& io, AttentionMatrix::Group& group) {
  io("sort", group.sort)("first", group.first)("count", group.count);
}

template <typename Io>
void jsonMembers(Io& io, AttentionMatrix& matrix) {
  io("stack", matrix.stack)("kind", matrix.kind)("layers", matrix.layers)("heads", matrix.heads);
  io("queries", matrix.queries)("keys", matrix.keys)("groups", matrix.groups);
  io("linked", matrix.linked)("arrays", matrix.parts);
}

template <typename Io>
void jsonMembers(Io& io, AttentionMatrices& matrices) {
  io.derived("quantity", std::string("attention_maps"));
  io("example", matrices.example)("attentions", matrices.attentions);
}

Json attentionMatricesToJson(const AttentionMatrices& matrices) {
  return jsonOf(matrices);
}

Result<AttentionMatrices> attentionMatricesFromJson(const Json& json) {
  return storedFromJson<AttentionMatrices>(json, Phrase::tr("the stored attention cannot be read: %1"),
                                           Phrase::tr("compute the analysis again"));
}

AnalysisEntry attentionMapsEntry() {
  return {.id = "attention_maps",
          .title = "Attention itself",
          .reference = "RealFormer §3.2",
          .version = 2};  // one example alone
}

}  // namespace fathom
