// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json/json.h"

namespace fathom {

// JSON checked and built in one pass. It only says yes where Json::parse would give the same value and the
// limits hold; at anything else, rare but right things included (integers over 64 bits), it says no without a
// reason, and parseJson asks the slower reader that names place and cause.
class JsonBuilder {
 public:
  static constexpr std::size_t kMaxDepth = 256;  // it recurses
  static constexpr std::size_t kOwnMemory = 3;   // weight of a value that has some (JsonLimits::maxWeight)

  // `text` is borrowed.
  JsonBuilder(std::string_view text, const JsonLimits& limits) : m_text(text), m_limits(limits) {}

  bool document(Json& root);
  // Elements of an array one by one: nextElement checks one and gives its bytes, buildElement makes it.
  bool beginArray();
  bool nextElement(std::string_view& element);  // false: fault, or the end, then atEnd()
  bool buildElement(std::string_view element, Json& out);
  bool atEnd() const { return m_ended; }

 private:
  template <bool kBuild>
  bool value(std::size_t depth);
  template <bool kBuild>
  bool array(std::size_t depth);
  template <bool kBuild>
  bool object(std::size_t depth);
  template <bool kBuild>
  bool number();
  template <bool kBuild>
  bool string();
  bool literal(std::string_view word);
  // Reads a string from the quote on; `plain` is its text when it has no escapes, else `decoded` is.
  bool scanString(std::string_view& plain, std::string& decoded);
  bool wideCharacter();
  bool escape(std::string& out);
  bool hexCode(unsigned& code);
  bool newKeys(std::size_t first) const;
  void skipSpace();
  bool digits();
  char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }

  std::string_view m_text;
  JsonLimits m_limits;
  std::size_t m_at = 0, m_weight = 0;
  bool m_ended = false, m_first = true;
  std::vector<Json> m_values;             // finished ones of the open arrays and objects
  std::vector<std::string_view> m_keys;   // of the open objects
  std::deque<std::string> m_decodedKeys;  // those with escapes, for the views of m_keys
};

}  // namespace fathom
