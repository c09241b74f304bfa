// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "core/tasks/data_set.h"

namespace fathom {

// The parts of a data set whose files are JSON alike.
struct JsonParts {
  std::string train, validation, test;
  bool any() const { return !train.empty() || !validation.empty() || !test.empty(); }
};

// Parts by the words in the names of files ("train", "dev" or "val", "test"), of those alone whose beginning
// has all `members` (names in quotes). Where a file is pointed at that is one of them, it is one of the
// parts, and its neighbours are those whose names differ from its own in that word; none where it is not.
JsonParts jsonParts(const DataPlace& place, std::initializer_list<std::string_view> members);

// Names the parts that are there and says which of the first two is missing. `get`: where to get it.
void takeJsonParts(const JsonParts& parts, const Phrase& get, FoundDataSet& found);

}  // namespace fathom
