// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/json_data.h"

#include <algorithm>
#include <array>
#include <vector>

namespace fathom {

namespace {

constexpr std::array<std::string_view, 1> kTrainWords = {"train"};
constexpr std::array<std::string_view, 3> kValidationWords = {"dev", "valid", "val"};
constexpr std::array<std::string_view, 1> kTestWords = {"test"};
constexpr std::string_view kJsonEnds[] = {".json", ".jsonl", ".json.gz", ".jsonl.gz", ".json.zst"};

// The name with its word taken out ("squad_-v1.1.json" of both parts), and which part it is of.
struct PartName {
  std::string rest;
  int part = -1;  // 0 train, 1 validation, 2 test
};

PartName partOf(const std::string& name) {
  const auto cut = [&name](const auto& words, int part) -> PartName {
    for (const std::string_view word : words)
      if (const std::size_t at = name.find(word); at != std::string::npos) {
        std::string rest = name;
        return {rest.erase(at, word.size()), part};
      }
    return {};
  };
  for (const PartName& found : {cut(kTrainWords, 0), cut(kValidationWords, 1), cut(kTestWords, 2)})
    if (found.part >= 0) return found;
  return {};
}

bool isJson(const std::string& name) {
  return std::any_of(std::begin(kJsonEnds), std::end(kJsonEnds),
                     [&name](std::string_view end) { return name.ends_with(end); });
}

// True if the file is JSON with all of these members at its beginning.
bool hasMembers(const std::string& file, std::initializer_list<std::string_view> members) {
  const std::string text = DataPlace::beginning(file);
  const std::size_t begin = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (begin == std::string::npos || (text[begin] != '[' && text[begin] != '{')) return false;
  return std::all_of(members.begin(), members.end(), [&text](std::string_view member) {
    return text.find('"' + std::string(member) + '"') != std::string::npos;
  });
}

}  // namespace

JsonParts jsonParts(const DataPlace& place, std::initializer_list<std::string_view> members) {
  constexpr std::size_t kMostLookedInto = 12;
  JsonParts parts;
  const PartName chosen = partOf(place.chosen());
  const std::string pointed = place.folder() + "/" + place.chosen();
  if (!place.chosen().empty()) {
    if (!isJson(place.chosen()) || !hasMembers(pointed, members)) return {};
    if (chosen.part < 0) return {.train = pointed};  // a file of any name is trained on
  }
  std::string* const files[] = {&parts.train, &parts.validation, &parts.test};
  std::size_t looked = 0;
  for (const std::string& name : place.names()) {
    if (!isJson(name)) continue;
    const PartName part = partOf(name);
    if (part.part < 0 || !files[part.part]->empty()) continue;
    if (chosen.part >= 0 && part.rest != chosen.rest) continue;
    if (++looked > kMostLookedInto) break;
    const std::string file = place.folder() + "/" + name;
    if (hasMembers(file, members)) *files[part.part] = file;
  }
  // The one that was pointed at, of several files of one part.
  if (chosen.part >= 0) *files[chosen.part] = pointed;
  return parts;
}

void takeJsonParts(const JsonParts& parts, const Phrase& get, FoundDataSet& found) {
  found.take("data.train", parts.train, {{}, Phrase::tr("The training file"), get});
  found.take("data.validation", parts.validation,
             {{}, Phrase::tr("The validation file: a part of the training file is kept apart"), get, false});
  found.take("data.test", parts.test);
}

}  // namespace fathom
