// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/errors/phrase.h"
#include "core/spider/judgement/spider_error_category.h"

namespace fathom {

// The meaning of a rule of the decision and when it applies, in one or two sentences
// (docs/error_categories.md §4, §5, §6). `rule` and `kind` are those of a reason: "5.3(4)", "F8+F10", "F12".
// Empty for a rule that is not known.
Phrase ruleMeaning(const std::string& rule, ReasonKind kind);

}  // namespace fathom
