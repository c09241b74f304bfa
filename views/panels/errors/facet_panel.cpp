// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/facet_panel.h"

#include <QHeaderView>
#include <QLocale>
#include <QSignalBlocker>

#include "views/look/theme.h"
#include "views/panels/errors/prediction_table_delegate.h"
#include "views/panels/widgets/compact_table.h"

namespace fathom {

namespace {
constexpr int kFacetRole = Qt::UserRole;
constexpr int kValueRole = Qt::UserRole + 1;
}  // namespace

FacetPanel::FacetPanel(QWidget* parent) : QTreeWidget(parent) {
  setColumnCount(2);
  setHeaderHidden(true);
  setUniformRowHeights(true);
  evenRows(this);
  setIndentation(14);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setAccessibleName(tr("Facets"));
  header()->setStretchLastSection(false);
  header()->setSectionResizeMode(0, QHeaderView::Stretch);
  header()->setSectionResizeMode(1, QHeaderView::Fixed);
  connect(this, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item, int column) {
    if (m_filling || column != 0 || item->parent() == nullptr) return;
    Q_EMIT ticked(item->data(0, kFacetRole).toInt(), item->data(0, kValueRole).toInt(),
                  item->checkState(0) == Qt::Checked);
  });
}

int FacetPanel::naturalHeight() const {
  int rows = 0;
  for (int i = 0; i < topLevelItemCount(); ++i)
    rows += 1 + (topLevelItem(i)->isExpanded() ? topLevelItem(i)->childCount() : 0);
  return rows * qMax(1, sizeHintForRow(0)) + 2 * frameWidth() + metrics::kGrid;
}

bool FacetPanel::sameValues(const ReviewFilter& filter) const {
  if (m_words.size() != filter.facets().size()) return false;
  for (std::size_t f = 0; f < m_words.size(); ++f) {
    const auto& values = filter.facets()[f].values;
    if (m_words[f].size() != values.size()) return false;
    for (std::size_t v = 0; v < values.size(); ++v)
      if (m_words[f][v] != values[v].word) return false;
  }
  return true;
}

void FacetPanel::build(const ReviewFilter& filter) {
  std::vector<bool> open;
  for (int i = 0; i < topLevelItemCount(); ++i) open.push_back(topLevelItem(i)->isExpanded());
  clear();
  m_items.clear();
  m_words.clear();
  for (std::size_t f = 0; f < filter.facets().size(); ++f) {
    const ReviewFacet& facet = filter.facets()[f];
    auto* top = new QTreeWidgetItem(this, {facet.title});
    top->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    QFont font = top->font(0);
    font.setWeight(QFont::DemiBold);
    top->setFont(0, font);
    auto& items = m_items.emplace_back();
    auto& words = m_words.emplace_back();
    for (std::size_t v = 0; v < facet.values.size(); ++v) {
      auto* item = new QTreeWidgetItem(top, {facet.values[v].title});
      item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
      item->setData(0, kFacetRole, int(f));
      item->setData(0, kValueRole, int(v));
      item->setToolTip(
          0,
          tr("%1 — also as %2:%3 in the filter").arg(facet.values[v].title, facet.id, facet.values[v].word));
      item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
      items.push_back(item);
      words.push_back(facet.values[v].word);
    }
    top->setExpanded(f < open.size() ? open[f] : f < 2);
  }
}

// Counts change with every key in the filter box: they are painted, and nothing else has to happen.
void FacetPanel::showCount(QTreeWidgetItem* item, const QString& text) {
  if (item->text(1) == text) return;
  const QSignalBlocker quiet(model());
  item->setText(1, text);
  viewport()->update();
}

void FacetPanel::showFilter(const ReviewFilter& filter) {
  m_filling = true;
  if (!sameValues(filter)) build(filter);
  const QLocale locale;
  const QString widest = locale.toString(filter.examples());
  const int room = fontMetrics().horizontalAdvance(widest) + 2 * metrics::kMargin;
  if (header()->sectionSize(1) != room) header()->resizeSection(1, room);
  for (std::size_t f = 0; f < m_items.size(); ++f) {
    bool any = false;
    for (std::size_t v = 0; v < m_items[f].size(); ++v) {
      QTreeWidgetItem* item = m_items[f][v];
      const int count = filter.facets()[f].values[v].count;
      const bool on = filter.ticked(int(f), int(v));
      showCount(item, locale.toString(count));
      const auto state = on ? Qt::Checked : Qt::Unchecked;
      if (item->data(0, Qt::CheckStateRole).isNull() || item->checkState(0) != state)
        item->setCheckState(0, state);
      const bool hidden = count == 0 && !on;
      if (item->isHidden() != hidden) item->setHidden(hidden);
      any = any || !hidden;
    }
    QTreeWidgetItem* top = topLevelItem(int(f));
    if (top->isHidden() == any) top->setHidden(!any);
  }
  m_filling = false;
}

}  // namespace fathom
