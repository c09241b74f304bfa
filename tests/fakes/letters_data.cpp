// SPDX-License-Identifier: Apache-2.0
// A kind of data set that a test adds: the folder of a file letters.txt.
#include "core/tasks/data_set.h"

namespace fathom {

DataSetKind lettersDataEntry() {
  return {.id = "letters",
          .title = "Letters",
          .task = "nmt",
          .preset = "nmt_quick",
          .source = Phrase::words("Anybody makes them."),
          .find = [](const DataPlace& place) -> std::optional<FoundDataSet> {
            const std::string file = place.file({"letters.txt"});
            if (file.empty()) return {};
            FoundDataSet found;
            found.take("data.train", file);
            return found;
          }};
}

}  // namespace fathom
