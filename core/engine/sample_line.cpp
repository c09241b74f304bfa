// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/engine_line.h"
#include "core/engine/engine_verbs.h"
#include "core/engine/task_help.h"

namespace fathom {

namespace {

VerbAction declareSample(CLI::App& sub) {
  const auto said = std::make_shared<SampleVerb>();
  sub.footer(madeFilesHelp() + sub.get_parent()->get_footer());
  written(sub.add_option("--out", said->out, "Folder to write"))->required();
  auto* task = sub.add_option("--task", said->task, "Which task's; otherwise the first one's")
                   ->check(CLI::IsMember(tasksWithMadeData()));
  sub.add_option("--kind", said->kind,
                 "Other made data; long: WikiHop records whose answers need global tokens, and vocab.txt")
      ->check(CLI::IsMember(madeDataKinds()))
      ->excludes(task);
  sub.add_option("--seed", said->seed, "Other data");
  return {[said] { return sampleVerb(*said); }};
}

}  // namespace

EngineVerb sampleLineEntry() {
  return {.name = "sample", .help = "Writes made data to try a task with", .declare = declareSample};
}

}  // namespace fathom
