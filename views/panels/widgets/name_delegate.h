// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QStringList>
#include <QStyledItemDelegate>

namespace fathom {

// Names in a list whose rows are as wide as it: one that is too long goes into a second line, and what two
// lines do not hold is cut so that no two names of the list read the same. The whole name is the tool tip.
// One delegate a view that has its model; it is the view's child.
class NameDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  explicit NameDelegate(QAbstractItemView* view);
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                 const QModelIndex& index) override;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  QString shown(const QModelIndex& index, const QFont& font) const;
  QAbstractItemView* m_view;
  mutable QStringList m_shown;  // of the list's rows
  mutable QFont m_font;
  mutable int m_room = -1;
  mutable bool m_stale = true;
};

// Names of `width` pixels at most, in one line, no two of them alike; names of a table's column.
QStringList namesInRoom(const QStringList& names, const QFont& font, int width);

}  // namespace fathom
