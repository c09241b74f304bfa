// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/bench/bench_entry.h"
#include "core/engine/bench/bench_output_shift.h"

namespace fathom {

namespace {

std::function<Status()> declareOutputShift(CLI::App& sub) {
  const auto said = std::make_shared<OutputShiftBench>();
  sub.add_option("--deepest", said->deepest, "Largest depth")->check(CLI::Range(1, 1000));
  sub.add_option("--every", said->every, "Distance of the depths")->check(CLI::Range(1, 1000));
  sub.add_option("--seeds", said->seeds, "Nets of each scheme")->check(CLI::Range(1, 100));
  sub.add_option("--width", said->width, "Width")->check(CLI::Range(8, 65536));
  sub.add_option("--feed-forward", said->feedForward, "Feed-forward width")->check(CLI::Range(8, 1 << 20));
  sub.add_option("--rows", said->rows, "Examples")->check(CLI::Range(1, 100000));
  sub.add_option("--length", said->length, "Tokens of an example")->check(CLI::Range(1, 100000));
  addBenchSettings(sub, said->settings);
  return [said] { return benchOutputShift(*said); };
}

}  // namespace

BenchEntry outputShiftLineEntry() {
  return {.name = "output-shift",
          .help = "Output shift of encoders against depth",
          .declare = declareOutputShift};
}

}  // namespace fathom
