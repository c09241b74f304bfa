// SPDX-License-Identifier: Apache-2.0
#include "core/base/json/json_text.h"

namespace fathom {

std::string jsonText(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace fathom
