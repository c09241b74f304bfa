// SPDX-License-Identifier: Apache-2.0
#include "core/base/errors/phrase.h"

#include <cstddef>

namespace fathom {

Phrase Phrase::known(std::string english) {
  Phrase phrase(std::move(english));
  phrase.verbatim = false;
  return phrase;
}

Phrase Phrase::list(std::vector<Phrase> phrases, const std::string& between) {
  if (phrases.size() == 1) return std::move(phrases.front());
  // Verbatim with parts: only the parts are said in another language.
  Phrase phrase;
  for (std::size_t i = 0; i < phrases.size(); ++i)
    phrase.text += (i > 0 ? between : "") + "%" + std::to_string(i + 1);
  phrase.parts = std::move(phrases);
  return phrase;
}

void Phrase::append(Phrase more, const std::string& between) {
  if (empty()) return void(*this = std::move(more));
  if (!verbatim || parts.empty()) *this = list({*this, Phrase()}, ""), parts.pop_back(), text = "%1";
  parts.push_back(std::move(more));
  text += between + "%" + std::to_string(parts.size());
}

std::string Phrase::english() const {
  return said([](const std::string& english) { return english; });
}

std::string Phrase::said(const std::function<std::string(const std::string&)>& translate) const {
  const std::string whole = verbatim || text.empty() ? text : translate(text);
  if (parts.empty()) return whole;
  std::string out;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::size_t end = i + 1, number = 0;
    while (whole[i] == '%' && end < whole.size() && whole[end] >= '0' && whole[end] <= '9')
      number = 10 * number + static_cast<std::size_t>(whole[end++] - '0');
    if (number == 0 || number > parts.size()) {
      out += whole[i];
      continue;
    }
    out += parts[number - 1].said(translate);
    i = end - 1;
  }
  return out;
}

}  // namespace fathom
