// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tables/run_item.h"

namespace fathom {

// What the filter of the run table looks at is runSearchText (run_item.h): its first line is what words are
// looked for in (name, state, outcome, notes, preset, tags, task), every other one is an option, "key=value".

// Is the word (lower case) one of this run? A word is looked for in the first line and in `columns`, the
// texts of the columns that were chosen; "option=value" and "option:value" ask the configuration: the option
// by its key or the end of one ("layers=12" is model.layers), numbers as numbers, texts by a part of them;
// without a value: runs that have the option.
bool runMatches(const QString& searchText, const QString& columns, const QString& word);

}  // namespace fathom
