// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/wikitext_files.h"

namespace fathom {

namespace {

std::optional<FoundDataSet> findCausalText(const DataPlace& place) {
  auto found = findWikiText(place);
  if (found) found->options["causal_lm.documents"] = "wikitext";
  return found;
}

}  // namespace

DataSetKind causalTextDataEntry() {
  return {.id = "causal_text",
          .title = "WikiText",
          .task = "causal_lm",
          .preset = "causal_lm_quick",
          .source = wikiTextSource(),
          .find = findCausalText};
}

}  // namespace fathom
