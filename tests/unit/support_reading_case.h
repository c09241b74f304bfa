// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/tasks/text_encoding.h"
#include "tests/unit/support_golden_case.h"

// What cases of reading tasks have in common: their vocabularies, and rows of pieces.
namespace fathom::golden {

inline std::string lines(const Json& vocabulary) {
  std::string text;
  for (const Json& token : vocabulary) text += token.get<std::string>() + "\n";
  return text;
}

inline TextEncoding wordPieces(const Json& vocabulary) {
  return TextEncoding::ofWordPieces(lines(vocabulary), "vocab.txt", true).value();
}

// Another folder of fixtures need not have all of them.
inline constexpr const char* kAbsentCase = "this folder of fixtures has no such case";

inline std::optional<Case> caseNamed(const std::vector<Case>& all, const std::string& name) {
  for (const Case& one : all)
    if (one.name.ends_with("/" + name)) return one;
  return {};
}

// "" or how the row differs from ids, types (may be absent) and mask.
inline std::string differs(const TextRow& row, const Json& expected, std::int64_t pad) {
  const auto ids = expected.at("ids").get<std::vector<std::int64_t>>();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool real = i < row.ids.size();
    const std::int64_t own = real ? row.ids[i] : pad;
    const std::string at = " at " + std::to_string(i);
    if (own != ids[i]) return "id " + std::to_string(own) + " for " + std::to_string(ids[i]) + at;
    if (expected.contains("mask") && expected["mask"][i].get<int>() != (real ? 1 : 0)) return "mask" + at;
    const int type = real && i >= static_cast<std::size_t>(row.second) ? 1 : 0;
    if (expected.contains("types") && expected["types"][i].get<int>() != type) return "type" + at;
  }
  return row.ids.size() <= ids.size() ? "" : "too long";
}

inline bool near(double own, double expected, double abs, double rel) {
  if (std::isnan(expected)) return std::isnan(own);
  return std::abs(own - expected) <= abs + rel * std::abs(expected);
}

inline double orNan(std::optional<double> value) {
  return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace fathom::golden
