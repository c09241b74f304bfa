// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/analysis_entry.h"
#include "views/tables/table_model.h"

namespace fathom {

// Every recorded point of one metric, run after run: run, updates, time, epoch, value.
class CurveTableModel : public TableModel {
  Q_OBJECT

 public:
  explicit CurveTableModel(QObject* parent = nullptr);
  void setCurves(std::vector<RunCurve> curves, const QString& metric);
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  // The whole table, RFC 4180; numbers in full precision.
  QString csv() const;

 private:
  qsizetype shownRows() const override { return qsizetype(m_starts.back()); }
  qsizetype shownColumns() const override { return 5; }
  QString title(int column) const override;
  std::vector<RunCurve> m_curves;
  std::vector<std::size_t> m_starts;  // first row of each curve, and the end
  QString m_metric;
};

}  // namespace fathom
