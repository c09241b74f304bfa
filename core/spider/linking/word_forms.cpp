// SPDX-License-Identifier: Apache-2.0
#include "core/spider/linking/word_forms.h"

#include <libstemmer.h>

#include <unordered_map>
#include <utility>

namespace fathom {

namespace {

constexpr std::size_t kRememberedWords = 500'000;
constexpr std::size_t kMaxStemmed = 200;  // bytes; longer words are no words

}  // namespace

WordForm wordnetForm(std::shared_ptr<const WordNet> net) {
  return [net = std::move(net)](std::string_view word) -> std::string {
    const std::string lower = unicodeLower(word);
    if (lower == "ids") return "id";
    for (const auto part : {WordNet::Part::Noun, WordNet::Part::Verb}) {
      if (std::string lemma = net->lemma(lower, part); !lemma.empty()) return lemma;
    }
    return lower;
  };
}

Result<WordForm> stemForm() {
  const std::shared_ptr<sb_stemmer> stemmer(sb_stemmer_new("english", "UTF_8"), sb_stemmer_delete);
  if (!stemmer)
    return unavailableError(Phrase::tr("Snowball has no English stemmer"),
                            Phrase::tr("install libstemmer again"));
  return WordForm([stemmer](std::string_view word) -> std::string {
    std::string lower = unicodeLower(word);
    if (lower.size() > kMaxStemmed) return lower;
    const auto* stem = sb_stemmer_stem(stemmer.get(), reinterpret_cast<const sb_symbol*>(lower.data()),
                                       static_cast<int>(lower.size()));
    if (!stem) return lower;
    return {reinterpret_cast<const char*>(stem), static_cast<std::size_t>(sb_stemmer_length(stemmer.get()))};
  });
}

WordForm rememberedForm(WordForm form) {
  auto known = std::make_shared<std::unordered_map<std::string, std::string>>();
  return [form = std::move(form), known](std::string_view word) -> std::string {
    std::string key(word);
    if (const auto found = known->find(key); found != known->end()) return found->second;
    if (known->size() >= kRememberedWords) known->clear();
    return known->emplace(std::move(key), form(word)).first->second;
  };
}

}  // namespace fathom
