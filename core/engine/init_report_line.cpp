// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/engine_line.h"
#include "core/engine/engine_verbs.h"

namespace fathom {

namespace {

VerbAction declareInitReport(CLI::App& sub) {
  const auto said = std::make_shared<InitReportVerb>();
  addStart(sub, said->config, said->preset);
  sub.add_option("--run", said->run, "Folder of a run: what was recorded at its start");
  sub.add_option("--vocabulary", said->vocabulary,
                 "Pieces, for a configuration without data; otherwise the preset's")
      ->check(wholeNumber(1, kMostPieces));
  sub.add_option("--examples", said->examples,
                 "Training examples that are enough where all of them are looked at; 0: all")
      ->check(wholeNumber(0));
  sub.add_option("--cache", said->cache,
                 "Folder with the states of frozen encoders (PROJECT/cache): with them all are looked at");
  sub.add_flag("--json", said->json, "JSON instead of a table");
  sub.add_flag("--progress-lines", said->progressLines, "Progress as JSON lines on stdout");
  addSet(sub, said->assignments);
  return {[said] { return initReportVerb(*said); }, [said] { return said->progressLines; }};
}

}  // namespace

EngineVerb initReportLineEntry() {
  return {.name = "init-report",
          .help = "What the initialisation gives every tensor",
          .declare = declareInitReport};
}

}  // namespace fathom
