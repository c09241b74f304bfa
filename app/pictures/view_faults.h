// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>
#include <QVector>

#include "views/look/qt_names.h"

namespace fathom {

// A fault that a reader of a view would stumble over (reference: look of the window, section 5).
struct ViewFault {
  enum class Kind {
    TextCut,          // letters are missing, and no tool tip has them
    EqualNames,       // two things beside each other read the same and are not
    OutsideParent,    // a part of a widget can never be seen
    Overlap,          // two parts of one layout lie over each other
    Squeezed,         // a control lower than it needs, a list that shows less than two of its rows
    NestedScrolling,  // a scroll bar inside of what a scroll bar of its direction moves
    Contrast          // a text below 4.5 : 1
  };
  Kind kind;
  QString where;  // classes and names from the view down to the widget
  QString what;   // the text, the names, the numbers
};
// "text cut", for reports.
QString faultWord(ViewFault::Kind kind);

// All faults of what is visible of `view`, itself a window or a part of one, as it is laid out now. `picture`
// is a grab of it: the colours are read there. GUI thread.
QVector<ViewFault> viewFaults(QWidget* view, const QImage& picture);

// The parts of it; each appends what it finds about one widget.
namespace view_faults {
void checkText(const QWidget* widget, const QString& where, QVector<ViewFault>* faults);
void checkNames(const QWidget* widget, const QString& where, QVector<ViewFault>* faults);
void checkContrast(const QWidget* widget, const QWidget* view, const QImage& picture, const QString& where,
                   QVector<ViewFault>* faults);
// Text that a cell of a view shows, at most as wide as the cell; null where the view draws it otherwise.
QString shownText(const QAbstractItemView* view, const QModelIndex& index);
}  // namespace view_faults

}  // namespace fathom
