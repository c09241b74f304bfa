// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/options/option_field.h"

namespace fathom {

// Of a task whose rows go through BERT's position table and have at most as many tokens as option `lengthKey`
// says: a table that is too short is refused, whichever row it begins with (model.bert.positions).
std::vector<OptionRule> positionTableRules(const std::string& lengthKey);

}  // namespace fathom
