// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QVector>

#include "views/tables/run_item.h"

namespace fathom {

// Short names of runs that a reader sees side by side, in their order (core/library/runs/short_names.h):
// never two the same, what all share is left out.
QStringList shortRunNames(const QVector<RunItem>& runs);
// True where both have what short names are made of in common: the others keep theirs.
bool areNamedAlike(const RunItem& first, const RunItem& second);

}  // namespace fathom
