// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/sublayer_norms.h"

#include <exception>

namespace fathom {

Json sublayerNormsToJson(const std::vector<SublayerNorm>& norms) {
  Json list = Json::array();
  for (const SublayerNorm& norm : norms) {
    list.push_back({{"name", norm.name},
                    {"stack", norm.stack},
                    {"kind", norm.kind},
                    {"layer", norm.layer},
                    {"norm", jsonReal(norm.norm)},
                    {"relative", jsonReal(norm.relative)}});
  }
  return {{"quantity", "gradient_norm"}, {"sublayers", std::move(list)}};
}

Result<std::vector<SublayerNorm>> sublayerNormsFromJson(const Json& json) {
  try {
    std::vector<SublayerNorm> norms;
    for (const Json& item : json.at("sublayers")) {
      SublayerNorm norm;
      norm.name = item.at("name").get<std::string>();
      norm.stack = item.at("stack").get<std::string>();
      norm.kind = item.at("kind").get<std::string>();
      norm.layer = item.at("layer").get<int>();
      norm.norm = realFromJson(item.at("norm")).value();
      norm.relative = realFromJson(item.at("relative")).value();
      norms.push_back(std::move(norm));
    }
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
