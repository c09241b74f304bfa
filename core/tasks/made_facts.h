// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/numbers/random_stream.h"

namespace fathom {

// A fact of the made data of reading tasks: they speak of made buildings of made towns, each fact
// a property with one of a few values. The same facts for the same stream on every platform.
struct MadeFact {
  std::string subject;       // "bridge of Ostwick"
  std::size_t property = 0;  // below kMadeProperties
  std::string value;         // "stone"
  bool denied = false;       // it is said not to be so
};
inline constexpr std::size_t kMadeProperties = 4;

std::string drawMadeSubject(RandomStream& random);
// Facts about one subject, at most kMadeProperties, each of another property.
std::vector<MadeFact> drawMadeFacts(RandomStream& random, const std::string& subject, std::size_t count);
// A fact that is false where `fact` is true: the same property with another value, or the fact denied. A word
// tells the latter, which is learned in minutes; the former takes a comparison of both texts.
MadeFact contraryOf(RandomStream& random, const MadeFact& fact);

// "The bridge of Ostwick is made of stone."
std::string factStatement(const MadeFact& fact);
// "What is the bridge of Ostwick made of?"
std::string factQuestion(const MadeFact& fact);
// All statements, a blank between them.
std::string factStatements(const std::vector<MadeFact>& facts);

}  // namespace fathom
