// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// The sample task: German to English, made by rules. Numbers 0-999,999 in words (50 %), dates (20 %), clock
// times (20 %, with "halb drei"), a date and a time whose order is swapped (10 %). No sentence of either
// language occurs twice, so the three parts share none. Real reordering, small vocabulary: learned in seconds
// on one core.
struct MadeSentenceCounts {
  std::int64_t train = 20000, validation = 500, test = 500;
};

struct MadeSentences {
  using Pairs = std::vector<std::pair<std::string, std::string>>;  // German, English
  Pairs train, validation, test;
};

// A function of seed and sizes only. Usage error when more pairs are asked for than the rules can make (about
// 200,000).
Result<MadeSentences> makeSentences(std::uint64_t seed, const MadeSentenceCounts& sizes = {});

// Writes train.tsv, validation.tsv and test.tsv (German TAB English, no header, LF), each atomically; the
// folder is made if it is missing.
Status writeMadeSentences(const std::string& folder, std::uint64_t seed,
                          const MadeSentenceCounts& sizes = {});

// 0 to 999,999 in words: "zweiunddreißigtausendvierhundertfünf", "thirty-two thousand four hundred and five".
std::string germanNumber(std::int64_t number);
std::string englishNumber(std::int64_t number);

}  // namespace fathom
