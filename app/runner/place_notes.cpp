// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/place_notes.h"

#include <unistd.h>

#include <chrono>
#include <ctime>

#include "core/base/files/atomic_file.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/base/json/phrase_json.h"
#include "core/library/queue/queue_folder.h"

namespace fathom {

namespace {

std::string notesFolder(const std::string& project) {
  return QueueFolder(project).path() + "/places";
}

// To the second: the same silence is the same text each time that it is looked at.
std::string isoTimeBefore(double seconds) {
  using namespace std::chrono;
  const auto since = system_clock::now() - milliseconds(static_cast<std::int64_t>(seconds * 1000));
  const std::time_t time = system_clock::to_time_t(time_point_cast<std::chrono::seconds>(since));
  std::tm parts{};
  gmtime_r(&time, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

const char* stateOf(const JobStatus& status) {
  switch (status.kind) {
    case JobStatus::Kind::Waiting:
      if (status.stuck) return "stuck";
      return status.job.empty() ? "submitting" : "waiting";
    case JobStatus::Kind::Running:
      return "running";
    case JobStatus::Kind::Ended:
      return "ended";
    case JobStatus::Kind::Refused:
      return "refused";
    case JobStatus::Kind::Unknown:
      break;
  }
  return "unknown";
}

}  // namespace

bool isAtWork(const PlaceNote& note) {
  return note.state == stateOf({.kind = JobStatus::Kind::Running});
}

PlaceNote placeNote(const std::string& place, const JobStatus& status) {
  return {place,
          status.job,
          stateOf(status),
          status.reason.english(),
          status.silentSeconds > 0 ? isoTimeBefore(status.silentSeconds) : std::string(),
          status.reason};
}

Json placeNoteToJson(const PlaceNote& note) {
  return {{"place", note.place},
          {"job", note.job},
          {"state", note.state},
          {"reason", note.reason},
          {"silent_from", note.silentFrom}};
}

Status writePlaceNote(const std::string& project, const std::string& uuid, const PlaceNote& note) {
  FATHOM_CHECK(makeOneFolder(notesFolder(project)));
  Json json = placeNoteToJson(note);
  if (!note.words.empty()) writePhrase(json, "reason", note.words);
  return writeFileAtomically(notesFolder(project) + "/" + uuid + ".json", json.dump() + "\n");
}

void removePlaceNote(const std::string& project, const std::string& uuid) {
  ::unlink((notesFolder(project) + "/" + uuid + ".json").c_str());
}

std::map<std::string, PlaceNote> placeNotes(const std::string& project) {
  std::map<std::string, PlaceNote> notes;
  const auto entries = entriesIn(notesFolder(project));
  if (!entries.ok()) return notes;
  for (const auto& entry : *entries) {
    if (entry.path().extension() != ".json") continue;
    const auto json = readJsonFile(entry.path().string());
    if (!json.ok()) continue;
    notes[entry.path().stem().string()] = {memberText(*json, "place"),       memberText(*json, "job"),
                                           memberText(*json, "state"),       memberText(*json, "reason"),
                                           memberText(*json, "silent_from"), readPhrase(*json, "reason")};
  }
  return notes;
}

std::string placeText(const PlaceNote& note) {
  std::string text = note.place + (note.job.empty() ? "" : " " + note.job);
  if (note.state == "stuck") text += ", will not start by itself";
  if (!note.reason.empty()) text += ": " + note.reason;
  if (!note.silentFrom.empty()) text += ", not heard since " + note.silentFrom;
  return text;
}

}  // namespace fathom
