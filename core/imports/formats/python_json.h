// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/json/json.h"

namespace fathom {

// JSON as Python's json module writes it: NaN, Infinity and -Infinity may stand bare in it. They become the
// words that realFromJson reads.
Result<Json> parsePythonJson(std::string_view text, const std::string& file = {},
                             const JsonLimits& limits = {});
// The number that a whole text of JSON is, without what stands around one being looked for; none where it is
// something else, or out of range.
std::optional<double> jsonNumber(std::string_view text);
// A number, or one of the three words; truth values and other texts are none.
std::optional<double> jsonReading(const Json& value);
// Calls `take` with every leaf of nested objects, names joined by '.'; lists are leaves. No deeper than 16.
void eachLeaf(const Json& value, const std::string& name,
              const std::function<void(const std::string& name, const Json& leaf)>& take, int depth = 0);

}  // namespace fathom
