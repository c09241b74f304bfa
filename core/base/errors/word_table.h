// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/errors/error.h"

namespace fathom {

// The word of a value of an enumeration in files, options and on the command line, and its title in a form.
// An enumeration that has words has one such table, in the order of menus:
//
//   constexpr EnumWord<CurveAxis> kCurveAxes[] = {{CurveAxis::Step, "step", "updates"}, …};
template <typename Enum>
struct EnumWord {
  Enum value;
  const char* word;
  const char* title = "";
};

template <typename Enum, std::size_t N>
constexpr const char* wordOf(const EnumWord<Enum> (&table)[N], Enum value) {
  for (const EnumWord<Enum>& each : table)
    if (each.value == value) return each.word;
  return "?";
}

template <typename Enum, std::size_t N>
constexpr std::optional<Enum> findWord(const EnumWord<Enum> (&table)[N], std::string_view word) {
  for (const EnumWord<Enum>& each : table)
    if (word == each.word) return each.value;
  return std::nullopt;
}

// Value of a word that was checked before, as an option's is: another one is an internal error.
template <typename Enum, std::size_t N>
Enum valueOf(const EnumWord<Enum> (&table)[N], std::string_view word) {
  if (const std::optional<Enum> value = findWord(table, word)) return *value;
  throw Failure(internalError("unknown word '" + std::string(word) + "'"));
}

}  // namespace fathom
