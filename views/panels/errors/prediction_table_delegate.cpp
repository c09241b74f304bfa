// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/prediction_table_delegate.h"

#include <QApplication>
#include <QPainter>
#include <QPixmapCache>
#include <QStringBuilder>
#include <iterator>

#include "views/figure/figure_colours.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
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

namespace {

// The square as a picture, drawn once for each look: a table of many models shows hundreds of them.
void paintSquare(QPainter* painter, const QPoint& topLeft, const std::string& id, bool human, bool stale,
                 const QString& letter, const QColor& text) {
  constexpr int kPicture = kSquare + 6;  // the pen mark reaches out of the square
  const qreal ratio = painter->device()->devicePixelRatioF();
  const QString category = fromUtf8(id);
  const QRgb colour = text.rgba();
  const QChar look[] = {QChar(u'0' + char16_t(human) + 2 * char16_t(stale)), QChar(char16_t(colour >> 16U)),
                        QChar(char16_t(colour)), QChar(char16_t(ratio * 64))};
  const QString key = u"fathom-category/" % category % u'/' % letter % u'/' % painter->font().family() %
                      QStringView(look, std::size(look));
  QPixmap picture;
  if (!QPixmapCache::find(key, &picture)) {
    picture = QPixmap(QSize(kPicture, kPicture) * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter square(&picture);
    square.setFont(painter->font());
    paintCategory(&square, {1, 1}, category, human, stale, letter, text);
    square.end();
    QPixmapCache::insert(key, picture);
  }
  painter->drawPixmap(topLeft - QPoint(1, 1), picture);
}

// The colours of a row as the style has them.
QPalette::ColorGroup colours(const QStyleOptionViewItem& option) {
  if (!(option.state & QStyle::State_Enabled)) return QPalette::Disabled;
  return option.state & QStyle::State_Active ? QPalette::Normal : QPalette::Inactive;
}

}  // namespace

// One line of text, cut with an ellipsis where it does not fit. The style would lay each out as a document.
void PredictionTableDelegate::paintText(QPainter* painter, const QStyleOptionViewItem& option,
                                        const QRect& area, const QString& text,
                                        Qt::Alignment alignment) const {
  if (text.isEmpty() || area.width() <= 0) return;
  // Text that cannot be seen need not be measured: no letter is narrower than a pixel.
  QString shown = text.left(area.width());
  if (shown.size() < text.size() || option.fontMetrics.horizontalAdvance(shown) > area.width())
    shown = option.fontMetrics.elidedText(shown, Qt::ElideRight, area.width());
  painter->drawText(area, int(alignment | Qt::AlignVCenter | Qt::TextSingleLine), shown);
}

void PredictionTableDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                                    const QModelIndex& index) const {
  const auto* model = static_cast<const PredictionTableModel*>(index.model());
  const QStyle* style = option.widget != nullptr ? option.widget->style() : QApplication::style();
  style->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, painter, option.widget);
  const bool ofModel = model->modelOfColumn(index.column()) >= 0;
  const bool category = index.column() == model->categoryColumn();
  const QString text = index.data().toString();
  const bool selected = option.state.testFlag(QStyle::State_Selected);
  const QPalette::ColorGroup group = colours(option);
  painter->setFont(option.font);
  painter->setPen(option.palette.color(group, selected ? QPalette::HighlightedText : QPalette::Text));
  if (!ofModel && !category) {
    const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, option.widget) + 1;
    const auto side = Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt()) & Qt::AlignHorizontal_Mask;
    paintText(painter, option, option.rect.adjusted(margin, 0, -margin, 0), text, side);
  } else {
    paintVerdict(painter, option, index, text, ofModel);
  }
  if (option.state.testFlag(QStyle::State_HasFocus)) {
    QStyleOptionFocusRect focus;
    focus.QStyleOption::operator=(option);
    focus.state |= QStyle::State_KeyboardFocusChange | QStyle::State_Item;
    focus.backgroundColor = option.palette.color(group, selected ? QPalette::Highlight : QPalette::Window);
    style->drawPrimitive(QStyle::PE_FrameFocusRect, &focus, painter, option.widget);
  }
}

void PredictionTableDelegate::paintVerdict(QPainter* painter, const QStyleOptionViewItem& option,
                                           const QModelIndex& index, const QString& text,
                                           bool ofModel) const {
  const Theme& theme = Theme::of(option.palette);
  const auto [category, human, stale, right] =
      static_cast<const PredictionTableModel*>(index.model())->shownAt(index);
  const int top = option.rect.center().y() - kSquare / 2 + 1;
  const bool square = !right || human;
  painter->setPen(right ? theme.secondary : theme.text);
  if (ofModel) {
    if (square && text != QLatin1String("–")) {
      paintSquare(painter, {option.rect.center().x() - kSquare / 2 + 1, top}, category, human, stale, text,
                  theme.text);
    } else {
      painter->drawText(option.rect, Qt::AlignCenter, text);
    }
    return;
  }
  QRect area = option.rect.adjusted(metrics::kGrid, 0, -metrics::kGrid, 0);
  if (square) paintSquare(painter, {area.left(), top}, category, human, stale, {}, theme.text);
  area.setLeft(area.left() + kSquare + metrics::kMargin);
  paintText(painter, option, area, text, Qt::AlignLeft);
}

}  // namespace fathom
