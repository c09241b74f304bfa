// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/prediction_table_delegate.h"

#include <QApplication>
#include <QPainter>

#include "views/figure/figure_colours.h"
#include "views/panels/theme.h"
#include "views/tables/prediction_table_model.h"

namespace fathom {

namespace {
constexpr int kSquare = 14;
}

void paintCategory(QPainter* painter, const QPoint& topLeft, const QString& category, bool human, bool stale,
                   const QString& letter, const QColor& text) {
  QColor colour = categoryColour(category);
  if (!colour.isValid()) colour = text;
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  const QRectF square(topLeft.x() + 0.5, topLeft.y() + 0.5, kSquare - 1, kSquare - 1);
  painter->setPen(QPen(colour, human ? 1.0 : 1.5, stale ? Qt::DotLine : Qt::SolidLine));
  painter->setBrush(human ? QBrush(colour) : QBrush(Qt::NoBrush));
  painter->drawRoundedRect(square, 2, 2);
  if (!letter.isEmpty()) {
    QFont font = painter->font();
    font.setPixelSize(10);
    painter->setFont(font);
    painter->setPen(human ? (contrastRatio(Qt::white, colour) > 3 ? Qt::white : Qt::black) : text);
    painter->drawText(square, Qt::AlignCenter, letter);
  }
  if (human) {
    // A small pen across the lower right corner.
    const QPointF tip(square.right() - 3, square.bottom() + 1), end(square.right() + 3, square.bottom() - 5);
    painter->setPen(QPen(text, 1.5, Qt::SolidLine, Qt::RoundCap));
    painter->drawLine(tip, end);
  }
  painter->restore();
}

void PredictionTableDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                                    const QModelIndex& index) const {
  const auto* model = qobject_cast<const PredictionTableModel*>(index.model());
  const bool ofModel = model != nullptr && model->modelOfColumn(index.column()) >= 0;
  const bool category = model != nullptr && index.column() == model->categoryColumn();
  QStyleOptionViewItem item = option;
  initStyleOption(&item, index);
  if (!ofModel && !category) {
    QStyledItemDelegate::paint(painter, option, index);
    return;
  }
  const QString text = item.text;
  item.text.clear();
  const QStyle* style = option.widget != nullptr ? option.widget->style() : QApplication::style();
  style->drawControl(QStyle::CE_ItemViewItem, &item, painter, option.widget);
  const Theme& theme = Theme::of(option.palette);
  const bool right = index.data(PredictionTableModel::CorrectRole).toBool();
  const bool human = index.data(PredictionTableModel::HumanRole).toBool();
  painter->save();
  painter->setFont(item.font);
  painter->setPen(right ? theme.secondary : theme.text);
  const int top = option.rect.center().y() - kSquare / 2 + 1;
  const QString id = index.data(PredictionTableModel::CategoryRole).toString();
  const bool square = !right || human;
  if (ofModel) {
    if (square && text != QLatin1String("–")) {
      paintCategory(painter, {option.rect.center().x() - kSquare / 2 + 1, top}, id, human,
                    index.data(PredictionTableModel::StaleRole).toBool(), text, theme.text);
    } else {
      painter->drawText(option.rect, Qt::AlignCenter, text);
    }
  } else {
    QRect area = option.rect.adjusted(metrics::kGrid, 0, -metrics::kGrid, 0);
    if (square)
      paintCategory(painter, {area.left(), top}, id, human,
                    index.data(PredictionTableModel::StaleRole).toBool(), {}, theme.text);
    area.setLeft(area.left() + kSquare + metrics::kMargin);
    painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                      item.fontMetrics.elidedText(text, Qt::ElideRight, area.width()));
  }
  painter->restore();
}

}  // namespace fathom
