// SPDX-License-Identifier: Apache-2.0
#include "core/train/parallel/parallel_settings.h"

#include <vector>

#include "core/base/errors/error_key.h"
#include "core/base/options/field_builder.h"
#include "core/base/text/text_list.h"

namespace fathom {

std::vector<OptionField> parallelOptionFields() {
  return {
      integerField(
          "parallel.ranks", "Processes",
          "Processes of this machine that share out the batches of an update; the run is that of one "
          "process. Batches per update must be a multiple of them.",
          1)
          .between(1, 1024)
          .unit("processes")
          .off(1),
      choiceField(
          "parallel.sum", "Sum of gradients",
          "A ring moves the least; in order gives the very bits of one process where each process has "
          "one batch of an update.",
          {{"ring", "By a ring"}, {"ordered", "In order"}}),
      textField(
          "parallel.interface", "Network interface",
          "By which the processes talk, such as eth0; empty takes the one that leads to the first of them.",
          ""),
      realField("parallel.timeout", "Silence until lost",
                "A process that says nothing for so long is lost, and ends the attempt.", 600)
          .between(1, 86400)
          .unit("s"),
      integerField("parallel.check", "Compare weights every",
                   "The processes compare their weights after this many updates; 0 never does.", 500)
          .atLeast(0)
          .unit("updates")
          .off(0)};
}

ParallelSettings parallelSettings(const OptionValues& options) {
  ParallelSettings settings;
  settings.ranks = options.integer("parallel.ranks");
  settings.ordered = options.text("parallel.sum") == "ordered";
  settings.interface = options.text("parallel.interface");
  settings.timeout = options.real("parallel.timeout");
  settings.check = options.integer("parallel.check");
  return settings;
}

Status checkShares(std::int64_t accumulation, std::int64_t ranks) {
  if (accumulation % ranks == 0) return {};
  std::vector<std::string> fitting;
  for (std::int64_t i = 1; i <= accumulation; ++i)
    if (accumulation % i == 0) fitting.push_back(std::to_string(i));
  const std::int64_t below = accumulation / ranks * ranks, above = below + ranks;
  const std::string near =
      below > 0 ? std::to_string(below) + ", " + std::to_string(above) : std::to_string(above);
  return aboutKey("training.accumulation",
                  usageError(Phrase::tr("option 'training.accumulation': %1 batches of an update cannot be "
                                        "shared out evenly among %2 ranks")(accumulation, ranks),
                             Phrase::tr("take %1 batches (smaller ones keep an update as large as it is), or "
                                        "%2 ranks")(near, joined(fitting, ", "))));
}

}  // namespace fathom
