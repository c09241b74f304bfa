// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/probability_delegate.h"

#include <QApplication>
#include <QPainter>
#include <algorithm>

#include "views/look/theme.h"
#include "views/tables/hypothesis_models.h"

namespace fathom {

namespace {
constexpr int kNumberWidth = 56;
constexpr int kLongestBar = 64;
constexpr int kBarHeight = 8;
}  // namespace

void ProbabilityDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                                const QModelIndex& index) const {
  const Theme& theme = Theme::of(option.palette);
  const bool low = index.data(ActionTableModel::LowRole).toBool();
  const bool selected = option.state.testFlag(QStyle::State_Selected);
  QStyleOptionViewItem shown = option;
  if (low && !selected) shown.palette.setColor(QPalette::Text, theme.diverged);
  QStyledItemDelegate::paint(painter, shown, index);
  const double share = std::clamp(index.data(ActionTableModel::ProbabilityRole).toDouble(), 0.0, 1.0);
  const int longest = std::min(kLongestBar, option.rect.width() - kNumberWidth - metrics::kMargin);
  if (longest <= 0) return;
  QRect bar(option.rect.left() + metrics::kGrid, option.rect.center().y() - kBarHeight / 2 + 1, longest,
            kBarHeight);
  const QColor colour =
      selected ? option.palette.color(QPalette::HighlightedText) : (low ? theme.diverged : theme.accent);
  painter->save();
  painter->setPen(colour);
  painter->drawRect(bar.adjusted(0, 0, -1, -1));
  bar.setWidth(std::max(1, int(share * longest)));
  painter->fillRect(bar, colour);
  painter->restore();
}

QSize ProbabilityDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  return {kLongestBar + kNumberWidth + metrics::kMargin,
          QStyledItemDelegate::sizeHint(option, index).height()};
}

}  // namespace fathom
