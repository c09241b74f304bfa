// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QAbstractItemModel;
class QTableView;
class QWidget;

namespace fathom {

// A table as the panels of Errors show it: rows of one line of the window's height, no grid, Tab leaves it.
// `name` is its accessible name; `parent` owns it, the model is borrowed.
QTableView* compactTable(QAbstractItemModel* model, const QString& name, QWidget* parent);

// Columns as wide as their content, none wider than `widest` pixels.
void fitColumns(QTableView* table, int widest);

}  // namespace fathom
