// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace fathom {

// Paints what a category is in the table of predictions: a square in the colour of the category with its
// letter in the columns of the models, the square before the word in the category column. A category that a
// person set is filled and has a small pen mark, one of the program is only framed.
class PredictionTableDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// The square alone: 14 x 14 at `topLeft`. `letter` may be empty.
void paintCategory(QPainter* painter, const QPoint& topLeft, const QString& category, bool human, bool stale,
                   const QString& letter, const QColor& text);

}  // namespace fathom
