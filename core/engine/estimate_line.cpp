// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/engine_line.h"
#include "core/engine/engine_verbs.h"

namespace fathom {

namespace {

VerbAction declareEstimate(CLI::App& sub) {
  const auto said = std::make_shared<EstimateVerb>();
  sub.add_option("--config", said->config, "Configuration or preset file");
  sub.add_option("--grid", said->grid,
                 "JSON file [{\"name\", \"options\"}, …]: the runs of a grid, on top of it");
  sub.add_option("--disk", said->disk, "Folder on the disk of the run");
  sub.add_option("--seconds", said->seconds, "So long updates are timed; 0: none")
      ->check(CLI::Range(0.0, 600.0));
  sub.add_option("--data-bytes", said->dataBytes, "Larger data are not read for it")->check(wholeNumber(0));
  sub.add_option(
         "--bandwidth", said->bandwidth,
         "Bytes a second between processes of the run, as all-reduce measures them; 0: of this machine")
      ->check(CLI::NonNegativeNumber);
  sub.add_option("--latency", said->latency, "Seconds a message between them, with --bandwidth")
      ->check(CLI::NonNegativeNumber)
      ->needs("--bandwidth");
  sub.add_flag("--check", said->check, "Only whether it fits: no data are read, little is measured");
  sub.add_flag("--json", said->json, "JSON instead of words");
  sub.add_flag("--progress-lines", said->progressLines, "Progress as JSON lines on stdout");
  addSet(sub, said->assignments);
  return {[said] { return estimateVerb(*said); }, [said] { return said->progressLines; }};
}

}  // namespace

EngineVerb estimateLineEntry() {
  return {.name = "estimate",
          .help = "Memory, time and disk of a run, against what there is",
          .declare = declareEstimate};
}

}  // namespace fathom
