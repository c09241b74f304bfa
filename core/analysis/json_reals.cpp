// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/json_reals.h"

#include "core/base/result.h"

namespace fathom {

Json realsToJson(std::span<const double> values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(jsonReal(value));
  return list;
}

std::vector<double> realsFromJson(const Json& list) {
  if (!list.is_array()) throw Failure(dataError(Phrase::tr("expected an array of numbers")));
  std::vector<double> values;
  values.reserve(list.size());
  for (const Json& item : list) values.push_back(realFromJson(item).value());
  return values;
}

}  // namespace fathom
