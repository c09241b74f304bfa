// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/engine_line.h"
#include "core/engine/engine_verbs.h"

namespace fathom {

namespace {

VerbAction declareResume(CLI::App& sub) {
  const auto said = std::make_shared<ResumeVerb>();
  addRun(sub, said->run);
  sub.add_option("--checkpoint", said->checkpoint,
                 "Number of updates, name or best; none starts from the beginning; otherwise the newest");
  addEvents(sub, said->eventsToStdout);
  return {[said] { return resumeVerb(*said); }};
}

}  // namespace

EngineVerb resumeLineEntry() {
  return {.name = "resume", .help = "Goes on with a run", .declare = declareResume};
}

}  // namespace fathom
