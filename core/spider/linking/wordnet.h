// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// The files of WordNet 3.0 as Debian's wordnet-base installs them: index.*, data.*, *.exc. Immutable once
// read; any number of threads may ask.
class WordNet {
 public:
  enum class Part : std::uint8_t { Noun, Verb, Adjective, Adverb };
  static constexpr int kParts = 4;

  // Errors: Unavailable where a file is missing; Data naming file and line.
  static Result<std::shared_ptr<const WordNet>> read(const std::string& folder);

  // Forms of the dictionary that `word` may be an inflection of, as NLTK's morphy gives them: the list of
  // exceptions, or the word and what the rules of endings make of it, again and again until something is
  // known. Case counts.
  std::vector<std::string> baseForms(std::string_view word, Part part) const;
  // The shortest of them; empty when there is none.
  std::string lemma(std::string_view word, Part part) const;
  // Words of all synsets of a word (blanks within them are _), in lower case, each once. Error: a damaged
  // line.
  Result<std::vector<std::string>> synonyms(std::string_view word) const;

  // The part that links need, as a text (docs/schema_linking.md §7): nouns and verbs with their exceptions,
  // which lemmas are made of, and the synonyms of `names`. Error: a damaged line.
  Result<std::string> kept(const std::vector<std::string>& names) const;
  // Such a text instead of the files: lemma() answers the same, synonyms() about those names; data error for
  // another one. `path` is for errors.
  static Result<std::shared_ptr<const WordNet>> fromKept(std::string_view text, const std::string& path);

 private:
  struct Dictionary {
    std::string indexText, dataText, dataPath;
    std::unordered_map<std::string_view, std::string_view>
        lines;  // word -> the rest of its line of the index
    std::unordered_map<std::string, std::vector<std::string>> exceptions;
    Status readIndex(const std::string& path);
    Status readExceptions(const std::string& path);
    Result<std::vector<std::string>> synset(std::uint64_t offset) const;
  };
  const Dictionary& dictionary(Part part) const { return m_parts[static_cast<std::size_t>(part)]; }
  std::vector<std::string> known(const std::vector<std::string>& forms, Part part) const;
  std::array<Dictionary, kParts> m_parts;
  std::string m_keptPath;  // of fromKept()
  std::unordered_map<std::string, std::vector<std::string>> m_keptSynonyms;
};

}  // namespace fathom
