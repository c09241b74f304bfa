// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/names_of_rows.h"

#include <set>

#include "app/runner/engine_description.h"
#include "core/library/runs/short_names.h"

namespace fathom {

void askForOptionTitles() {
  (void)askedOptionTitles();
}

std::vector<std::string> namesOfRows(ProjectLibrary& library, const std::vector<RunRow>& rows) {
  const auto grids = library.grids();
  std::set<std::string> names;
  for (const RunRow& row : rows) names.insert(row.name);
  const bool byOptions = (grids.ok() && !grids->empty()) || names.size() < rows.size();
  const auto titles = byOptions ? askedOptionTitles() : optionTitles();
  return shortRunNames(library, rows, *titles);
}

}  // namespace fathom
