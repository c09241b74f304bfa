// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/analysis_entry.h"
#include "views/tables/table_model.h"

namespace fathom {

// Every recorded point of one metric: a row for each update that any run has a point of, a column for each
// run. A tool tip says all there is of a point.
class CurveTableModel : public TableModel {
  Q_OBJECT

 public:
  using TableModel::TableModel;
  void setCurves(std::vector<RunCurve> curves, const QString& metric);
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  // All points run after run (run, name, step, seconds, epoch, value), RFC 4180; numbers in full precision.
  QString csv() const;

 private:
  qsizetype shownRows() const override { return qsizetype(m_steps.size()); }
  qsizetype shownColumns() const override { return qsizetype(m_curves.size()) + 1; }
  QString title(int column) const override;
  std::vector<RunCurve> m_curves;
  std::vector<double> m_steps;  // of all curves, ascending
  QString m_metric;
};

}  // namespace fathom
