// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/review/review_kind.h"

namespace fathom {

// Categories and numbers that mean the same in several kinds: one word and one letter for each.

// The program gives it where a file has no answer to the example.
ReviewCategory missingCategory();
// A person's: what the file says of the example is wrong; `help` says what that is. Every kind has it.
ReviewCategory goldErrorCategory(const Phrase& help);
// A person's: the metric does not see that the answer is right. Stands last, where its key moves no other.
ReviewCategory rightAfterAllCategory();
// A person's, of texts whose answer does not follow from them.
ReviewCategory needsKnowledgeCategory();
// The number of kinds that choose among labels or options.
ReviewNumber confidenceNumber(int decimals = 3);
ReviewNumber goldProbabilityNumber();

}  // namespace fathom
