// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/place_list.h"

#include <algorithm>

#include "core/base/errors/error_words.h"

namespace fathom {

namespace {

int mostOf(const PlaceRecord& record, int here) {
  if (record.launcher == kLocalPlace) return here;
  return record.limits.schema().find("running") != nullptr
             ? static_cast<int>(record.limits.integer("running"))
             : 0;
}

ListedPlace listed(PlaceRecord record, int here) {
  ListedPlace place;
  if (const auto launcher = findLauncher(record.launcher); launcher.ok()) {
    place.title = (*launcher)->title;
    if ((*launcher)->ready)
      if (const Status ready = (*launcher)->ready(record); !ready.ok()) place.trouble = ready.error();
  } else {
    place.trouble = launcher.error();
  }
  place.most = mostOf(record, here);
  place.record = std::move(record);
  return place;
}

bool works(const QueueEntry& entry, const std::map<std::string, PlaceNote>& notes) {
  if (!entry.claimed()) return false;
  const auto note = notes.find(entry.uuid);
  return note == notes.end() ? entry.place == kLocalPlace : isAtWork(note->second);
}

double shareTaken(const PlaceLoad& load) {
  return static_cast<double>(load.taken) / std::max(1, load.most);
}

}  // namespace

Result<std::vector<ListedPlace>> listPlaces(const std::string& project,
                                            const std::vector<QueueEntry>& entries,
                                            const std::map<std::string, PlaceNote>& notes, int here) {
  FATHOM_TRY(auto records, readPlaces(project));
  const auto rank = [](const PlaceRecord& record) {
    return record.id == kLocalPlace ? 0 : record.file.empty() ? 2 : 1;
  };
  std::stable_sort(records.begin(), records.end(),
                   [&](const PlaceRecord& a, const PlaceRecord& b) { return rank(a) < rank(b); });
  std::vector<ListedPlace> places;
  for (PlaceRecord& record : records) {
    const bool launchersOwn = record.file.empty();
    ListedPlace place = listed(std::move(record), here);
    if (!(launchersOwn && place.trouble)) places.push_back(std::move(place));
  }
  for (const QueueEntry& entry : entries)
    for (ListedPlace& place : places)
      if (place.record.id == entry.place) ++(works(entry, notes) ? place.running : place.waiting);
  return places;
}

PlaceLoad loadOf(const ListedPlace& place) {
  return {place.record.id, place.running + place.waiting, place.most};
}

std::vector<std::string> shareOut(std::size_t runs, std::vector<PlaceLoad> loads) {
  std::vector<std::string> places;
  const auto isFree = [](const PlaceLoad& load) { return load.most == 0 || load.taken < load.most; };
  std::size_t turn = 0;
  while (places.size() < runs) {
    std::size_t next = loads.size();
    for (std::size_t i = 0; i < loads.size() && next == loads.size(); ++i)
      if (const std::size_t at = (turn + i) % loads.size(); isFree(loads[at])) next = at;
    if (next == loads.size()) {
      const auto least = std::min_element(
          loads.begin(), loads.end(),
          [](const PlaceLoad& a, const PlaceLoad& b) { return shareTaken(a) < shareTaken(b); });
      next = static_cast<std::size_t>(least - loads.begin());
    }
    ++loads[next].taken;
    places.push_back(loads[next].id);
    turn = next + 1;
  }
  return places;
}

Status shareOutEntries(const std::string& project, const std::vector<std::string>& places, int here,
                       std::vector<QueueEntry>& entries) {
  FATHOM_TRY(const auto waiting, QueueFolder(project).entries());
  FATHOM_TRY(const auto known, listPlaces(project, waiting, placeNotes(project), here));
  std::vector<PlaceLoad> loads;
  for (const std::string& id : places) {
    FATHOM_TRY(const PlaceRecord record, findPlace(project, id));
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const ListedPlace& place) { return place.record.id == record.id; });
    const ListedPlace place = found != known.end() ? *found : listed(record, here);
    if (place.trouble)
      return withMessage(*place.trouble, Phrase::tr("place '%1': %2")(id, place.trouble->messagePhrase()));
    loads.push_back(loadOf(place));
  }
  const std::vector<std::string> given = shareOut(entries.size(), std::move(loads));
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i].place = given[i];
  return {};
}

}  // namespace fathom
