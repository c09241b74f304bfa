// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/form/preset_list.h"

#include <QHash>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <algorithm>

#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {

constexpr int kSentenceRole = Qt::UserRole + 1, kBadgesRole = Qt::UserRole + 2,
              kSearchRole = Qt::UserRole + 3;
constexpr int kBadgePadding = 5;

QFont smallFont(const QFont& font) {
  QFont small = font;
  small.setPointSizeF(small.pointSizeF() * .9);
  return small;
}

bool isHeading(const QModelIndex& index) {
  return index.data(Qt::UserRole).toString().isEmpty();
}

// A heading of a group; or a title, badges and a sentence, each as many lines as it needs.
class PresetDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const int width = widthOf(option);
    // Asked again and again while a window takes its size: breaking texts into lines is slow.
    const QString key = QStringList{option.font.key(), QString::number(width), index.data().toString(),
                                    index.data(kSentenceRole).toString(),
                                    index.data(kBadgesRole).toStringList().join(QLatin1Char('\t'))}
                            .join(QLatin1Char('\n'));
    if (m_heights.size() > kMostHeights) m_heights.clear();
    auto known = m_heights.constFind(key);
    if (known == m_heights.cend())
      known = m_heights.insert(key, place(option, index, QRect(0, 0, width, 0), nullptr));
    return {width, *known + 2 * metrics::kGrid};
  }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    item.text.clear();
    if (!isHeading(index))
      item.widget->style()->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
    painter->save();
    place(option, index, option.rect.adjusted(0, metrics::kGrid, 0, -metrics::kGrid), painter);
    painter->restore();
  }

 private:
  static constexpr qsizetype kMostHeights = 2000;
  static int widthOf(const QStyleOptionViewItem& option) {
    const auto* view = qobject_cast<const QListWidget*>(option.widget);
    return view != nullptr ? view->viewport()->width() : 200;
  }
  // The height of what stands in `area`; drawn there with a painter.
  static int place(const QStyleOptionViewItem& option, const QModelIndex& index, const QRect& area,
                   QPainter* painter) {
    const Theme& theme = Theme::of(option.palette);
    const int left = area.left() + metrics::kMargin, width = area.width() - 2 * metrics::kMargin;
    int y = area.top();
    const auto text = [&](const QString& what, const QFont& font, const QColor& colour) {
      if (what.isEmpty()) return;
      const QRect needed = QFontMetrics(font).boundingRect(QRect(0, 0, width, 10000), Qt::TextWordWrap, what);
      if (painter != nullptr) {
        painter->setFont(font);
        painter->setPen(colour);
        painter->drawText(QRect(left, y, width, needed.height()), Qt::TextWordWrap, what);
      }
      y += needed.height();
    };
    if (isHeading(index)) {
      QFont font = option.font;
      font.setBold(true);
      text(index.data().toString(), font, theme.secondary);
      return y - area.top();
    }
    text(index.data().toString(), option.font, theme.text);
    const QFont small = smallFont(option.font);
    y += badges(index.data(kBadgesRole).toStringList(), small, theme, QPoint(left, y + 2), width, painter);
    text(index.data(kSentenceRole).toString(), small, theme.secondary);
    return y - area.top();
  }
  static int badges(const QStringList& all, const QFont& font, const Theme& theme, QPoint at, int width,
                    QPainter* painter) {
    if (all.isEmpty()) return 0;
    const QFontMetrics sizes(font);
    const int height = sizes.height() + 2, first = at.x(), top = at.y();
    for (const QString& badge : all) {
      const int needed = sizes.horizontalAdvance(badge) + 2 * kBadgePadding;
      if (at.x() > first && at.x() + needed > first + width) at = QPoint(first, at.y() + height + 2);
      if (painter != nullptr) {
        const QRect box(at, QSize(needed, height));
        painter->setFont(font);
        painter->setPen(theme.secondary);
        painter->drawRoundedRect(QRectF(box).adjusted(.5, .5, -.5, -.5), 3, 3);
        painter->setPen(theme.text);
        painter->drawText(box, Qt::AlignCenter, badge);
      }
      at.rx() += needed + metrics::kGrid;
    }
    return at.y() + height - top + 4;
  }
  mutable QHash<QString, int> m_heights;  // of everything that a height depends on
};

void tellPreset(QListWidgetItem* item, const PresetEntry& preset) {
  item->setData(kBadgesRole, preset.badges);
  item->setData(kSearchRole, QStringList{preset.id, preset.title, preset.description, preset.reference,
                                         preset.group, preset.badges.join(QLatin1Char(' '))}
                                 .join(QLatin1Char(' '))
                                 .toLower());
  QStringList lines = {preset.id, preset.description, preset.reference, preset.timeTip};
  lines.removeAll(QString());
  item->setToolTip(lines.join(QLatin1Char('\n')));
  item->setData(Qt::AccessibleDescriptionRole, preset.badges.join(QStringLiteral(", ")) +
                                                   QStringLiteral(". ") + preset.timeTip + QLatin1Char(' ') +
                                                   preset.description);
}

// Keys go over headings: Home is the first preset, whatever stands above it.
class GroupedList : public QListWidget {
 public:
  using QListWidget::QListWidget;

 protected:
  QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override {
    const bool home = action == MoveHome, end = action == MoveEnd;
    const QModelIndex index = QListWidget::moveCursor(action, modifiers);
    if (!home && !end) return index;
    for (int i = 0; i < count(); ++i) {
      const int row = home ? i : count() - 1 - i;
      if (!item(row)->isHidden() && (item(row)->flags() & Qt::ItemIsEnabled)) return indexFromItem(item(row));
    }
    return index;
  }
};

}  // namespace

PresetList::PresetList(QWidget* parent)
    : QWidget(parent),
      m_filter(filterLine(this, tr("Filter presets"), tr("Filter presets"))),
      m_list(new GroupedList(this)) {
  QLabel* title = headingLabel(this, tr("Start from"));
  m_filter->setObjectName(QStringLiteral("presetFilter"));
  m_list->setItemDelegate(new PresetDelegate(m_list));
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_list->setResizeMode(QListView::Adjust);
  m_list->setAccessibleName(tr("Presets"));
  m_list->setObjectName(QStringLiteral("presets"));
  makeColumn(this, {title, m_filter, {m_list, 1}}, metrics::kGrid);
  setTabOrders({m_filter, m_list});
  connect(m_filter, &QLineEdit::textChanged, this, &PresetList::applyFilter);
  connect(m_list, &QListWidget::itemActivated, this,
          [this](QListWidgetItem* item) { Q_EMIT chosen(item->data(Qt::UserRole).toString()); });
  // By mouse or keys: what is marked is what the form shows.
  connect(m_list, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
    if (item != nullptr) Q_EMIT chosen(item->data(Qt::UserRole).toString());
  });
}

void PresetList::setPresets(const QVector<PresetEntry>& presets) {
  const QSignalBlocker block(m_list);
  const QString marked = current();
  m_list->clear();
  QString group;
  for (const PresetEntry& preset : presets) {
    if (!preset.group.isEmpty() && preset.group != group) {
      group = preset.group;
      auto* heading = new QListWidgetItem(group, m_list);
      heading->setFlags(Qt::NoItemFlags);
    }
    auto* item = new QListWidgetItem(preset.title, m_list);
    item->setData(Qt::UserRole, preset.id);
    item->setData(kSentenceRole, preset.sentence);
    tellPreset(item, preset);
  }
  applyFilter();
  setCurrent(marked);
}

void PresetList::tellPresets(const QVector<PresetEntry>& presets) {
  for (int i = 0; i < m_list->count(); ++i)
    for (const PresetEntry& preset : presets)
      if (!preset.id.isEmpty() && m_list->item(i)->data(Qt::UserRole).toString() == preset.id)
        tellPreset(m_list->item(i), preset);
  m_list->doItemsLayout();  // other badges may need another line
  applyFilter();
}

// A heading stands as long as something of its group does.
void PresetList::applyFilter() {
  const QStringList words = m_filter->text().toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts);
  QListWidgetItem* heading = nullptr;
  for (int i = 0; i < m_list->count(); ++i) {
    QListWidgetItem* item = m_list->item(i);
    if (item->data(Qt::UserRole).toString().isEmpty()) {
      heading = item;
      heading->setHidden(true);
      continue;
    }
    const QString text = item->data(kSearchRole).toString();
    const bool fits = std::all_of(words.cbegin(), words.cend(),
                                  [&text](const QString& word) { return text.contains(word); });
    item->setHidden(!fits);
    if (fits && heading != nullptr) heading->setHidden(false);
  }
}

void PresetList::clearFilter() {
  m_filter->clear();
}

void PresetList::setCurrent(const QString& id) {
  if (current() == id) return;
  const QSignalBlocker block(m_list);
  int row = -1;
  for (int i = 0; i < m_list->count(); ++i)
    if (!id.isEmpty() && m_list->item(i)->data(Qt::UserRole).toString() == id) row = i;
  m_list->setCurrentRow(row);
  if (row >= 0 && isVisible()) m_list->scrollToItem(m_list->item(row));
}

QString PresetList::current() const {
  const QListWidgetItem* item = m_list->currentItem();
  return item == nullptr ? QString() : item->data(Qt::UserRole).toString();
}

void PresetList::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (QListWidgetItem* chosen = m_list->currentItem()) m_list->scrollToItem(chosen);
}

// Titles break into lines by the width.
void PresetList::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_list->doItemsLayout();
  if (QListWidgetItem* chosen = m_list->currentItem()) m_list->scrollToItem(chosen);
}

}  // namespace fathom
