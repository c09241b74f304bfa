// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tables/run_item.h"

namespace fathom {

// Text that words of the filter are looked for in, lower case: name, state, outcome, notes, source, preset,
// tags, task, and the texts of the columns of these options.
QString runSearchText(const RunItem& run, const QStringList& configColumns);

// Is the word (lower case) one of this run? A word is looked for in `searchText`; "option=value" and
// "option:value" ask the configuration: the option by its key or the end of one ("layers=12" is
// model.layers), numbers as numbers, texts by a part of them; without a value: runs that have the option.
bool runMatches(const RunItem& run, const QString& searchText, const QString& word);

}  // namespace fathom
