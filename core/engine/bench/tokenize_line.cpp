// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/bench/bench_entry.h"
#include "core/engine/bench/bench_layers.h"

namespace fathom {

namespace {

std::function<Status()> declareTokenize(CLI::App& sub) {
  const auto said = std::make_shared<TokenizeBench>();
  sub.add_option("--text", said->text, "Text file")->required();
  sub.add_option("--vocabulary", said->vocabulary, "vocab.txt, or vocab.json with --merges")->required();
  sub.add_option("--merges", said->merges, "merges.txt of a byte-level BPE");
  sub.add_option("--megabytes", said->megabytes, "The text is repeated to this much")
      ->check(CLI::Range(1, 10000));
  addBenchSettings(sub, said->settings);
  return [said] { return benchTokenize(*said); };
}

}  // namespace

BenchEntry tokenizeLineEntry() {
  return {.name = "tokenize", .help = "Tokens of a text", .declare = declareTokenize};
}

}  // namespace fathom
