// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/support_listed_runs.h"

#include <QTest>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/base/numbers/random_stream.h"
#include "core/record/events/event_log.h"

namespace fathom::test {

void ListedRuns::makeProject() {
  m_library.reset();
  m_dir = std::make_unique<QTemporaryDir>();
  m_library = ProjectLibrary::create(m_dir->path().toStdString() + "/p.fathom").value();
}

RunFolder ListedRuns::addRun(const std::string& name, int steps, std::uint64_t seed) const {
  RunIdentity identity;
  identity.uuid = "uuid-" + name;
  identity.name = name;
  identity.created = "2026-01-01T00:00:00.000Z";
  const auto run = RunFolder::create(m_library->runsPath() + "/" + name, identity).value();
  const int attempt =
      run.beginAttempt({{"format", 1}, {"preset", "tiny"}, {"options", {{"seed", seed}}}}).value();
  const auto log = EventLog::create(run.attemptPath(attempt) + "/events.jsonl").value();
  (void)log->append("run_started", {{"attempt", 1}, {"total_updates", 5 * steps}});
  RandomStream random(seed);
  for (int step = 1; step <= steps; ++step) {
    const double loss = step % 97 == 0 ? std::nan("") : 5.0 / step + 0.1 * random.uniform();
    (void)log->appendStep(step, 1, 10 * step, 1e-3, {{"loss", loss}, {"grad_norm", random.uniform()}});
    if (step % 10 == 0) {
      const double score = std::abs(step - steps / 2) + 1.0;
      (void)log->append(
          "validation",
          {{"step", step}, {"epoch", 1}, {"m", {{"valid.nll", score}, {"valid.bleu", -score}}}});
    }
  }
  return run;
}

void ListedRuns::end(const RunFolder& run) {
  RunOutcome outcome;
  outcome.state = RunState::Finished;
  if (!run.writeOutcome(run.lastAttempt(), outcome).ok()) qFatal("the outcome was not written");
}

void ListedRuns::addCopies(int count) const {
  const RunFolder first = addRun("model", 20);
  RunOutcome outcome;
  outcome.state = RunState::Finished;
  outcome.step = 20;
  QVERIFY(first.writeOutcome(1, outcome).ok());
  for (int i = 1; i < count; ++i) {
    const std::string number = std::to_string(i), copy = m_library->runsPath() + "/run" + number;
    std::filesystem::copy(first.path(), copy, std::filesystem::copy_options::recursive);
    std::ofstream(copy + "/run.json")
        << R"({"uuid":"u)" + number + R"(","format":1,"name":"name )" + number + R"(","created":"2026"})";
  }
}

}  // namespace fathom::test
