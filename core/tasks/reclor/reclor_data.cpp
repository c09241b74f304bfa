// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/json_data.h"

namespace fathom {

namespace {

std::optional<FoundDataSet> findReclor(const DataPlace& place) {
  const JsonParts parts = jsonParts(place, {"id_string", "answers", "question", "context"});
  if (!parts.any()) return {};
  FoundDataSet found;
  takeJsonParts(parts, Phrase::tr("it is at https://whyu.me/reclor"), found);
  found.vocabulary = "text.vocabulary";
  return found;
}

}  // namespace

DataSetKind reclorDataEntry() {
  return {.id = "reclor",
          .title = "ReClor",
          .task = "reclor",
          .preset = "reclor_quick",
          .source = Phrase::tr("ReClor (Yu et al. 2020) is at https://whyu.me/reclor."),
          .find = findReclor};
}

}  // namespace fathom
