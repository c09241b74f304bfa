// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QRect>
#include <QStringList>
#include <QStyledItemDelegate>

class QAbstractItemView;

namespace fathom {

// Paints the cells of the run table that are more than text: eye, star, colour swatch before the name, state
// as icon and word, progress as a thin bar under the number, the arrow of a group of runs. A click or the
// space key on the star asks the model to change it.
class RunTableDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;

  // The name of a run in `width` pixels: no two of the rows in view read the same.
  QString cutName(const QStyleOptionViewItem& option, const QModelIndex& index, int width) const;
  // Name in a cell of this view, as wide as its column is now.
  QString shownName(const QAbstractItemView* view, const QModelIndex& index) const;
  // Of a group of runs the place of its arrow in the cell of its name.
  static QRect arrowOf(const QRect& cell);
  // Words of a state beside its icon: empty where the icon says it alone.
  static QString shownState(const QAbstractItemView* view, const QModelIndex& index);

 private:
  void paintText(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                 const QRect& area) const;
  // Names of the rows in view and what is shown of them.
  mutable QStringList m_names, m_cut;
  mutable QFont m_font;
  mutable int m_width = -1;
};

}  // namespace fathom
