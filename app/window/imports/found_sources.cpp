// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/imports/found_sources.h"

#include <algorithm>
#include <chrono>

#include "views/look/engine_text.h"

namespace fathom {

namespace {

constexpr double kSecondsEach = 3, kSecondsInAll = 10, kSecondsAtLeast = 0.1;

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point began) {
  return std::chrono::duration<double>(Clock::now() - began).count();
}

Result<FoundSource> lookAtOne(const std::string& path, const ColumnMemory& memory,
                              const std::map<std::string, ColumnUses>& said, const StopToken& stop,
                              double seconds) {
  FoundSource found;
  found.path = path;
  const auto known = said.find(path);
  if (known != said.end()) {
    found.uses = known->second;
  } else if (const auto columns = tableColumns(path, {}); columns.ok()) {
    found.uses = memory.usesOf(*columns);
  }
  ImportOptions options;
  options.columns = found.uses;
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
  for (const QString& path : paths) {
    const double left = std::max(kSecondsAtLeast, kSecondsInAll - secondsSince(began));
    FATHOM_TRY(FoundSource found, lookAtOne(toUtf8(path), memory, said, stop, std::min(left, kSecondsEach)));
    all.push_back(std::move(found));
    progress.report(static_cast<double>(all.size()));
  }
  progress.finish();
  return all;
}

}  // namespace fathom
