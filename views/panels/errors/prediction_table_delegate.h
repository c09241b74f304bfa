// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace fathom {

// A property of tool buttons that stand for categories: the chosen one is filled with the accent.
inline constexpr const char* kChoiceProperty = "choice";

// Paints what a category is in the table of predictions: a square in the colour of the category with its
// letter in the columns of the models, the square before the word in the category column. A category that a
// person set is filled and has a small pen mark, one of the program is only framed. The other cells are one
// line of text. Made to be fast: a filter key repaints all cells in sight. The model is a
// PredictionTableModel.
class PredictionTableDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  void paintText(QPainter* painter, const QStyleOptionViewItem& option, const QRect& area,
                 const QString& text, Qt::Alignment alignment) const;
  void paintVerdict(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                    const QString& text, bool ofModel) const;
};

// The square alone: 14 x 14 at `topLeft`. `letter` may be empty.
void paintCategory(QPainter* painter, const QPoint& topLeft, const QString& category, bool human, bool stale,
                   const QString& letter, const QColor& text);

}  // namespace fathom
