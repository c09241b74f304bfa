// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/imports/found_sources.h"

#include <algorithm>
#include <chrono>

#include "core/imports/preview/source_places.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

constexpr double kSecondsEach = 3, kSecondsInAll = 10, kSecondsAtLeast = 0.1;

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point began) {
  return std::chrono::duration<double>(Clock::now() - began).count();
}

Result<FoundSource> lookAtOne(const SourcePlace& place, const ColumnMemory& memory,
                              const std::map<std::string, ColumnUses>& said, const StopToken& stop,
                              double seconds) {
  const std::string& path = place.path;
  FoundSource found;
  found.path = path;
  found.format = place.format;
  found.name = place.name;
  found.around = place.around;
  const auto known = said.find(path);
  if (known != said.end()) {
    found.uses = known->second;
  } else if (const auto columns = tableColumns(path, {}); columns.ok()) {
    found.uses = memory.usesOf(*columns);
  }
  ImportOptions options;
  options.columns = found.uses;
  options.format = place.format;
  options.name = place.name;
  auto preview = previewSource(path, options, stop, seconds);
  if (stop.stopRequested()) return interruptedError();
  if (!preview.ok()) {
    found.error = preview.error();
    return found;
  }
  found.preview = std::move(preview).value();
  found.error = found.preview.fault;
  return found;
}

}  // namespace

Result<std::vector<FoundSource>> lookAtSources(const QStringList& paths, const ColumnMemory& memory,
                                               const std::map<std::string, ColumnUses>& said,
                                               Progress& progress, const StopToken& stop) {
  std::vector<FoundSource> all;
  const Clock::time_point began = Clock::now();
  progress.begin(Phrase::tr("looking at sources").english, Phrase::tr("sources").english,
                 static_cast<double>(paths.size()));
  double done = 0;
  for (const QString& path : paths) {
    const auto places = placesIn(toUtf8(path), stop);
    if (stop.stopRequested()) return interruptedError();
    if (!places.ok()) {
      all.emplace_back().path = toUtf8(path);
      all.back().error = places.error();
    }
    for (const SourcePlace& place : places.ok() ? *places : std::vector<SourcePlace>()) {
      const double left = std::max(kSecondsAtLeast, kSecondsInAll - secondsSince(began));
      FATHOM_TRY(FoundSource found, lookAtOne(place, memory, said, stop, std::min(left, kSecondsEach)));
      all.push_back(std::move(found));
    }
    progress.report(++done);
  }
  progress.finish();
  return all;
}

}  // namespace fathom
