// SPDX-License-Identifier: Apache-2.0
#include "tests/process/support_word_pairs.h"

#include <fstream>

#include "core/base/numbers/random_stream.h"

namespace fathom::test {

void writeWordPairs(const QString& file) {
  const char* const words[] = {"ein", "zwei", "drei", "vier", "haus", "baum", "der", "die", "rot", "blau"};
  RandomStream random(5);
  std::ofstream pairs(file.toStdString());
  for (int i = 0; i < 200; ++i) {
    std::string source, target;
    for (std::uint64_t left = 4 + random.below(5); left > 0; --left) {
      const std::string word = words[random.below(std::size(words))];
      source += (source.empty() ? "" : " ") + word;
      target += (target.empty() ? "" : " ") + word + "X";
    }
    pairs << source << '\t' << target << '\n';
  }
}

Json tinyTranslation(const QString& data, const Json& options) {
  const auto part = [&](const char* name) { return data.toStdString() + "/" + name + ".tsv"; };
  Json all = {{"data.train", part("train")},
              {"data.validation", part("validation")},
              {"data.test", part("test")},
              {"data.vocabulary.size", 120},
              {"batch.max_tokens", 256},
              {"model.width", 16},
              {"model.heads", 2},
              {"model.feed_forward", 32},
              {"encoder.layers", 1},
              {"decoder.layers", 1},
              {"lr_schedule.warmup", 5},
              {"training.length", "12u"},
              {"checkpoint.interval", "4u"},
              {"validation.score_interval", "never"},
              {"device", "cpu"},
              {"threads", 1}};
  all.update(options);
  return {{"format", 1}, {"name", "tiny"}, {"options", all}};
}

}  // namespace fathom::test
