// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/run_groups.h"

#include <QHashFunctions>
#include <QSet>

#include "core/analysis/statistics/seed_groups.h"
#include "views/look/engine_text.h"

namespace fathom {

quint64 configurationOf(const RunItem& run) {
  if (run.config.empty()) return 0;
  std::size_t sum = qHash(run.grid, 1);
  // Each option with its value is there once: its address tells it from all others.
  for (const SharedOption* option : run.config.all())
    if (option->setsApart) sum = qHashMulti(sum, option);
  return qMax<quint64>(1, sum);
}

std::vector<std::string> seedGroupsOf(const QVector<RunItem>& runs) {
  std::vector<Json> all;
  std::vector<const Json*> options;
  std::vector<std::string> origins;
  all.reserve(static_cast<std::size_t>(runs.size()));
  for (const RunItem& run : runs) {
    options.push_back(&all.emplace_back(run.config.toJson()));
    origins.push_back(toUtf8(run.origin));
  }
  return seedGroups(options, origins);
}

QStringList groupsOf(const QStringList& chosen, const QVector<RunItem>& runs) {
  const QSet<QString> these(chosen.cbegin(), chosen.cend());
  QSet<QString> grids;
  QSet<quint64> configurations;
  for (const RunItem& run : runs) {
    if (!these.contains(run.uuid)) continue;
    if (run.grid.isEmpty()) {
      configurations.insert(configurationOf(run));
    } else {
      grids.insert(run.grid);
    }
  }
  QStringList group;
  for (const RunItem& run : runs) {
    const bool together =
        run.grid.isEmpty() ? configurations.contains(configurationOf(run)) : grids.contains(run.grid);
    if (together) group.append(run.uuid);
  }
  return group;
}

}  // namespace fathom
