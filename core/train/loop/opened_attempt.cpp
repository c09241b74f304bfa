// SPDX-License-Identifier: Apache-2.0
#include "core/train/loop/opened_attempt.h"

#include "core/base/files/path_facts.h"
#include "core/train/state/checkpoint.h"

namespace fathom {

Result<OpenedAttempt> holdRun(const RunOpening& opening) {
  OpenedAttempt attempt{opening.folder, 0, true, opening.againAndAgain, nullptr, {}, nullptr, nullptr};
  attempt.socket = chooseControlSocket(opening.identity.uuid, opening.folder.path());
  FATHOM_TRY(attempt.lock, RunLock::acquire(opening.folder.path(), attempt.socket.path));
  return attempt;
}

Status beginAttempt(OpenedAttempt& attempt, const RunOpening& opening, const Json& config) {
  if (opening.fresh) FATHOM_CHECK(opening.folder.clear());
  opening.folder.sweep();
  sweepCheckpoints(opening.folder.path());
  removeDeadSockets(opening.identity.uuid);
  FATHOM_TRY(attempt.number, opening.folder.beginAttempt(config));
  if (opening.fresh) FATHOM_CHECK(opening.folder.describe(opening.identity));
  return {};
}

void openAttempt(OpenedAttempt& attempt, const RunOpening& opening) {
  const std::string events = opening.folder.eventsPath(attempt.number);
  auto log = EventLog::create(events).value();
  attempt.recorder = std::make_unique<RunRecorder>(std::move(log), opening.watcher);
  if (opening.watcher != nullptr) {
    opening.watcher->attempt(events);
    opening.watcher->metrics(opening.identity.metrics);
  }
  attempt.control = ControlQueue::open({attempt.socket.path, opening.identity.uuid,
                                        opening.watchStandardInput, opening.watchSignals,
                                        [&lock = *attempt.lock] { return lock.folder().value_or(""); }})
                        .value();
  // Long work outside the loop is ended, too, where there is no run any more.
  attempt.recorder->setWatch([&lock = *attempt.lock, stop = attempt.control->stop()] {
    if (!lock.folder()) stop.requestAbort();
  });
  for (const std::string& note : {attempt.socket.note, attempt.control->note()}) {
    if (!note.empty()) attempt.recorder->warn(note, "control_socket");
  }
}

bool followFolder(OpenedAttempt& attempt) {
  if (!attempt.lock) return true;
  const auto now = attempt.lock->folder();
  if (now && *now != absolutePath(attempt.folder.path())) attempt.folder = RunFolder(*now);
  return now.has_value();
}

}  // namespace fathom
