// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/training/stack_phrase.h"

namespace fathom {

Phrase stackPhrase(const std::string& stack) {
  for (const Phrase::Text known :
       {Phrase::tr("encoder"), Phrase::tr("decoder"), Phrase::tr("extra"), Phrase::tr("global")})
    if (stack == known.english) return known;
  return stack;
}

}  // namespace fathom
