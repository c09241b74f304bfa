// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVariant>
#include <QVector>

#include "views/tables/run_item.h"

namespace fathom {

class RunTableModel;

// What runs of one configuration have in common: "Post-LN · 2 L".
QString runGroupName(const QVector<const RunItem*>& runs);
// The row that stands for them in the run table: mean ± sample standard deviation of each score over the runs
// that have it, their states, and the roles of RunTableModel. `name`: of runGroupName.
QVariant runGroupData(const QVector<const RunItem*>& runs, const QString& name, const RunTableModel& model,
                      int column, int role);

}  // namespace fathom
