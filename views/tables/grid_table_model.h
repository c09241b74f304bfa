// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>

#include "core/analysis/training/run_grid.h"
#include "views/tables/table_model.h"

namespace fathom {

// A grid of runs as a table: one row for each combination of the varied options, all seeds of it together;
// one column per metric with mean ± sample standard deviation and "failed k/n" (never silently left out), and
// what a paper says of the same, and last what the trainability check said where somebody has asked it.
class GridTableModel : public TableModel {
  Q_OBJECT
 public:
  enum Role { RunsRole = Qt::UserRole, SortRole };  // uuids of the row's runs; number to sort by
  using TableModel::TableModel;
  // `titles`: of options, by key.
  void setTable(GridTable table, const QHash<QString, QString>& titles);
  // The table as LaTeX (booktabs), as `fathom grid --show --latex` prints it.
  QString asLatex() const;
  // Tab-separated, C locale.
  QString asText() const;
  int finishedRuns() const;

  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  qsizetype shownRows() const override { return qsizetype(m_table.lines.size()); }
  qsizetype shownColumns() const override {
    return qsizetype(m_table.keys.size() + m_table.metrics.size() + m_table.published.size()) +
           (m_table.hasVerdicts() ? 1 : 0);
  }
  QString title(int column) const override;
  const GridLine& line(int row) const { return m_table.lines[static_cast<std::size_t>(row)]; }
  QString keyTitle(int column) const;
  QString cellText(const GridLine& line, std::size_t metric) const;
  QVariant publishedData(const GridLine& line, std::size_t column, int role) const;
  QVariant verdictData(const GridLine& line, int role) const;
  GridTable m_table;
  QHash<QString, QString> m_titles;
  std::vector<bool> m_numberKeys;  // by key: its values are numbers
};

}  // namespace fathom
