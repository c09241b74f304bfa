// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/engine_line.h"
#include "core/engine/engine_verbs.h"

namespace fathom {

namespace {

// What the line says, with where events go.
struct ResumeLine : ResumeVerb {
  std::string events;
};

VerbAction declareResume(CLI::App& sub) {
  const auto said = std::make_shared<ResumeLine>();
  addRun(sub, said->run);
  sub.add_option("--checkpoint", said->checkpoint,
                 "Number of updates, name or best; none starts from the beginning; otherwise the newest");
  addEvents(sub, said->events);
  return {[said] {
    said->eventsToStdout = said->events == "stdout";
    return resumeVerb(*said);
  }};
}

}  // namespace

EngineVerb resumeLineEntry() {
  return {.name = "resume", .help = "Goes on with a run", .declare = declareResume};
}

}  // namespace fathom
