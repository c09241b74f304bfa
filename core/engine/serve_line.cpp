// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/engine_line.h"
#include "core/engine/engine_verbs.h"
#include "core/engine/task_help.h"

namespace fathom {

namespace {

constexpr std::int64_t kLongestIdleSeconds = 30 * 24 * 3600;

VerbAction declareServe(CLI::App& sub) {
  const auto said = std::make_shared<ServeVerb>();
  sub.footer(inputFormsHelp("An item of a request (docs/serving.md §2) is a line; by the task of the run:") +
             sub.get_parent()->get_footer());
  addRun(sub, said->run);
  addCheckpoint(sub, said->checkpoint);
  sub.add_option("--socket", said->socket, "Where it listens; otherwise a place for run and checkpoint");
  sub.add_option("--idle-seconds", said->idleSeconds, "Ends after so long without a request")
      ->check(wholeNumber(1, kLongestIdleSeconds));
  addSet(sub, said->assignments);
  return {[said] { return serveVerb(*said); }};
}

}  // namespace

EngineVerb serveLineEntry() {
  return {
      .name = "serve", .help = "Keeps a model warm and answers on a local socket", .declare = declareServe};
}

}  // namespace fathom
