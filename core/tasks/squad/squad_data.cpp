// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/json_data.h"

namespace fathom {

namespace {

// Questions without an answer came with version 2.0.
bool isSecondVersion(const std::string& file) {
  return DataPlace::beginning(file).find("\"is_impossible\"") != std::string::npos;
}

std::optional<FoundDataSet> findSquad(const DataPlace& place) {
  const JsonParts parts = jsonParts(place, {"data", "paragraphs", "context", "qas"});
  if (!parts.any()) return {};
  FoundDataSet found;
  takeJsonParts(parts, Phrase::tr("it is at https://rajpurkar.github.io/SQuAD-explorer"), found);
  found.options["squad.version"] =
      isSecondVersion(parts.train.empty() ? parts.validation : parts.train) ? "2.0" : "1.1";
  found.vocabulary = "text.vocabulary";
  return found;
}

}  // namespace

DataSetKind squadDataEntry() {
  return {.id = "squad",
          .title = "SQuAD",
          .task = "squad",
          .preset = "squad_quick",
          .source = Phrase::tr("SQuAD 1.1 and 2.0 are at https://rajpurkar.github.io/SQuAD-explorer."),
          .find = findSquad};
}

}  // namespace fathom
