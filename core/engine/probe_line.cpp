// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>

#include "core/engine/engine_line.h"
#include "core/engine/engine_verbs.h"
#include "core/probe/probe_entry.h"

namespace fathom {

namespace {

struct ProbeLine : ProbeVerb {
  std::optional<std::int64_t> count;  // --examples
};

Status checkProbeWords(const ProbeVerb& verb) {
  FATHOM_TRY(const ProbeEntry entry, findProbe(verb.analysis));
  FATHOM_TRY(const OptionValues options, probeOptions(entry, verb.assignments));
  return {};
}

VerbAction declareProbe(CLI::App& sub) {
  const auto said = std::make_shared<ProbeLine>();
  addRun(sub, said->run);
  sub.add_option("--analysis", said->analysis, "Which one: see describe, entries.probes")->required();
  sub.add_option("--checkpoint", said->checkpoint,
                 "Number of updates, name, best, or init for the weights before the first update; several"
                 " with commas, or all; otherwise the newest")
      ->join(',');
  sub.add_option("--split", said->split, "Data to look at")
      ->check(CLI::IsMember({"train", "validation", "test"}));
  sub.add_option("--examples", said->count,
                 "So many of them, drawn at random, where the analysis looks at a number of examples; 0: all")
      ->check(wholeNumber(0));
  written(sub.add_option("--out", said->out, "Folder for results, for runs that cannot be written to"));
  asAssignment(
      sub.add_option("--run-set", said->runAssignments, "An option on top of the run's; may be repeated"))
      ->check(runAssignment());
  sub.add_flag("--progress-lines", said->progressLines, "Progress as JSON lines on stdout");
  asAssignment(sub.add_option("--set", said->assignments, "An option of the analysis; may be repeated"));
  return {[said] {
            if (said->count)
              said->assignments.insert(said->assignments.begin(), "examples=" + std::to_string(*said->count));
            const Status words = checkProbeWords(*said);
            return words.ok() ? probeVerb(*said) : wrongUsage(words.error());
          },
          [said] { return said->progressLines; }};
}

}  // namespace

EngineVerb probeLineEntry() {
  return {.name = "probe", .help = "Computes an analysis of a checkpoint", .declare = declareProbe};
}

}  // namespace fathom
