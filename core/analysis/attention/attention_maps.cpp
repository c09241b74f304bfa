// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/attention/attention_maps.h"

#include <algorithm>

#include "core/analysis/analysis_entry.h"
#include "core/base/json/json_fields.h"

namespace fathom {

std::string AttentionMatrix::file(const std::string& part) const {
  for (const auto& [name, file] : parts)
    if (name == part) return file;
  return {};
}

int AttentionMatrix::keptPlace(int layer) const {
  if (!kept) return layer >= 0 && layer < layers ? layer : -1;
  const auto found = std::find(kept->begin(), kept->end(), layer);
  return found == kept->end() ? -1 : static_cast<int>(found - kept->begin());
}

template <typename Io>
void jsonMembers(Io& io, AttentionMatrix::Group& group) {
  io("sort", group.sort)("first", group.first)("count", group.count);
}

template <typename Io>
void jsonMembers(Io& io, AttentionBand& band) {
  io("radius", band.radius)("globals", band.globals);
}

template <typename Io>
void jsonMembers(Io& io, LongPlaces& places) {
  io("sentence", places.sentence)("paragraph", places.paragraph);
}

template <typename Io>
void jsonMembers(Io& io, AttentionMatrix& matrix) {
  io("stack", matrix.stack)("kind", matrix.kind)("layers", matrix.layers)("heads", matrix.heads);
  io("queries", matrix.queries)("keys", matrix.keys)("groups", matrix.groups);
  io("linked", matrix.linked)("band", matrix.band)("kept", matrix.kept)("arrays", matrix.parts);
}

template <typename Io>
void jsonMembers(Io& io, AttentionMatrices& matrices) {
  io.derived("quantity", std::string("attention_maps"));
  io("example", matrices.example)("attentions", matrices.attentions)("places", matrices.places);
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
