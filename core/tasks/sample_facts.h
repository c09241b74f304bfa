// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/numbers/random_stream.h"

namespace fathom {

// A fact of the generated samples of reading tasks: they speak of made buildings of made towns, each fact
// a property with one of a few values. The same facts for the same stream on every platform.
struct SampleFact {
  std::string subject;       // "bridge of Ostwick"
  std::size_t property = 0;  // below kSampleProperties
  std::string value;         // "stone"
  bool denied = false;       // it is said not to be so
};
inline constexpr std::size_t kSampleProperties = 4;

std::string drawSampleSubject(RandomStream& random);
// Facts about one subject, at most kSampleProperties, each of another property.
std::vector<SampleFact> drawSampleFacts(RandomStream& random, const std::string& subject, std::size_t count);
// A fact that is false where `fact` is true: the same property with another value, or the fact denied. A word
// tells the latter, which is learned in minutes; the former takes a comparison of both texts.
SampleFact contraryOf(RandomStream& random, const SampleFact& fact);

// "The bridge of Ostwick is made of stone."
std::string factStatement(const SampleFact& fact);
// "What is the bridge of Ostwick made of?"
std::string factQuestion(const SampleFact& fact);
// All statements, a blank between them.
std::string factStatements(const std::vector<SampleFact>& facts);

}  // namespace fathom
