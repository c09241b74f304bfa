// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "views/look/qt_names.h"

namespace fathom {

// Tables with rows of the window's height and without a grid, which Tab leaves. `name` is the accessible
// name; `parent` owns the table, the model is borrowed. A row is selected as a whole. Columns grow with
// texts.
QTableView* rowTable(QAbstractItemModel* model, const QString& name, QWidget* parent);
// Cells of one line, selected one by one.
QTableView* compactTable(QAbstractItemModel* model, const QString& name, QWidget* parent);

// Texts in as many lines as they need.
void wrapRows(QTableView* table);

// Rows of a list or a tree as high as those of the tables, or as their content where that is higher. The view
// owns what it takes; not for a view with a delegate of its own. A tree's columns grow with texts.
void evenRows(QAbstractItemView* view);

// Columns as wide as their contents, and `wide` as wide as what is left: nothing lies outside.
void fillWidth(QTableView* table, int wide);
// Columns as wide as their content, none wider than `widest` pixels.
void fitColumns(QTableView* table, int widest);

}  // namespace fathom
