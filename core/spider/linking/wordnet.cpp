// SPDX-License-Identifier: Apache-2.0
#include "core/spider/linking/wordnet.h"

#include <algorithm>
#include <charconv>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json.h"
#include "core/base/text/lines_of.h"
#include "core/base/text/text_list.h"
#include "core/spider/linking/question_tokens.h"

namespace fathom {

namespace {

constexpr Phrase::Text kInstallAgain =
    Phrase::tr("install the package wordnet-base again, or choose spider.linking=stems");
constexpr Phrase::Text kKeptOfOthers = Phrase::tr("it was kept with another tables.json: train again");
constexpr std::size_t kMostBytes = std::size_t{256} << 20;  // the largest file has 15 MB
// The parts that lemmas are made of.
constexpr std::array<WordNet::Part, 2> kLemmaParts = {WordNet::Part::Noun, WordNet::Part::Verb};
constexpr std::array<const char*, WordNet::kParts> kPartNames = {"noun", "verb", "adj", "adv"};
// An ending and what takes its place (WordNet's morphology, in NLTK's order).
struct EndingRule {
  std::string_view old, fresh;
};
constexpr std::array<EndingRule, 9> kNounEndings = {{{"s", ""},
                                                     {"ses", "s"},
                                                     {"ves", "f"},
                                                     {"xes", "x"},
                                                     {"zes", "z"},
                                                     {"ches", "ch"},
                                                     {"shes", "sh"},
                                                     {"men", "man"},
                                                     {"ies", "y"}}};
constexpr std::array<EndingRule, 8> kVerbEndings = {
    {{"s", ""}, {"ies", "y"}, {"es", "e"}, {"es", ""}, {"ed", "e"}, {"ed", ""}, {"ing", "e"}, {"ing", ""}}};
constexpr std::array<EndingRule, 4> kAdjectiveEndings = {
    {{"er", ""}, {"est", ""}, {"er", "e"}, {"est", "e"}}};
constexpr const char* kKeptKind = "WordNet forms";
constexpr std::size_t kMaxKept = std::size_t{64} << 20;
constexpr std::size_t kMaxInflected = 64;  // bytes of a word that endings are taken from

template <std::size_t count>
void shorten(const std::vector<std::string>& forms, const std::array<EndingRule, count>& rules,
             std::vector<std::string>& out) {
  for (const auto& form : forms) {
    for (const auto& rule : rules) {
      if (!form.ends_with(rule.old)) continue;
      std::string shorter = form.substr(0, form.size() - rule.old.size()) + std::string(rule.fresh);
      if (std::find(out.begin(), out.end(), shorter) == out.end()) out.push_back(std::move(shorter));
    }
  }
}

std::vector<std::string> shortened(const std::vector<std::string>& forms, WordNet::Part part) {
  std::vector<std::string> out;
  if (part == WordNet::Part::Noun) shorten(forms, kNounEndings, out);
  if (part == WordNet::Part::Verb) shorten(forms, kVerbEndings, out);
  if (part == WordNet::Part::Adjective) shorten(forms, kAdjectiveEndings, out);
  return out;
}

std::string_view nextField(std::string_view& text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t end = std::min(text.find(' ', begin), text.size());
  const std::string_view field = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return field;
}

// -1: no number.
std::int64_t numberIn(std::string_view field, int base) {
  std::int64_t value = -1;
  const auto [end, code] = std::from_chars(field.data(), field.data() + field.size(), value, base);
  return code == std::errc() && end == field.data() + field.size() ? value : -1;
}

// Calls `take(line, number)` for every line; a false answer ends it.
template <typename Take>
Status eachLine(std::string_view text, const std::string& path, const Take& take) {
  LinesOf lines(text);
  for (std::string_view line; lines.next(line);) {
    if (line.empty() || line.front() == ' ') continue;  // the licence
    if (!take(line)) {
      return dataErrorAt(path, lines.number(), Phrase::tr("no line of WordNet: \"%1\"")(line.substr(0, 40)),
                         kInstallAgain);
    }
  }
  return {};
}

// "synset_count pointer_count [pointer...] sense_count tag_count offset..."
std::vector<std::uint64_t> synsetOffsets(std::string_view line) {
  std::vector<std::uint64_t> offsets;
  nextField(line);  // part of speech
  const std::int64_t synsets = numberIn(nextField(line), 10);
  std::int64_t pointers = numberIn(nextField(line), 10);
  for (; pointers > 0 && !line.empty(); --pointers) nextField(line);
  nextField(line);
  nextField(line);
  for (std::int64_t i = 0; i < synsets; ++i) {
    const std::int64_t offset = numberIn(nextField(line), 10);
    if (offset < 0) return {};
    offsets.push_back(static_cast<std::uint64_t>(offset));
  }
  return offsets;
}

}  // namespace

Status WordNet::Dictionary::readIndex(const std::string& path) {
  FATHOM_TRY(indexText, readFile(path, kMostBytes));
  lines.reserve(indexText.size() / 30);
  return eachLine(indexText, path, [this](std::string_view line) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos || synsetOffsets(line.substr(blank)).empty()) return false;
    lines.emplace(line.substr(0, blank), line.substr(blank));
    return true;
  });
}

Status WordNet::Dictionary::readExceptions(const std::string& path) {
  FATHOM_TRY(const std::string text, readFile(path, kMostBytes));
  return eachLine(text, path, [this](std::string_view line) {
    const std::string word(nextField(line));
    std::vector<std::string> forms;
    while (!line.empty()) {
      if (const auto form = nextField(line); !form.empty()) forms.emplace_back(form);
    }
    const bool sound = !forms.empty();
    exceptions[word] = std::move(forms);
    return sound;
  });
}

Result<std::vector<std::string>> WordNet::Dictionary::synset(std::uint64_t offset) const {
  const auto damaged = [&] {
    return dataErrorAt(dataPath, 0, Phrase::tr("no synset at byte %1")(offset), kInstallAgain);
  };
  if (offset >= dataText.size()) return damaged();
  std::string_view line;
  LinesOf(std::string_view(dataText).substr(offset)).next(line);
  if (numberIn(nextField(line), 10) != static_cast<std::int64_t>(offset)) return damaged();
  nextField(line);  // file number
  nextField(line);  // kind
  const std::int64_t count = numberIn(nextField(line), 16);
  if (count < 1) return damaged();
  std::vector<std::string> words;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::string_view word = nextField(line);
    if (word.empty()) return damaged();
    // An adjective may carry its place: "galore(ip)".
    words.push_back(unicodeLower(word.substr(0, word.find('('))));
    nextField(line);
  }
  return words;
}

Result<std::shared_ptr<const WordNet>> WordNet::read(const std::string& folder) {
  auto net = std::make_shared<WordNet>();
  for (std::size_t i = 0; i < kPartNames.size(); ++i) {
    Dictionary& part = net->m_parts[i];
    const std::string name = kPartNames[i];
    FATHOM_CHECK(part.readIndex(folder + "/index." + name));
    FATHOM_CHECK(part.readExceptions(folder + "/" + name + ".exc"));
    part.dataPath = folder + "/data." + name;
    FATHOM_TRY(part.dataText, readFile(part.dataPath, kMostBytes));
  }
  return std::shared_ptr<const WordNet>(std::move(net));
}

std::vector<std::string> WordNet::known(const std::vector<std::string>& forms, Part part) const {
  std::vector<std::string> out;
  for (const auto& form : forms) {
    if (dictionary(part).lines.contains(form) && std::find(out.begin(), out.end(), form) == out.end())
      out.push_back(form);
  }
  return out;
}

std::vector<std::string> WordNet::baseForms(std::string_view word, Part part) const {
  std::vector<std::string> forms = {std::string(word)};
  if (word.size() > kMaxInflected) return known(forms, part);
  const auto& exceptions = dictionary(part).exceptions;
  if (const auto found = exceptions.find(forms.front()); found != exceptions.end()) {
    forms.insert(forms.end(), found->second.begin(), found->second.end());
    return known(forms, part);
  }
  std::vector<std::string> next = shortened(forms, part);
  forms.insert(forms.end(), next.begin(), next.end());
  std::vector<std::string> out = known(forms, part);
  while (out.empty() && !next.empty()) {
    next = shortened(next, part);
    out = known(next, part);
  }
  return out;
}

std::string WordNet::lemma(std::string_view word, Part part) const {
  const auto forms = baseForms(word, part);
  const auto shortest = std::min_element(forms.begin(), forms.end(),
                                         [](const auto& a, const auto& b) { return a.size() < b.size(); });
  return shortest == forms.end() ? std::string() : *shortest;
}

Result<std::vector<std::string>> WordNet::synonyms(std::string_view word) const {
  if (!m_keptPath.empty()) {
    const auto kept = m_keptSynonyms.find(std::string(word));
    if (kept != m_keptSynonyms.end()) return kept->second;
    return dataErrorAt(m_keptPath, 0, Phrase::tr("no synonyms of \"%1\" were kept")(word), kKeptOfOthers);
  }
  std::vector<std::string> out;
  const std::string lower = unicodeLower(word);
  for (const Part part : {Part::Noun, Part::Verb, Part::Adjective, Part::Adverb}) {
    for (const auto& form : baseForms(lower, part)) {
      for (const auto offset : synsetOffsets(dictionary(part).lines.at(form))) {
        FATHOM_TRY(const auto words, dictionary(part).synset(offset));
        for (const auto& other : words) {
          if (std::find(out.begin(), out.end(), other) == out.end()) out.push_back(other);
        }
      }
    }
  }
  return out;
}

Result<std::string> WordNet::kept(const std::vector<std::string>& names) const {
  Json out = {{"format", 1}, {"kind", kKeptKind}, {"synonyms", Json::object()}};
  for (const Part part : kLemmaParts) {
    std::vector<std::string_view> words;
    for (const auto& [word, rest] : dictionary(part).lines) words.push_back(word);
    std::sort(words.begin(), words.end());
    Json& mine = out[kPartNames[static_cast<std::size_t>(part)]];
    mine["words"] = joined(words, "\n", [](std::string_view word) { return std::string(word); });
    mine["exceptions"] = Json(dictionary(part).exceptions);
  }
  for (const std::string& name : names) {
    FATHOM_TRY(out["synonyms"][name], synonyms(name));
  }
  return out.dump();
}

Result<std::shared_ptr<const WordNet>> WordNet::fromKept(std::string_view text, const std::string& path) {
  FATHOM_TRY(const Json json, parseJson(text, path, {.maxBytes = kMaxKept}));
  const auto damaged = [&path] {
    return dataErrorAt(path, 0, Phrase::tr("no forms of WordNet of format 1"), kKeptOfOthers);
  };
  if (!json.is_object() || json.value("kind", Json()) != kKeptKind || json.value("format", Json()) != 1)
    return damaged();
  auto net = std::make_shared<WordNet>();
  net->m_keptPath = path;
  try {
    for (const Part part : kLemmaParts) {
      const Json& kept = json.at(kPartNames[static_cast<std::size_t>(part)]);
      Dictionary& dictionary = net->m_parts[static_cast<std::size_t>(part)];
      dictionary.indexText = kept.at("words").get<std::string>();
      LinesOf words(dictionary.indexText);
      for (std::string_view word; words.next(word);)
        if (!word.empty()) dictionary.lines.emplace(word, std::string_view());
      dictionary.exceptions = kept.at("exceptions").get<decltype(dictionary.exceptions)>();
    }
    net->m_keptSynonyms = json.at("synonyms").get<decltype(net->m_keptSynonyms)>();
  } catch (const Json::exception&) {
    return damaged();
  }
  return std::shared_ptr<const WordNet>(std::move(net));
}

}  // namespace fathom
