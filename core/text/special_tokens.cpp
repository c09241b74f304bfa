// SPDX-License-Identifier: Apache-2.0
#include "core/text/special_tokens.h"

#include "core/base/text/utf8.h"

namespace fathom {

void splitAtSpecialTokens(std::string_view text, const std::vector<SpecialToken>& special,
                          const std::function<void(const TextPart&)>& sink) {
  const auto part = [&](std::size_t begin, std::size_t end, std::int64_t id) {
    if (end > begin)
      sink({text.substr(begin, end - begin),
            id,
            {static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end)}});
  };
  std::size_t done = 0;
  for (std::size_t at = 0; at < text.size();) {
    const SpecialToken* found = nullptr;
    for (const SpecialToken& token : special)
      if (text.substr(at).starts_with(token.text) &&
          (found == nullptr || token.text.size() > found->text.size()))
        found = &token;
    if (found == nullptr) {
      ++at;
      continue;
    }
    const std::size_t end = at + found->text.size();
    const std::size_t begin =
        found->takesSpaceBefore ? done + stripRight(text.substr(done, at - done)).size() : at;
    part(done, begin, -1);
    part(begin, end, found->id);
    at = done = end;
  }
  part(done, text.size(), -1);
}

EncodedText encodeAround(
    std::string_view text, const std::vector<SpecialToken>& special,
    const std::function<void(std::string_view, std::int64_t, EncodedText&)>& encodePart) {
  EncodedText encoded;
  splitAtSpecialTokens(text, special, [&](const TextPart& part) {
    if (part.id >= 0)
      encoded.add(part.id, part.range);
    else
      encodePart(part.text, part.range.begin, encoded);
  });
  return encoded;
}

}  // namespace fathom
