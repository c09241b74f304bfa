// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QHash>

#include "core/analysis/run_grid.h"

namespace fathom {

// A grid of runs as a table: one row for each combination of the varied options, all seeds of it together;
// one column per metric with mean ± sample standard deviation and "failed k/n" (never silently left out).
class GridTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Role { RunsRole = Qt::UserRole, SortRole };  // uuids of the row's runs; number to sort by
  explicit GridTableModel(QObject* parent = nullptr);
  // `titles`: of options, by key.
  void setTable(GridTable table, const QHash<QString, QString>& titles);
  // The table as LaTeX (booktabs), as `fathom grid --show --latex` prints it.
  QString asLatex() const;
  // Tab-separated, C locale.
  QString asText() const;
  int finishedRuns() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  const GridLine& line(int row) const { return m_table.lines[static_cast<std::size_t>(row)]; }
  QString keyTitle(int column) const;
  QString cellText(const GridLine& line, std::size_t metric) const;
  GridTable m_table;
  QHash<QString, QString> m_titles;
};

}  // namespace fathom
