// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/run_names.h"

#include "core/library/runs/short_names.h"
#include "views/look/engine_text.h"

namespace fathom {

QStringList shortRunNames(const QVector<RunItem>& runs) {
  std::vector<RunToName> all;
  all.reserve(static_cast<std::size_t>(runs.size()));
  for (const RunItem& run : runs) {
    RunToName named{toUtf8(run.uuid), toUtf8(run.name), {}};
    if (!run.gridValues.isEmpty()) {
      named.grid = toUtf8(run.grid);
      named.gridName = toUtf8(run.gridName);
      for (const QString& value : run.gridValues) named.values.push_back(toUtf8(value));
    }
    all.push_back(std::move(named));
  }
  const auto optionsOf = [&runs](std::size_t i) { return runs[static_cast<qsizetype>(i)].config.toJson(); };
  QStringList names;
  for (const std::string& name : shortRunNames(all, *optionTitles(), optionsOf)) names.append(fromUtf8(name));
  return names;
}

bool areNamedAlike(const RunItem& first, const RunItem& second) {
  return first.name == second.name && first.grid == second.grid && first.gridName == second.gridName &&
         first.gridValues == second.gridValues;
}

}  // namespace fathom
