// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/json_data.h"

namespace fathom {

namespace {

std::optional<FoundDataSet> findHotpot(const DataPlace& place) {
  const JsonParts parts = jsonParts(place, {"supporting_facts", "context", "question"});
  if (!parts.any()) return {};
  FoundDataSet found;
  takeJsonParts(parts, Phrase::tr("it is at https://hotpotqa.github.io"), found);
  found.vocabulary = "text.vocabulary";
  return found;
}

}  // namespace

DataSetKind hotpotqaDataEntry() {
  return {.id = "hotpotqa",
          .title = "HotpotQA",
          .task = "hotpotqa",
          .preset = "hotpotqa_etc_quick",
          .source = Phrase::tr("HotpotQA is at https://hotpotqa.github.io."),
          .find = findHotpot};
}

}  // namespace fathom
