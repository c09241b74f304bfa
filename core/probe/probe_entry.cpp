// SPDX-License-Identifier: Apache-2.0
#include "core/probe/probe_entry.h"

namespace fathom {

std::int64_t forProbeBatches(const ProbeSubject& subject, const std::string& phase,
                             const std::function<void(const ProbeBatch&)>& use) {
  if (subject.progress != nullptr)
    subject.progress->begin(phase, "examples", static_cast<double>(subject.examples));
  std::int64_t examples = 0;
  for (std::int64_t i = 0; i < subject.batches && examples < subject.examples; ++i) {
    if (subject.stop.stopRequested()) throw Failure(interruptedError());
    ProbeBatch batch = subject.batch(i);
    const std::int64_t left = subject.examples - examples;
    if (batch.examples > left && subject.head) batch = subject.head(i, left);
    use(batch);
    examples += batch.examples;
    if (subject.progress != nullptr) subject.progress->report(static_cast<double>(examples));
  }
  if (subject.progress != nullptr) subject.progress->finish();
  return examples;
}

Result<ProbeBatch> firstProbeBatch(const ProbeSubject& subject, const std::string& phase) {
  if (subject.batches == 0)
    return dataError("there is no example to look at", "choose another part of the data");
  if (subject.progress != nullptr) subject.progress->begin(phase, "", -1);
  return subject.batch(0);
}

Result<ProbeEntry> findProbe(const std::string& id) {
  std::string known;
  for (const ProbeEntry& entry : probeEntries()) {
    if (entry.id == id) return entry;
    known += (known.empty() ? "" : ", ") + entry.id;
  }
  return usageError("there is no analysis '" + id + "'", "there are: " + known);
}

}  // namespace fathom
