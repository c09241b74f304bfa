// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/spider/official/spider_exact_match.h"

namespace fathom {

// Keys of the select items for the old execution rule (docs/spider_evaluation.md §8): the value unit after
// normalisation, without the outer aggregate. A query that the official parser refuses has none.
std::vector<std::string> executionKeys(const SqlQuery& normalised);

}  // namespace fathom
