// SPDX-License-Identifier: Apache-2.0
#include "core/text/sequence_pair.h"

#include <algorithm>

namespace fathom {

namespace {

void addSpecial(PairInput& input, std::int64_t id, std::int64_t segment) {
  input.ids.push_back(id);
  input.segments.push_back(segment);
  input.ranges.push_back({0, 0});
  input.parts.push_back(-1);
}

void addTokens(PairInput& input, const EncodedText& text, std::int64_t from, std::int64_t to,
               std::int64_t segment, std::int64_t part) {
  for (std::int64_t i = from; i < to; ++i) {
    input.ids.push_back(text.ids[static_cast<std::size_t>(i)]);
    input.segments.push_back(segment);
    input.ranges.push_back(text.ranges[static_cast<std::size_t>(i)]);
    input.parts.push_back(part);
  }
}

std::int64_t specialCount(const PairFormat& format) {
  return format.layout == PairLayout::Bert ? 3 : 4;
}

PairInput assemble(const EncodedText& first, std::int64_t firstEnd, const EncodedText& second,
                   std::int64_t secondBegin, std::int64_t secondEnd, const PairFormat& format) {
  const std::int64_t segment = format.layout == PairLayout::Bert ? 1 : 0;
  PairInput input;
  addSpecial(input, format.cls, 0);
  addTokens(input, first, 0, firstEnd, 0, 0);
  addSpecial(input, format.sep, 0);
  if (format.layout == PairLayout::Roberta) addSpecial(input, format.sep, 0);
  addTokens(input, second, secondBegin, secondEnd, segment, 1);
  addSpecial(input, format.sep, segment);
  return input;
}

}  // namespace

KeptLengths truncateLongestFirst(std::int64_t first, std::int64_t second, std::int64_t budget,
                                 SpareToken spare) {
  budget = std::max<std::int64_t>(budget, 0);
  if (first + second <= budget) return {first, second};
  const std::int64_t shorter = std::min(first, second);
  if (shorter <= budget / 2) {  // only the longer one is cut
    return first <= second ? KeptLengths{first, budget - first} : KeptLengths{budget - second, second};
  }
  const std::int64_t half = budget / 2, rest = budget - half;
  const bool toFirst = spare == SpareToken::First || first > second;
  return toFirst ? KeptLengths{rest, half} : KeptLengths{half, rest};
}

PairInput makeSingleInput(const EncodedText& text, const PairFormat& format) {
  PairInput input;
  addSpecial(input, format.cls, 0);
  addTokens(input, text, 0, std::min(text.size(), std::max<std::int64_t>(0, format.maxLength - 2)), 0, 0);
  addSpecial(input, format.sep, 0);
  return input;
}

PairInput makePairInput(const EncodedText& first, const EncodedText& second, const PairFormat& format) {
  const KeptLengths kept = truncateLongestFirst(first.size(), second.size(),
                                                format.maxLength - specialCount(format), format.spare);
  return assemble(first, kept.first, second, 0, kept.second, format);
}

}  // namespace fathom
