// SPDX-License-Identifier: Apache-2.0
#include "core/text/added_tokens.h"

#include "core/text/text_cutters.h"

namespace fathom {

Json addedTokenToJson(const AddedToken& token) {
  return {{"id", token.id},          {"content", token.content}, {"single_word", token.singleWord},
          {"lstrip", token.left},    {"rstrip", token.right},    {"normalized", token.normalized},
          {"special", token.special}};
}

AddedToken addedTokenFromJson(const Json& json, const SettingsReader& from, const std::string& key,
                              std::int64_t id, bool normalized, bool special) {
  AddedToken token;
  token.id = id;
  token.normalized = normalized;
  token.special = special;
  if (json.is_string()) {
    token.content = json.get<std::string>();
    return token;
  }
  if (!json.is_object()) from.wrong(key, Phrase::tr("must be a text or an object"));
  std::vector<std::string> others;
  SettingsReader members(json, from.file(), from.path(key), others);
  token.content = members.text("content", "");
  token.id = members.integer("id", id);
  token.singleWord = members.flag("single_word", false);
  token.left = members.flag("lstrip", false);
  token.right = members.flag("rstrip", false);
  token.special = members.flag("special", special);
  token.normalized = members.flag("normalized", normalized);
  if (token.content.empty()) members.wrong("content", Phrase::tr("must be a text"));
  return token;
}

void AddedTokenFinder::add(const AddedToken& token, const TextCharacters& content) {
  std::u32string codes;
  for (const TextCharacter& one : content) codes.push_back(one.code);
  if (!codes.empty()) m_tokens.push_back({token, std::move(codes)});
}

const AddedTokenFinder::Wanted* AddedTokenFinder::at(const TextCharacters& text, std::size_t place) const {
  const Wanted* longest = nullptr;
  for (const Wanted& wanted : m_tokens) {
    const std::size_t size = wanted.content.size();
    if (size > text.size() - place || (longest != nullptr && size <= longest->content.size())) continue;
    std::size_t same = 0;
    while (same < size && text[place + same].code == wanted.content[same]) ++same;
    if (same == size) longest = &wanted;
  }
  return longest;
}

std::vector<AddedStretch> AddedTokenFinder::find(const TextCharacters& text) const {
  std::vector<AddedStretch> stretches;
  std::size_t done = 0;
  for (std::size_t place = 0; place < text.size();) {
    const Wanted* found = at(text, place);
    if (found == nullptr) {
      ++place;
      continue;
    }
    std::size_t begin = place, end = place + found->content.size();
    place = end;
    const AddedToken& token = found->token;
    const bool inWord = (begin > 0 && isWordCharacter(text[begin - 1].code)) ||
                        (end < text.size() && isWordCharacter(text[end].code));
    if (token.singleWord && inWord) continue;
    while (token.left && begin > done && isRustSpace(text[begin - 1].code)) --begin;
    while (token.right && end < text.size() && isRustSpace(text[end].code)) ++end;
    if (begin < done) begin = done;
    if (begin > done) stretches.push_back({done, begin, -1});
    stretches.push_back({begin, end, token.id});
    done = end;
    place = std::max(place, end);
  }
  if (done < text.size()) stretches.push_back({done, text.size(), -1});
  return stretches;
}

}  // namespace fathom
