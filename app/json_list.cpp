// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/json_list.h"

#include <string_view>
#include <utility>

#include "core/base/text/lines_of.h"

namespace fathom {

namespace {

std::string dumpedList(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

JsonListText::JsonListText(const Json& head, const std::string& list) : m_text(dumpedList(head)) {
  m_text.resize(m_text.size() - std::string_view("\n}").size());
  m_text += ",\n  " + dumpedList(list) + ": [";
}

// Line breaks inside of texts are escaped: every other one begins a line that stands four further in.
void JsonListText::add(const Json& element) {
  constexpr std::string_view kIndent = "\n    ";
  if (!std::exchange(m_empty, false)) m_text += ',';
  m_text += kIndent;
  const std::string text = dumpedList(element);
  std::string_view between;
  LinesOf lines(text);
  for (std::string_view line; lines.next(line);) {
    m_text += std::exchange(between, kIndent);
    m_text += line;
  }
}

std::string JsonListText::finished() {
  m_text += m_empty ? "]\n}" : "\n  ]\n}";
  return std::move(m_text);
}

}  // namespace fathom
