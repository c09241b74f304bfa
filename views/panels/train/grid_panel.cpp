// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/grid_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTableView>
#include <algorithm>
#include <cmath>

#include "core/analysis/training/grid_preset.h"
#include "core/record/presets.h"
#include "views/look/engine_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/empty_state.h"
#include "views/tables/grid_table_model.h"

namespace fathom {

namespace {

GridPreset presetOf(const GridView& grid) {
  const auto preset = findPreset(grid.preset);
  return preset.ok() ? gridPresetFromJson(preset->grid, grid.preset).value() : GridPreset();
}

// Without smoothing the loss of a validation is its nll: two columns would say one number.
bool sameNumbers(const QVector<RunItem>& runs, const QString& a, const QString& b) {
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return std::all_of(runs.cbegin(), runs.cend(), [&](const RunItem& run) {
    return run.best.contains(a) == run.best.contains(b) && same(run.best.value(a), run.best.value(b)) &&
           same(run.last.value(a), run.last.value(b));
  });
}

// The metrics of a grid's table: those that its preset is about, and the scores that any of its runs was
// validated by; of those that are the same numbers the one that says more.
Metrics scoresOf(const QVector<RunItem>& runs, const GridPreset& preset) {
  const MetricCatalogue catalogue = metricsOf(runs);
  Metrics metrics;
  for (const std::string& id : preset.metrics)
    if (std::any_of(runs.cbegin(), runs.cend(),
                    [&](const RunItem& run) { return run.last.contains(fromUtf8(id)); }))
      metrics.push_back(catalogue.of(id));
  const auto asked = metrics.size();
  std::vector<std::string> scores;
  for (const RunItem& run : runs)
    for (const QString& id : run.best.keys())
      if (std::find(scores.begin(), scores.end(), toUtf8(id)) == scores.end()) scores.push_back(toUtf8(id));
  std::vector<std::string> telling = catalogue.headlines(scores);
  telling.insert(telling.end(), scores.begin(), scores.end());
  for (const std::string& id : telling) {
    const bool said = std::any_of(metrics.begin(), metrics.end(), [&](const Metric& other) {
      return other.id == id || sameNumbers(runs, fromUtf8(other.id), fromUtf8(id));
    });
    if (!said) metrics.push_back(catalogue.of(id));
  }
  std::sort(metrics.begin() + static_cast<std::ptrdiff_t>(asked), metrics.end(),
            [](const Metric& a, const Metric& b) { return a.id < b.id; });
  return metrics;
}

// A run that is not there was deleted: what waits has an item, too.
GridTable tableOf(const GridView& grid, const QVector<RunItem>& all) {
  QHash<QString, int> wanted;
  for (int i = 0; i < grid.runs.size(); ++i) wanted.insert(grid.runs[i], i);
  QVector<RunItem> runs;
  std::vector<std::string> uuids(static_cast<std::size_t>(grid.runs.size()));
  std::vector<RunFacts> facts;
  for (const RunItem& run : all) {
    const auto place = wanted.constFind(run.uuid);
    if (place == wanted.cend()) continue;
    uuids[static_cast<std::size_t>(*place)] = toUtf8(run.uuid);
    facts.push_back(factsOf(run));
    runs.append(run);
  }
  const GridPreset preset = presetOf(grid);
  GridTable table = gridTable(grid.axes, uuids, facts, scoresOf(runs, preset));
  addPublished(table, preset.published);
  addVerdicts(table, grid.verdicts);
  return table;
}

}  // namespace

GridPanel::GridPanel(QWidget* parent)
    : QWidget(parent),
      m_model(new GridTableModel(this)),
      m_sorted(new QSortFilterProxyModel(this)),
      m_choice(narrowChoice(this, tr("Which grid"), 16)),
      m_progress(new QLabel(this)),
      m_stack(new QStackedWidget(this)),
      m_table(rowTable(m_sorted, tr("Grid"), this)),
      m_empty(new EmptyState(this)),
      m_latex(new QPushButton(icon(QStringLiteral("copy")), tr("Copy as LaTeX"), this)),
      m_text(new QPushButton(icon(QStringLiteral("copy")), tr("Copy as text"), this)) {
  m_sorted->setSourceModel(m_model);
  m_sorted->setSortRole(GridTableModel::SortRole);
  m_table->setSortingEnabled(true);
  m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_table->setObjectName(QStringLiteral("gridTable"));
  m_table->horizontalHeader()->setStretchLastSection(true);
  m_empty->setText(tr("No grid yet. “Grid over…” on the page of a new run makes one: any options × seeds."));
  m_stack->addWidget(m_table);
  m_stack->addWidget(m_empty);
  auto* bar = makeRow({{m_choice, 1}, m_progress, m_latex, m_text}, metrics::kMargin,
                      {metrics::kMargin, metrics::kGrid, metrics::kMargin, metrics::kGrid});
  makeColumn(this, {bar, {m_stack, 1}}, 0);
  connect(m_choice, &QComboBox::currentIndexChanged, this, &GridPanel::refresh);
  connect(m_latex, &QPushButton::clicked, this, [this] { copy(m_model->asLatex()); });
  connect(m_text, &QPushButton::clicked, this, [this] { copy(m_model->asText()); });
  connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    QStringList runs;
    for (const QModelIndex& row : m_table->selectionModel()->selectedRows())
      runs += row.data(GridTableModel::RunsRole).toStringList();
    if (!runs.isEmpty()) Q_EMIT runsPicked(runs);
  });
  refresh();
}

void GridPanel::setGrids(const QVector<GridView>& grids, const QHash<QString, QString>& titles) {
  const QString current = currentGrid();
  m_grids = grids;
  m_titles = titles;
  {
    const QSignalBlocker block(m_choice);
    m_choice->clear();
    for (const GridView& grid : grids) m_choice->addItem(grid.name, grid.uuid);
    const int index = m_choice->findData(current);
    m_choice->setCurrentIndex(index >= 0 ? index : m_choice->count() - 1);
  }
  refresh();
}

void GridPanel::setRuns(const QVector<RunItem>& runs) {
  m_runs = runs;
  refresh();
}

QString GridPanel::currentGrid() const {
  return m_choice->currentData().toString();
}

void GridPanel::refresh() {
  const int at = m_choice->currentIndex();
  const bool any = at >= 0 && at < m_grids.size();
  m_choice->setVisible(any);
  m_latex->setVisible(any);
  m_text->setVisible(any);
  m_stack->setCurrentWidget(any ? static_cast<QWidget*>(m_table) : m_empty);
  if (!any) {
    m_progress->clear();
    return;
  }
  const GridView& grid = m_grids[at];
  m_model->setTable(tableOf(grid, m_runs), m_titles);
  m_table->resizeColumnsToContents();
  m_progress->setText(tr("%1 of %2 ended").arg(m_model->finishedRuns()).arg(grid.runs.size()));
}

void GridPanel::copy(const QString& text) {
  QApplication::clipboard()->setText(text);
}

}  // namespace fathom
