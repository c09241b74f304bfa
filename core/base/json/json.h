// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/errors/result.h"

namespace fathom {

// Insertion order is kept: files people read stay in the order we wrote them.
using Json = nlohmann::ordered_json;

struct JsonLimits {
  std::size_t maxDepth = 64;
  std::size_t maxBytes = std::size_t{256} << 20;
  bool allowDuplicateKeys = false;
  // Of the tree, so that a few bytes a value do not ask for gigabytes: a number, true, false, null weigh 1,
  // values with memory of their own (texts, keys, arrays, objects) 3.
  std::size_t maxWeight = std::size_t{32} << 20;
};

// Foreign JSON passes a SAX reader (depth, size, duplicate keys, UTF-8) before any DOM exists. Errors name
// `file` and the line of the offending byte.
Result<Json> parseJson(std::string_view text, const std::string& file = {}, const JsonLimits& limits = {});
Result<Json> readJsonFile(const std::string& path, const JsonLimits& limits = {});

// The shortest form that reads back to the same value; non-finite values as "NaN", "Infinity", "-Infinity".
std::string jsonNumber(double value);
Json jsonReal(double value);
// The reverse: a number, or one of the three strings.
Result<double> realFromJson(const Json& value);

}  // namespace fathom
