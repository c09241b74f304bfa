// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/facet_panel.h"

#include <QHeaderView>
#include <QLocale>
#include <QSignalBlocker>
#include <algorithm>

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
  const auto sameWord = [](const Value& shown, const ShownFacet::Value& value) {
    return shown.word == value.word;
  };
  return std::equal(m_values.begin(), m_values.end(), filter.facets().begin(), filter.facets().end(),
                    [&](const std::vector<Value>& shown, const ShownFacet& facet) {
                      return std::equal(shown.begin(), shown.end(), facet.values.begin(), facet.values.end(),
                                        sameWord);
                    });
}

void FacetPanel::build(const ReviewFilter& filter) {
  std::vector<bool> open;
  for (int i = 0; i < topLevelItemCount(); ++i) open.push_back(topLevelItem(i)->isExpanded());
  clear();
  m_values.clear();
  for (std::size_t f = 0; f < filter.facets().size(); ++f) {
    const ShownFacet& facet = filter.facets()[f];
    auto* top = new QTreeWidgetItem(this, {facet.title});
    top->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    QFont font = top->font(0);
    font.setWeight(QFont::DemiBold);
    top->setFont(0, font);
    auto& values = m_values.emplace_back();
    for (std::size_t v = 0; v < facet.values.size(); ++v) {
      auto* item = new QTreeWidgetItem(top, {facet.values[v].title});
      item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
      item->setData(0, kFacetRole, int(f));
      item->setData(0, kValueRole, int(v));
      item->setToolTip(
          0,
          tr("%1 — also as %2:%3 in the filter").arg(facet.values[v].title, facet.id, facet.values[v].word));
      item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
      values.push_back({facet.values[v].word, item});
    }
    top->setExpanded(f < open.size() ? open[f] : f < 2);
  }
}

// Most filter keys change few of many values, and counts alone: those are painted, nothing else has to
// happen.
void FacetPanel::showValue(int count, bool on, Value& value) {
  if (value.count == count && value.on == on) return;
  const bool first = value.count < 0;
  if (value.count != count) {
    const QSignalBlocker quiet(model());
    value.item->setText(1, QLocale().toString(count));
    viewport()->update();
  }
  if (first || value.on != on) value.item->setCheckState(0, on ? Qt::Checked : Qt::Unchecked);
  const bool hidden = value.hidden();
  value.count = count;
  value.on = on;
  if (first || value.hidden() != hidden) value.item->setHidden(value.hidden());
}

void FacetPanel::showFilter(const ReviewFilter& filter) {
  m_filling = true;
  if (!sameValues(filter)) build(filter);
  const QString widest = QLocale().toString(filter.examples());
  const int room = fontMetrics().horizontalAdvance(widest) + 2 * metrics::kMargin;
  if (header()->sectionSize(1) != room) header()->resizeSection(1, room);
  for (std::size_t f = 0; f < m_values.size(); ++f) {
    bool any = false;
    for (std::size_t v = 0; v < m_values[f].size(); ++v) {
      showValue(filter.facets()[f].values[v].count, filter.ticked(int(f), int(v)), m_values[f][v]);
      any = any || !m_values[f][v].hidden();
    }
    QTreeWidgetItem* top = topLevelItem(int(f));
    if (top->isHidden() == any) top->setHidden(!any);
  }
  m_filling = false;
}

}  // namespace fathom
