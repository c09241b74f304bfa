// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that do not fit where they stand. An ellipsis at the end with the whole in a tool tip is no fault:
// what tells things apart stands first; one in the middle, or letters that are clipped, is.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSet>
#include <QStyle>
#include <QStyleOption>
#include <QTabBar>
#include <QTableView>
#include <QTextBoundaryFinder>
#include <QToolButton>
#include <algorithm>

#include "app/pictures/view_faults.h"
#include "views/figure/figure_renderer.h"
#include "views/panels/train/run_table_delegate.h"
#include "views/panels/widgets/elided_label.h"
#include "views/tables/run_table_model.h"

namespace fathom {

namespace {

constexpr int kRounding = 2;  // rounding of glyph widths

void cut(const QString& text, const QString& where, int needs, int has, QVector<ViewFault>* faults) {
  faults->append({ViewFault::Kind::TextCut, where,
                  QStringLiteral("“%1” needs %2 of %3").arg(text.left(60)).arg(needs).arg(has)});
}

// Tool tips are plain (foreign_text.h).
bool tipHas(const QString& tip, const QString& text) {
  return tip.contains(text.trimmed());
}

void checkLabel(const QLabel* label, const QString& where, QVector<ViewFault>* faults) {
  if (label->text().isEmpty() || !label->pixmap(Qt::ReturnByValue).isNull()) return;
  if (const auto* elided = qobject_cast<const ElidedLabel*>(label)) {
    // Fewer letters than this say nothing.
    constexpr int kLeast = 3;
    if (label->text() != elided->fullText() && label->text().size() < kLeast)
      cut(elided->fullText(), where, label->sizeHint().width(), label->width(), faults);
    return;
  }
  const QRect area = label->contentsRect();
  if (!label->wordWrap()) {
    const QSize needs = label->sizeHint() - (label->size() - area.size());
    if (needs.width() > area.width() + kRounding)
      cut(label->text(), where, needs.width(), area.width(), faults);
    if (needs.height() > area.height() + kRounding)
      cut(label->text(), where, needs.height(), area.height(), faults);
    return;
  }
  const int needs = label->heightForWidth(label->width());
  if (needs > label->height() + kRounding) cut(label->text(), where, needs, label->height(), faults);
  if (label->textFormat() != Qt::PlainText) return;
  // A line may end after blanks and hyphens, and between the letters of Chinese.
  QTextBoundaryFinder ends(QTextBoundaryFinder::Line, label->text());
  for (qsizetype from = 0, to = ends.toNextBoundary(); to > from; from = to, to = ends.toNextBoundary()) {
    const QString word = label->text().mid(from, to - from).trimmed();
    const int wide = label->fontMetrics().horizontalAdvance(word);
    if (wide > area.width() + kRounding) cut(word, where, wide, area.width(), faults);
  }
}

void checkButton(const QAbstractButton* button, const QString& where, QVector<ViewFault>* faults) {
  if (button->text().isEmpty()) return;
  int besides = 0;
  const auto* tool = qobject_cast<const QToolButton*>(button);
  const int icon = button->icon().isNull() ? 0 : button->iconSize().width() + 4;
  if (tool != nullptr) {
    const Qt::ToolButtonStyle style = tool->toolButtonStyle();
    if (style == Qt::ToolButtonIconOnly && icon > 0) return;
    besides = style == Qt::ToolButtonTextBesideIcon ? icon : 0;
    if (tool->popupMode() == QToolButton::MenuButtonPopup) besides += 12;
  } else if (qobject_cast<const QCheckBox*>(button) || qobject_cast<const QRadioButton*>(button)) {
    besides = button->style()->pixelMetric(QStyle::PM_IndicatorWidth, nullptr, button) + 4 + icon;
  } else {
    besides = icon + 4;
  }
  const int wide = button->fontMetrics().size(Qt::TextShowMnemonic, button->text()).width() + besides;
  if (wide > button->width() + kRounding) cut(button->text(), where, wide, button->width(), faults);
  const int high = button->fontMetrics().height();
  if (high > button->height() + kRounding) cut(button->text(), where, high, button->height(), faults);
}

void checkChoice(const QComboBox* box, const QString& where, QVector<ViewFault>* faults) {
  QStyleOptionComboBox option;
  option.initFrom(box);
  option.editable = box->isEditable();
  const QRect area =
      box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box);
  const int icon = box->itemIcon(box->currentIndex()).isNull() ? 0 : box->iconSize().width() + 4;
  const int wide = box->fontMetrics().horizontalAdvance(box->currentText()) + icon;
  if (wide > area.width() + kRounding && !tipHas(box->toolTip(), box->currentText()))
    cut(box->currentText(), where, wide, area.width(), faults);
}

void checkLine(const QLineEdit* line, const QString& where, QVector<ViewFault>* faults) {
  if (!line->text().isEmpty() || line->placeholderText().isEmpty()) return;
  const int wide = line->fontMetrics().horizontalAdvance(line->placeholderText());
  constexpr int kInside = 8;
  if (wide + kInside > line->width() && !tipHas(line->toolTip(), line->placeholderText()))
    cut(line->placeholderText(), where, wide + kInside, line->width(), faults);
}

void checkTabs(const QTabBar* bar, const QString& where, QVector<ViewFault>* faults) {
  for (int i = 0; i < bar->count(); ++i) {
    if (!bar->isTabVisible(i)) continue;
    const QRect place = bar->tabRect(i);
    const int wide = bar->fontMetrics().size(Qt::TextShowMnemonic, bar->tabText(i)).width();
    if (wide > place.width() + kRounding && !tipHas(bar->tabToolTip(i), bar->tabText(i)))
      cut(bar->tabText(i), where, wide, place.width(), faults);
    if (!bar->rect().contains(place)) cut(bar->tabText(i), where, place.right() + 1, bar->width(), faults);
  }
}

void checkHeader(const QHeaderView* header, const QString& where, QVector<ViewFault>* faults) {
  if (header->orientation() != Qt::Horizontal || header->model() == nullptr) return;
  for (int section = 0; section < header->count(); ++section) {
    if (header->isSectionHidden(section)) continue;
    const int left = header->sectionViewportPosition(section), has = header->sectionSize(section);
    if (left < 0 || left + has > header->viewport()->width()) continue;  // scrolled away in part
    const auto data = [&](int role) { return header->model()->headerData(section, Qt::Horizontal, role); };
    const QString text = data(Qt::DisplayRole).toString();
    constexpr int kPadding = 14;  // of the style at both sides, less a hair
    const int wide = header->fontMetrics().horizontalAdvance(text) + kPadding;
    if (wide > has + kRounding && !tipHas(data(Qt::ToolTipRole).toString(), text))
      cut(text, where, wide, has, faults);
  }
}

// Width beside the last column of a view that a column could have.
int freeWidth(const QAbstractItemView* view) {
  const auto* table = qobject_cast<const QTableView*>(view);
  if (table == nullptr || table->horizontalHeader()->stretchLastSection()) return 0;
  return view->viewport()->width() - table->horizontalHeader()->length();
}

// The state of a run, which its icon says too.
bool hasIcon(const QAbstractItemView* view, const QModelIndex& index) {
  return index.column() == RunTableModel::State &&
         qobject_cast<const RunTableDelegate*>(view->itemDelegate()) != nullptr;
}

// Its cells that are wholly in view.
void checkCells(const QAbstractItemView* view, const QString& where, QVector<ViewFault>* faults) {
  if (view->model() == nullptr) return;
  if (view->textElideMode() == Qt::ElideMiddle)
    faults->append({ViewFault::Kind::TextCut, where, QStringLiteral("its names are cut in the middle")});
  constexpr int kStep = 3;
  QSet<QModelIndex> seen;
  QVector<QRect> known;  // lists lay cells out anew at each question
  const auto isKnown = [&known](const QPoint& point) {
    return std::any_of(known.crbegin(), known.crend(),
                       [&](const QRect& cell) { return cell.contains(point); });
  };
  for (int y = 2; y < view->viewport()->height(); y += kStep) {
    for (int x = 2; x < view->viewport()->width(); x += 4 * kStep) {
      if (isKnown({x, y})) continue;
      const QModelIndex index = view->indexAt({x, y});
      if (!index.isValid() || seen.contains(index)) continue;
      seen.insert(index);
      const QRect place = view->visualRect(index);
      known.append(place);
      if (!view->viewport()->rect().contains(place)) continue;
      const QString text = index.data().toString();
      const QString shown = view_faults::shownText(view, index);
      if (text.isEmpty() || shown.isNull() || shown == text) continue;
      const bool named = tipHas(index.data(Qt::ToolTipRole).toString(), text);
      if (named && shown.isEmpty() && hasIcon(view, index)) continue;
      const int missing =
          view->fontMetrics().horizontalAdvance(text) - view->fontMetrics().horizontalAdvance(shown);
      if (!named || (missing > 0 && freeWidth(view) >= missing))
        cut(text, where, view->fontMetrics().horizontalAdvance(text), place.width(), faults);
    }
  }
}

// Titles of panels and axes; words along an axis (tokens, names of schemas) are cut as they must be.
void checkFigure(const FigureRenderer* figure, const QString& where, QVector<ViewFault>* faults) {
  for (const PanelLayout& panel : figure->layout().panels) {
    for (const PlacedText& text : panel.texts) {
      if (!text.line.elided() || !text.line.plain().contains(QChar(0x2026))) continue;
      faults->append({ViewFault::Kind::TextCut, where,
                      QStringLiteral("“%1” is drawn as “%2”").arg(text.full, text.line.plain())});
    }
  }
}

}  // namespace

QString view_faults::shownText(const QAbstractItemView* view, const QModelIndex& index) {
  const QString text = index.data().toString();
  const auto* runs = qobject_cast<const RunTableDelegate*>(view->itemDelegate());
  if (runs != nullptr && index.column() == RunTableModel::Name) return runs->shownName(view, index);
  if (runs != nullptr && index.column() == RunTableModel::State)
    return RunTableDelegate::shownState(view, index);
  QFont font = view->font();
  if (const QVariant own = index.data(Qt::FontRole); own.isValid()) font = own.value<QFont>().resolve(font);
  const QFontMetrics measure(font);
  int room = view->visualRect(index).width() - 6;
  if (!index.data(Qt::DecorationRole).isNull()) room -= 20;
  if (index.data(Qt::CheckStateRole).isValid()) room -= 20;
  QString widest;
  for (const QString& line : text.split(u'\n'))
    if (measure.horizontalAdvance(line) > measure.horizontalAdvance(widest)) widest = line;
  // Delegates that wrap say so by the height that they ask for.
  const int lines = qMax(1, view->visualRect(index).height() / qMax(1, measure.lineSpacing()));
  if (measure.horizontalAdvance(widest) <= room * lines) return text;
  return measure.elidedText(text, view->textElideMode(), room * lines);
}

void view_faults::checkText(const QWidget* widget, const QString& where, QVector<ViewFault>* faults) {
  if (const auto* label = qobject_cast<const QLabel*>(widget)) return checkLabel(label, where, faults);
  if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
    return checkButton(button, where, faults);
  if (const auto* box = qobject_cast<const QComboBox*>(widget)) return checkChoice(box, where, faults);
  if (const auto* line = qobject_cast<const QLineEdit*>(widget)) return checkLine(line, where, faults);
  if (const auto* bar = qobject_cast<const QTabBar*>(widget)) return checkTabs(bar, where, faults);
  if (const auto* header = qobject_cast<const QHeaderView*>(widget))
    return checkHeader(header, where, faults);
  if (const auto* group = qobject_cast<const QGroupBox*>(widget)) {
    const int wide = group->fontMetrics().horizontalAdvance(group->title());
    if (wide > group->width()) cut(group->title(), where, wide, group->width(), faults);
  }
  if (const auto* figure = dynamic_cast<const FigureRenderer*>(widget)) checkFigure(figure, where, faults);
  if (const auto* view = qobject_cast<const QAbstractItemView*>(widget)) checkCells(view, where, faults);
}

}  // namespace fathom
