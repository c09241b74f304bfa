// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/tasks/long_text/long_layout.h"

namespace fathom {

struct OpenKpRecord {
  struct Block {
    std::string text;
    std::vector<double> feature;  // 20 numbers: of the block, then of its parent
  };
  std::string url;
  std::vector<Block> blocks;
  std::vector<std::vector<std::string>> phrases;  // words of each key phrase
};
// Data errors name `place` and the field: no blocks, features missing or not finite.
Result<OpenKpRecord> openKpRecord(const Json& json, const std::string& place, bool answered = true);

struct OpenKpLimits {
  std::int64_t longLength = 4096, globalLength = 512, maxPhrase = 5;
};

struct OpenKpExample {
  LongLayout layout;  // `word` counts the page's words
  std::vector<std::string> words;
  std::int64_t blocks = 0;  // that are in
  std::vector<std::array<double, 8>>
      visual;  // of each global token: x, y, width, height, of it and its parent
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> labels;  // phrase: first word and words
  std::vector<std::string> missing;                                     // phrases that are nowhere
};

// One global token for each block; a block that does not fit ends the input (docs/long_inputs.md §4).
OpenKpExample layOpenKp(const OpenKpRecord& record, const LongPieces& pieces, const OpenKpLimits& limits);

// The five best different phrases; `logits` [maxPhrase, length]. Ties: the shorter, then the earlier.
std::vector<std::string> decodeOpenKp(const OpenKpExample& example, const std::vector<double>& logits,
                                      const OpenKpLimits& limits, std::size_t count = 5);

}  // namespace fathom
