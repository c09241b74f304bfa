// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/places/place_overview.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "core/base/json/json_reals.h"
#include "core/library/queue/queue_folder.h"

namespace fathom {

namespace {

constexpr std::size_t kMostLines = 200;
constexpr double kAnswersSeconds = 60;

// The longest silence of its runs.
std::string silenceOf(const std::string& place, const std::map<std::string, PlaceNote>& notes) {
  std::string from;
  for (const auto& [uuid, note] : notes)
    if (note.place == place && !note.silentFrom.empty() && (from.empty() || note.silentFrom < from))
      from = note.silentFrom;
  return from;
}

bool hasFailed(const KeptLook& kept) {
  return kept.at > 0 && kept.look.facts.empty() && !kept.look.troubles.empty();
}

PlaceWay wayOf(const PlaceOverview& overview, double now) {
  if (overview.place.trouble) return PlaceWay::Broken;
  if (!overview.silentFrom.empty()) return PlaceWay::Silent;
  if (!overview.elsewhere && overview.heardAt == 0) return PlaceWay::Here;
  if (hasFailed(overview.look) && overview.look.at > overview.heardAt) return PlaceWay::Failed;
  if (overview.heardAt == 0) return PlaceWay::Unasked;
  return now - overview.heardAt < kAnswersSeconds ? PlaceWay::Answers : PlaceWay::Heard;
}

std::optional<double> freeOf(const std::string& project, const PlaceOverview& overview) {
  if (overview.elsewhere) {
    const double told = memberReal(overview.look.look.facts, "free", -1);
    return told < 0 ? std::nullopt : std::optional(told);
  }
  std::error_code code;
  const auto room = std::filesystem::space(project, code);
  return code ? std::nullopt : std::optional(static_cast<double>(room.available));
}

PlaceOverview overviewOf(const std::string& project, ListedPlace place,
                         const std::map<std::string, PlaceNote>& notes, double now) {
  PlaceOverview overview;
  const PlaceRecord& record = place.record;
  const PlaceJournal journal(project, record.id);
  overview.host = hostOfPlace(record);
  overview.elsewhere = !overview.host.empty();
  overview.heardAt = journal.heardAt();
  overview.silentFrom = silenceOf(record.id, notes);
  overview.look = keptLookFromJson(journal.look());
  overview.lines = journal.lines(kMostLines);
  const auto trouble = std::find_if(overview.lines.rbegin(), overview.lines.rend(),
                                    [](const PlaceLine& line) { return line.trouble; });
  if (trouble != overview.lines.rend()) overview.trouble = *trouble;
  overview.place = std::move(place);
  overview.way = wayOf(overview, now);
  overview.freeBytes = freeOf(project, overview);
  return overview;
}

}  // namespace

Result<std::vector<PlaceOverview>> overviewOfPlaces(const std::string& project) {
  FATHOM_TRY(const auto entries, QueueFolder(project).entries());
  const auto notes = placeNotes(project);
  FATHOM_TRY(auto listed, listPlaces(project, entries, notes, 1));
  const double now =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  std::vector<PlaceOverview> all;
  for (ListedPlace& place : listed) all.push_back(overviewOf(project, std::move(place), notes, now));
  return all;
}

}  // namespace fathom
