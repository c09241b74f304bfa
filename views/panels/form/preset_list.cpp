// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/form/preset_list.h"

#include <QEvent>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyledItemDelegate>

#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {

constexpr int kReferenceRole = Qt::UserRole + 1;

// Title, under it the id in small type.
class PresetDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QFontMetrics metrics(option.font);
    return {120, metrics.height() * 2 + metrics::kMargin};
  }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    item.text.clear();
    const QWidget* widget = option.widget;
    widget->style()->drawControl(QStyle::CE_ItemViewItem, &item, painter, widget);
    const Theme& theme = Theme::of(option.palette);
    const QRect area =
        option.rect.adjusted(metrics::kMargin, metrics::kGrid, -metrics::kMargin, -metrics::kGrid);
    QFont small = option.font;
    small.setPointSizeF(small.pointSizeF() * .9);
    painter->setPen(theme.text);
    painter->setFont(option.font);
    const QFontMetrics metrics(option.font);
    painter->drawText(area, Qt::AlignLeft | Qt::AlignTop,
                      metrics.elidedText(index.data().toString(), Qt::ElideRight, area.width()));
    painter->setPen(theme.secondary);
    painter->setFont(small);
    painter->drawText(
        area, Qt::AlignLeft | Qt::AlignBottom,
        QFontMetrics(small).elidedText(index.data(kReferenceRole).toString(), Qt::ElideRight, area.width()));
  }
};

}  // namespace

PresetList::PresetList(QWidget* parent) : QWidget(parent), m_list(new QListWidget(this)) {
  QLabel* title = headingLabel(this, tr("Start from"));
  m_list->setItemDelegate(new PresetDelegate(m_list));
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setAccessibleName(tr("Presets"));
  m_list->setObjectName(QStringLiteral("presets"));
  makeColumn(this, {title, {m_list, 1}}, metrics::kGrid);
  connect(m_list, &QListWidget::itemActivated, this,
          [this](QListWidgetItem* item) { Q_EMIT chosen(item->data(Qt::UserRole).toString()); });
  // By mouse or keys: what is marked is what the form shows.
  connect(m_list, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
    if (item != nullptr) Q_EMIT chosen(item->data(Qt::UserRole).toString());
  });
}

void PresetList::setPresets(const QVector<PresetEntry>& presets) {
  const QSignalBlocker block(m_list);
  m_list->clear();
  for (const PresetEntry& preset : presets) {
    auto* item = new QListWidgetItem(preset.title, m_list);
    item->setData(Qt::UserRole, preset.id);
    item->setData(kReferenceRole, preset.id);
    item->setToolTip(preset.title + QStringLiteral("\n") + preset.description + QStringLiteral("\n") +
                     preset.reference);
    item->setData(Qt::AccessibleDescriptionRole, preset.description);
  }
}

void PresetList::setCurrent(const QString& id) {
  if (current() == id) return;
  const QSignalBlocker block(m_list);
  int row = -1;
  for (int i = 0; i < m_list->count(); ++i)
    if (m_list->item(i)->data(Qt::UserRole).toString() == id) row = i;
  m_list->setCurrentRow(row);
}

QString PresetList::current() const {
  const QListWidgetItem* item = m_list->currentItem();
  return item == nullptr ? QString() : item->data(Qt::UserRole).toString();
}

}  // namespace fathom
