// SPDX-License-Identifier: Apache-2.0
#include "core/base/options/named_files.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "core/base/errors/error_key.h"

namespace fathom {

namespace {

// "Training file" inside a sentence, behind another word than its article; a name such as SentencePiece stays
// as it is.
std::string insideSentence(std::string title) {
  constexpr std::string_view kArticle = "The ";
  if (title.starts_with(kArticle)) title.erase(0, kArticle.size());
  const auto capital = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
  const auto end = title.begin() + static_cast<std::ptrdiff_t>(std::min(title.find(' '), title.size()));
  if (title.empty() || std::count_if(title.begin(), end, capital) > 1) return title;
  title[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(title[0])));
  return title;
}

// An encoder's vocabulary lies beside its weights: where those are named, it is looked for there.
bool liesBesideWeights(const OptionValues& values, const std::string& key) {
  if (!key.ends_with(".vocabulary.file")) return false;
  return !namedWeights(values).empty();
}

}  // namespace

std::vector<std::string> weightsKeys(const OptionSchema& schema) {
  std::vector<std::string> keys;
  for (const OptionField& field : schema.fields())
    if (field.type == OptionType::Path && field.key.starts_with("model.") && field.key.ends_with(".weights"))
      keys.push_back(field.key);
  return keys;
}

std::string namedWeights(const OptionValues& values) {
  for (const std::string& key : weightsKeys(values.schema()))
    if (values.active(key) && !values.text(key).empty()) return values.text(key);
  return {};
}

Status checkFilesNamed(const OptionValues& values) {
  for (const OptionField& field : values.schema().fields()) {
    if (field.type != OptionType::Path || field.disablingValue || !values.active(field.key) ||
        !values.text(field.key).empty() || liesBesideWeights(values, field.key))
      continue;
    return aboutKey(field.key, dataError(Phrase::tr("no %1 is named")(insideSentence(field.title)),
                                         Phrase::tr("set %1 to a file")(field.key)));
  }
  return {};
}

}  // namespace fathom
