// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/json_data.h"

namespace fathom {

namespace {

std::optional<FoundDataSet> findWikiHop(const DataPlace& place) {
  const JsonParts parts = jsonParts(place, {"supports", "candidates", "query"});
  if (!parts.any()) return {};
  FoundDataSet found;
  takeJsonParts(parts, Phrase::tr("it is in QAngaroo's archive"), found);
  found.vocabulary = "text.vocabulary";
  return found;
}

}  // namespace

DataSetKind wikihopDataEntry() {
  return {.id = "wikihop",
          .title = "WikiHop",
          .task = "wikihop",
          .preset = "wikihop_etc_quick",
          .source = Phrase::tr("WikiHop (QAngaroo) is at https://qangaroo.cs.ucl.ac.uk."),
          .find = findWikiHop};
}

}  // namespace fathom
