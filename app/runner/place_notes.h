// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

#include "app/runner/launcher.h"

namespace fathom {

// What the runner last heard of a job elsewhere, for whoever shows the run: queue/places/<uuid>.json, written
// when it changes, gone when the run has left the queue.
struct PlaceNote {
  std::string place, job;  // as in the queue entry; the place's name of the job
  std::string state;       // "submitting", "waiting", "stuck", "running", "ended", "refused", "unknown"
  std::string reason;      // words of the place, or ours
  std::string silentFrom;  // ISO 8601 UTC: nothing was heard since; "" = the place answers
  Phrase words = {};       // the reason for a window that speaks another language
  bool operator==(const PlaceNote&) const = default;
};

// True while the place says that it trains.
bool isAtWork(const PlaceNote& note);
PlaceNote placeNote(const std::string& place, const JobStatus& status);
Status writePlaceNote(const std::string& project, const std::string& uuid, const PlaceNote& note);
void removePlaceNote(const std::string& project, const std::string& uuid);
// By the run's UUID; what cannot be read is left out.
std::map<std::string, PlaceNote> placeNotes(const std::string& project);
// "cluster 17_3: Priority", with "not heard since …" where that is so.
std::string placeText(const PlaceNote& note);
Json placeNoteToJson(const PlaceNote& note);

}  // namespace fathom
