// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QVector>
#include <string>
#include <vector>

#include "views/tables/run_item.h"

namespace fathom {

// A number that is the same for runs of one grid, and runs of no grid, that differ only in the seed and in
// where they run; 0 for a run whose options are not known. It holds until the program ends.
quint64 configurationOf(const RunItem& run);
// All runs that belong together with one of `chosen`: of its grid, or of its configuration where it is of no
// grid. In the order of `runs`.
QStringList groupsOf(const QStringList& chosen, const QVector<RunItem>& runs);
// For each run a word that is the same for those that differ only in the seed (core/analysis/statistics,
// seedGroups); it holds among these runs only.
std::vector<std::string> seedGroupsOf(const QVector<RunItem>& runs);

}  // namespace fathom
