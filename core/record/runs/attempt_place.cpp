// SPDX-License-Identifier: Apache-2.0
#include "core/record/runs/attempt_place.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/record/runs/mirror_note.h"
#include "core/record/runs/run_lock.h"

namespace fathom {

namespace {

constexpr std::size_t kMostAttemptPlaceBytes = std::size_t{1} << 16;

std::string attemptPlaceFile(const RunFolder& folder, int attempt) {
  return folder.attemptPath(attempt) + "/" + kAttemptPlaceName;
}

// Host that a run is trained on, as its lock tells, or was, as its copy does; "" where neither knows.
std::string trainingHost(const std::string& runPath) {
  if (const auto mirror = mirrorNote(runPath)) return mirror->host;
  const auto holder = runLockHolder(runPath);
  return holder ? holder->host : std::string();
}

}  // namespace

std::optional<AttemptPlace> attemptPlace(const RunFolder& folder, int attempt) {
  const std::string file = attemptPlaceFile(folder, attempt);
  if (!fileExists(file)) return std::nullopt;
  const auto json = readJsonFile(file, {16, kMostAttemptPlaceBytes, false});
  if (!json.ok() || !json->is_object()) return std::nullopt;
  return AttemptPlace{memberText(*json, "place"), memberText(*json, "job"), memberText(*json, "host"),
                      memberText(*json, "end")};
}

Status writeAttemptPlace(const RunFolder& folder, int attempt, const AttemptPlace& place) {
  Json json = {{"format", 1}, {"place", place.place}, {"job", place.job}, {"host", place.host}};
  if (!place.end.empty()) json["end"] = place.end;
  return writeFileAtomically(attemptPlaceFile(folder, attempt), json.dump() + "\n");
}

void keepAttemptPlace(const std::string& runPath, int attemptsBefore, AttemptPlace now, KeptPlace& kept) {
  const RunFolder folder(runPath);
  const int attempt = folder.exists() ? folder.lastAttempt() : 0;
  if (attempt <= attemptsBefore) return;
  if (now.host.empty()) now.host = trainingHost(runPath);
  if (attempt != kept.attempt) kept = {attempt, attemptPlace(folder, attempt).value_or(AttemptPlace())};
  // Who came after another watcher has not heard everything yet; an engine that has ended holds no lock.
  if (now.place == kept.place.place && now.job.empty()) now.job = kept.place.job;
  if (now.place == kept.place.place && now.host.empty()) now.host = kept.place.host;
  if (now == kept.place) return;
  kept.place = now;
  (void)writeAttemptPlace(folder, attempt, now).ok();
}

}  // namespace fathom
