// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "core/base/options/entry_table.h"
#include "core/base/text/lines_of.h"
#include "core/tasks/data_set.h"

namespace fathom {

namespace {

constexpr std::size_t kLinesLookedAt = 50;

// Tatoeba names languages in three letters, papers in two.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kLanguages = {{{"eng", "en"},
                                                                                       {"deu", "de"},
                                                                                       {"fra", "fr"},
                                                                                       {"spa", "es"},
                                                                                       {"ita", "it"},
                                                                                       {"por", "pt"},
                                                                                       {"nld", "nl"},
                                                                                       {"rus", "ru"},
                                                                                       {"cmn", "zh"},
                                                                                       {"jpn", "ja"},
                                                                                       {"tur", "tr"},
                                                                                       {"pol", "pl"}}};

std::string languageOf(std::string_view code) {
  for (const auto& [three, two] : kLanguages)
    if (three == code) return std::string(two);
  return {};
}

bool hasLetters(std::string_view cell) {
  return std::any_of(cell.begin(), cell.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || std::isalpha(byte) != 0;
  });
}

bool isNumber(std::string_view cell) {
  return !cell.empty() && std::all_of(cell.begin(), cell.end(), [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-';
  });
}

struct PairTable {
  bool pairs = false, heading = false;
};

// Two columns of words, as manythings.org packs Tatoeba's pairs (a third one says whose they are).
PairTable lookAtPairs(const std::string& file) {
  const std::string text = DataPlace::beginning(file);
  PairTable table;
  std::string_view rest = text, line;
  std::size_t lines = 0;
  for (; lines < kLinesLookedAt && takeWholeLine(rest, line); ++lines) {
    const std::size_t first = line.find('\t');
    if (first == std::string_view::npos) return {};
    const std::size_t second = line.find('\t', first + 1);
    const std::string_view left = line.substr(0, first);
    std::string_view right =
        line.substr(first + 1, second == std::string_view::npos ? second : second - first - 1);
    if (right.ends_with('\r')) right.remove_suffix(1);
    if (second != std::string_view::npos && line.find("CC-BY", second) == std::string_view::npos) return {};
    if (lines == 0 && isNumber(left) && isNumber(right)) {
      table.heading = true;
    } else if (!hasLetters(left) || !hasLetters(right)) {
      return {};
    }
  }
  table.pairs = lines > 1;
  return table;
}

// "deu-eng.tsv.gz", "deu.txt": the languages that the name tells, English first in the table.
std::pair<std::string, std::string> languagesOf(const std::string& name) {
  const std::string other = languageOf(name.substr(0, 3));
  const bool both = name.size() > 7 && name[3] == '-' && !languageOf(name.substr(4, 3)).empty();
  const bool single = name.size() > 3 && name[3] == '.';
  if (other.empty() || (!both && !single)) return {};
  const std::string second = both ? languageOf(name.substr(4, 3)) : "en";
  return other == "en" ? std::pair(second, other) : std::pair(other, second);
}

std::optional<FoundDataSet> findSentencePairs(const DataPlace& place) {
  for (const std::string& name : place.names()) {
    if (!place.chosen().empty() && name != place.chosen()) continue;
    const bool table = name.find(".tsv") != std::string::npos || name.find(".txt") != std::string::npos;
    const auto [source, target] = languagesOf(name);
    // In a folder the name must say it: many programs write tables.
    if (!table || (place.chosen().empty() && source.empty())) continue;
    const std::string file = place.folder() + "/" + name;
    const PairTable found = lookAtPairs(file);
    if (!found.pairs) continue;
    FoundDataSet set;
    set.take("data.train", file);
    set.options.update({{"data.format", "tsv"},
                        {"data.header", found.heading},
                        {"data.source_column", source.empty() ? 1 : 2},
                        {"data.target_column", source.empty() ? 2 : 1},
                        {"data.source_language", source},
                        {"data.target_language", target}});
    return set;
  }
  return {};
}

}  // namespace

DataSetKind sentencePairsDataEntry() {
  return {.id = "sentence_pairs",
          .title = "Tatoeba",
          .task = "nmt",
          .preset = "nmt_quick",
          .source = Phrase::tr("Sentence pairs of Tatoeba are at https://www.manythings.org/anki."),
          .find = findSentencePairs};
}

}  // namespace fathom
