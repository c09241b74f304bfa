// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/figures/figure_list_panel.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPainter>
#include <QSignalBlocker>
#include <QToolButton>
#include <QTreeWidget>

#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {

constexpr QSize kPicture{56, 40};

// The picture in a frame of one size, or the symbol of figures.
QPixmap framed(const QImage& picture, const Theme& theme, qreal ratio) {
  QPixmap pixmap(kPicture * ratio);
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  if (picture.isNull()) {
    const QPixmap symbol = iconPixmap(QStringLiteral("figure"), theme.secondary, metrics::kToolIcon, ratio);
    painter.drawPixmap((kPicture.width() - metrics::kToolIcon) / 2,
                       (kPicture.height() - metrics::kToolIcon) / 2, symbol);
    return pixmap;
  }
  const QSize size = picture.size().scaled(kPicture - QSize(2, 2), Qt::KeepAspectRatio);
  const QRect place(QPoint((kPicture.width() - size.width()) / 2, (kPicture.height() - size.height()) / 2),
                    size);
  painter.drawImage(place, picture);
  painter.setPen(theme.separator);
  painter.drawRect(place.adjusted(-1, -1, 0, 0));
  return pixmap;
}

}  // namespace

FigureListPanel::FigureListPanel(QWidget* parent)
    : QWidget(parent),
      m_filter(filterLine(this, tr("Filter"), tr("Filter of figures"))),
      m_tree(new QTreeWidget(this)),
      m_buttons(new QHBoxLayout) {
  m_tree->setHeaderHidden(true);
  m_tree->setColumnCount(1);
  m_tree->setIconSize(kPicture);
  m_tree->setIndentation(metrics::kMargin);
  m_tree->setContextMenuPolicy(Qt::ActionsContextMenu);
  m_tree->setAccessibleName(tr("Figures of the project"));
  m_tree->header()->setStretchLastSection(true);
  m_tree->setTextElideMode(Qt::ElideRight);
  m_buttons->setContentsMargins(metrics::kGrid, 0, metrics::kGrid, metrics::kGrid);
  auto* top = makeRow({m_filter}, kStyleGap, {metrics::kGrid, 0, metrics::kGrid, 0});
  makeColumn(this, {top, {m_tree, 1}, m_buttons}, metrics::kGrid, {0, metrics::kGrid, 0, 0});
  connect(m_filter, &QLineEdit::textChanged, this, &FigureListPanel::applyFilter);
  connect(m_tree, &QTreeWidget::currentItemChanged, this, &FigureListPanel::currentChanged);
  // A page needs no second click: to look at it changes nothing.
  connect(m_tree, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
    if (const auto entry = entryOf(item); entry && entry->kind == Kind::Composition) Q_EMIT activated(*entry);
  });
  connect(m_tree, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
    if (const auto entry = entryOf(item)) Q_EMIT activated(*entry);
  });
}

void FigureListPanel::setActions(const QList<QAction*>& buttons, const QList<QAction*>& context) {
  for (QAction* action : buttons) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::StrongFocus);
    m_buttons->addWidget(button);
  }
  m_buttons->addStretch(1);
  m_tree->addActions(context);
}

void FigureListPanel::setEntries(const QVector<Entry>& entries) {
  m_entries = entries;
  fill();
}

void FigureListPanel::fill() {
  const auto before = current();
  const QSignalBlocker quiet(m_tree);
  m_tree->clear();
  const QPair<Kind, QString> headings[] = {{Kind::Composition, tr("Compositions")},
                                           {Kind::Stored, tr("Stored figures")},
                                           {Kind::Figure, tr("Kinds of figures")}};
  const Theme& theme = Theme::of(palette());
  for (const auto& [kind, title] : headings) {
    auto* top = new QTreeWidgetItem(m_tree, {title});
    top->setFlags(Qt::ItemIsEnabled);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    top->setFont(0, bold);
    for (int i = 0; i < m_entries.size(); ++i) {
      const Entry& entry = m_entries[i];
      if (entry.kind != kind) continue;
      auto* item = new QTreeWidgetItem(top, {entry.title});
      item->setData(0, Qt::UserRole, i);
      item->setSizeHint(0, {0, entry.kind == Kind::Figure ? metrics::kTableRow : kPicture.height() + 4});
      item->setToolTip(0, entry.hint.isEmpty() ? entry.title : entry.title + QLatin1Char('\n') + entry.hint);
      if (entry.kind != Kind::Figure)
        item->setIcon(0, framed(m_pictures.value(entry.id), theme, devicePixelRatioF()));
      if (entry.id == m_open) item->setFont(0, bold);
    }
    top->setExpanded(true);
    top->setHidden(top->childCount() == 0);
  }
  if (before) setCurrent(before->id);
  applyFilter();
}

void FigureListPanel::setPicture(const QString& id, const QImage& picture) {
  m_pictures.insert(id, picture);
  if (QTreeWidgetItem* item = itemOf(id))
    item->setIcon(0, framed(picture, Theme::of(palette()), devicePixelRatioF()));
}

void FigureListPanel::setOpen(const QString& composition) {
  for (const QString& id : {m_open, composition}) {
    QTreeWidgetItem* item = itemOf(id);
    if (item == nullptr) continue;
    QFont shown = font();
    if (id == composition) shown.setWeight(QFont::DemiBold);
    item->setFont(0, shown);
  }
  m_open = composition;
}

QTreeWidgetItem* FigureListPanel::itemOf(const QString& id) const {
  for (int i = 0; i < m_tree->topLevelItemCount(); ++i)
    for (int k = 0; k < m_tree->topLevelItem(i)->childCount(); ++k) {
      QTreeWidgetItem* item = m_tree->topLevelItem(i)->child(k);
      if (const auto entry = entryOf(item); entry && entry->id == id) return item;
    }
  return nullptr;
}

std::optional<FigureListPanel::Entry> FigureListPanel::entryOf(const QTreeWidgetItem* item) const {
  if (item == nullptr || !item->data(0, Qt::UserRole).isValid()) return std::nullopt;
  return m_entries.value(item->data(0, Qt::UserRole).toInt());
}

std::optional<FigureListPanel::Entry> FigureListPanel::current() const {
  return entryOf(m_tree->currentItem());
}

std::optional<FigureListPanel::Entry> FigureListPanel::entryAt(const QPoint& position) const {
  return entryOf(m_tree->itemAt(position));
}

void FigureListPanel::setCurrent(const QString& id) {
  if (QTreeWidgetItem* item = itemOf(id)) m_tree->setCurrentItem(item);
}

void FigureListPanel::applyFilter() {
  const QStringList words = m_filter->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
  for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
    QTreeWidgetItem* top = m_tree->topLevelItem(i);
    int shown = 0;
    for (int k = 0; k < top->childCount(); ++k) {
      bool fits = true;
      for (const QString& word : words)
        fits = fits && top->child(k)->toolTip(0).contains(word, Qt::CaseInsensitive);
      top->child(k)->setHidden(!fits);
      shown += fits ? 1 : 0;
    }
    top->setHidden(shown == 0);
  }
}

void FigureListPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) fill();
}

}  // namespace fathom
