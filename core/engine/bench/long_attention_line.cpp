// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/bench/bench_entry.h"
#include "core/engine/bench/bench_long_attention.h"

namespace fathom {

namespace {

std::function<Status()> declareLongAttention(CLI::App& sub) {
  const auto said = std::make_shared<LongAttentionBench>();
  sub.add_option("--shortest", said->shortest, "Shortest text, in tokens")->check(CLI::Range(1, 1 << 20));
  sub.add_option("--longest", said->longest, "Longest; lengths double up to it")
      ->check(CLI::Range(1, 1 << 20));
  sub.add_option("--radius", said->radius, "Local radius")->check(CLI::Range(1, 1 << 16));
  sub.add_option("--globals", said->globals, "Global tokens")->check(CLI::Range(1, 1 << 16));
  sub.add_option("--heads", said->heads, "Heads")->check(CLI::Range(1, 1024));
  sub.add_option("--width", said->width, "Width")->check(CLI::Range(8, 65536));
  sub.add_option("--full-up-to", said->fullUpTo, "Every pair only up to this length")
      ->check(CLI::NonNegativeNumber);
  addBenchSettings(sub, said->settings);
  return [said] { return benchLongAttention(*said); };
}

}  // namespace

BenchEntry longAttentionLineEntry() {
  return {.name = "long-attention",
          .help = "Attention of a long and a global stream",
          .declare = declareLongAttention};
}

}  // namespace fathom
