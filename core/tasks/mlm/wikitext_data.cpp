// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/wikitext_files.h"

namespace fathom {

namespace {

std::optional<FoundDataSet> findMaskedText(const DataPlace& place) {
  auto found = findWikiText(place);
  if (found) found->options.update({{"mlm.documents", "wikitext"}, {"mlm.sentences", "full_stop"}});
  return found;
}

}  // namespace

DataSetKind wikitextDataEntry() {
  return {.id = "wikitext",
          .title = "WikiText",
          .task = "mlm",
          .preset = "mlm_quick",
          .source = wikiTextSource(),
          .find = findMaskedText};
}

}  // namespace fathom
