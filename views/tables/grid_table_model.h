// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QVector>

#include "core/analysis/seed_summary.h"
#include "views/tables/run_item.h"

namespace fathom {

// A grid of runs as a table: one row for each combination of the varied options, all seeds of it together;
// one column per metric with mean ± sample standard deviation and "failed k/n" (never silently left out).
class GridTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Role { RunsRole = Qt::UserRole, SortRole };  // uuids of the row's runs; number to sort by
  explicit GridTableModel(QObject* parent = nullptr);
  // `varied`: keys that span the grid, without the seed. A run whose state is diverged, failed, crashed,
  // killed or lost counts as failed; one that is still at work counts as open and does not enter the mean,
  // nor does one without the metric. The latest values count, as in `fathom grid --show`.
  void setGrid(const QVector<RunItem>& runs, const QStringList& varied, const QStringList& metrics,
               const QHash<QString, QString>& titles);
  // The table as LaTeX (booktabs), best mean of a column in bold; numbers in the C locale.
  QString asLatex() const;
  // Tab-separated, C locale.
  QString asText() const;
  int finishedRuns() const;
  int totalRuns() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  struct Cell {
    SeedSummary summary;  // of the runs that have ended
    bool best = false;
  };
  struct Line {
    QStringList values;  // of the varied options
    QStringList runs;
    int open = 0;  // queued or running
    int total = 0;
    QVector<Cell> cells;
  };
  void summarise(Line& line, const QVector<const RunItem*>& runs);
  void markBest();
  QString cellText(const Line& line, int metric, bool latex) const;
  QStringList m_varied;
  QVector<Metric> m_metrics;
  QHash<QString, QString> m_titles;
  QVector<Line> m_lines;
};

// Keys whose values differ between the runs, without those named in `ignored` (the seed).
QStringList variedKeys(const QVector<RunItem>& runs, const QStringList& ignored);

}  // namespace fathom
