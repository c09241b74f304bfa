// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json/json.h"

namespace fathom {

// The elements of a JSON array for which `wanted`, given their text, says yes. All are checked as parseJson
// checks them; building the others, which takes most of the time, is left out. A root that is no array is a
// data error.
Result<std::vector<Json>> parseJsonArray(std::string_view text, const std::string& file,
                                         const std::function<bool(std::string_view element)>& wanted);

}  // namespace fathom
