// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace fathom {

// A sentence for people, kept in parts so that a window can say it in another language: an English text with
// %1, %2, … for its parts. Names, SQL and messages of parsers are verbatim: nobody translates them. A value.
struct ReasonPhrase {
  std::string text;
  std::vector<ReasonPhrase> parts;
  bool verbatim = false;

  ReasonPhrase() = default;
  ReasonPhrase(const char* english) : text(english) {}  // NOLINT(google-explicit-constructor)
  ReasonPhrase(const char* english, std::vector<ReasonPhrase> places)
      : text(english), parts(std::move(places)) {}
  static ReasonPhrase words(std::string verbatimText);
  static ReasonPhrase number(std::size_t value) { return words(std::to_string(value)); }
  // The phrases with `between` in between, each said by itself.
  static ReasonPhrase list(std::vector<ReasonPhrase> phrases, const char* between);

  std::string english() const;
  bool operator==(const ReasonPhrase&) const = default;
};

}  // namespace fathom
