// SPDX-License-Identifier: Apache-2.0
#include "core/spider/judgement/reason_phrase.h"

namespace fathom {

ReasonPhrase ReasonPhrase::words(std::string verbatimText) {
  ReasonPhrase phrase;
  phrase.text = std::move(verbatimText);
  phrase.verbatim = true;
  return phrase;
}

ReasonPhrase ReasonPhrase::list(std::vector<ReasonPhrase> phrases, const char* between) {
  if (phrases.size() == 1) return std::move(phrases.front());
  // Verbatim with parts: only the parts are said in another language.
  ReasonPhrase phrase;
  phrase.verbatim = true;
  for (std::size_t i = 0; i < phrases.size(); ++i)
    phrase.text += (i > 0 ? between : "") + std::string("%") + std::to_string(i + 1);
  phrase.parts = std::move(phrases);
  return phrase;
}

std::string ReasonPhrase::english() const {
  if (parts.empty()) return text;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::size_t end = i + 1, number = 0;
    while (text[i] == '%' && end < text.size() && text[end] >= '0' && text[end] <= '9')
      number = 10 * number + static_cast<std::size_t>(text[end++] - '0');
    if (number == 0 || number > parts.size()) {
      out += text[i];
      continue;
    }
    out += parts[number - 1].english();
    i = end - 1;
  }
  return out;
}

}  // namespace fathom
