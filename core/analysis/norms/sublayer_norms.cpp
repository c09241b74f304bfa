// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/norms/sublayer_norms.h"

#include <exception>

#include "core/base/json/json_fields.h"

namespace fathom {

template <typename Io>
void jsonMembers(Io& io, SublayerNorm& norm) {
  io("name", norm.name)("stack", norm.stack)("kind", norm.kind)("layer", norm.layer);
  io("norm", norm.norm)("relative", norm.relative);
}

Json sublayerNormsToJson(const std::vector<SublayerNorm>& norms) {
  return {{"quantity", "gradient_norm"}, {"sublayers", jsonOf(norms)}};
}

Result<std::vector<SublayerNorm>> sublayerNormsFromJson(const Json& json) {
  try {
    std::vector<SublayerNorm> norms;
    readJson(json.at("sublayers"), norms);
    return norms;
  } catch (const std::exception& e) {
    return dataError(Phrase::tr("the stored gradient norms cannot be read: %1")(e.what()),
                     Phrase::tr("compute the analysis again"));
  }
}

Result<std::vector<LayerValue>> gradientLayers(const Json& result, bool) {
  FATHOM_TRY(const std::vector<SublayerNorm> norms, sublayerNormsFromJson(result));
  std::vector<LayerValue> values;
  for (const SublayerNorm& norm : norms)
    values.push_back({norm.stack + "." + norm.kind, norm.layer, norm.relative});
  return values;
}

}  // namespace fathom
