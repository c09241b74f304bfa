// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QString>
#include <QStringList>
#include <functional>

#include "core/base/threads/progress.h"
#include "views/look/qt_names.h"

namespace fathom {

// Controls as all panels have them. `parent` owns what is made.

// A button without a frame that Tab reaches. Its tooltip is its accessible name.
QToolButton* flatButton(QWidget* parent, const QString& iconName, const QString& tip);
// The same with words, beside the icon where there is one.
QToolButton* flatTextButton(QWidget* parent, const QString& text, const QString& tip,
                            const QString& iconName = {});
// A line to type in what is looked for, which can be cleared; `hint` stands in it while it is empty.
QLineEdit* filterLine(QWidget* parent, const QString& hint, const QString& accessibleName);
// The same with the sign of a search.
QLineEdit* searchLine(QWidget* parent, const QString& hint);
// A choice that is `characters` wide, whatever it holds.
QComboBox* narrowChoice(QWidget* parent, const QString& accessibleName, int characters);
// Adds the styles in which figures are exported; data: their ids.
void addStyles(QComboBox* box);
QComboBox* exportStyleChoice(QWidget* parent, const QString& accessibleName, const QString& tip);
// A list with columns and without a tree.
QTreeWidget* columnList(QWidget* parent, const QStringList& heads, const QString& accessibleName);
QLabel* wrappedLabel(QWidget* parent, const QString& objectName = {});
// Labels for the title of a page, at its top, and for headings.
QLabel* pageTitle(QWidget* parent, const QString& text);
QLabel* headingLabel(QWidget* parent, const QString& text);

void makeSemibold(QWidget* widget);
// Texts of `widget` in `share` of the size of `body`; to be called again when that changes.
void setTextShare(QWidget* widget, const QFont& body, double share);
void setTextColour(QWidget* widget, const QColor& colour);
// Text of a label that is not there without one.
void showText(QLabel* label, const QString& text);
void showProgress(QProgressBar* bar, const ProgressUpdate& progress);
// An action that its key starts while the widget has the focus; it is the widget's, also in its menu.
QAction* addKeyAction(QWidget* widget, const QString& text, const QKeySequence& key);
// Esc leaves a page, wherever in it the keyboard is, but for what is open inside of it and closes first:
// editors of cells, lists, menus, completions.
void leaveWithEscape(QWidget* page, std::function<void()> leave);
// Takes the items of a layout away, and their widgets once nobody is called from them.
void clearLayout(QLayout* layout);

}  // namespace fathom
