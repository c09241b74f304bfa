// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>

#include "core/base/json/json.h"
#include "views/tables/table_model.h"

namespace fathom {

// Parameters of a run as its initialisation left them, in the order of the model. A row is a parameter:
// its name, how it was filled, what it was scaled by afterwards, its standard deviation.
class InitReportModel : public TableModel {
  Q_OBJECT
 public:
  enum Column { Parameter, Rule, Factor, Deviation, Columns };
  using TableModel::TableModel;
  // `rows` as in core/init/init_report.h: [{name, shape, rule, base_std, factor, std, mean}]; a row that
  // lacks one of them is left out.
  void setRows(const Json& rows);
  void setOnlyScaled(bool only);
  int parameters() const { return static_cast<int>(m_lines.size()); }
  int scaled() const { return m_scaled; }

  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  qsizetype shownRows() const override { return m_shown.size(); }
  qsizetype shownColumns() const override { return Columns; }
  QString title(int column) const override;
  struct Line {
    QString name, shape, rule;
    double base = 0, factor = 1, deviation = 0, mean = 0;
  };
  void choose();
  QVector<Line> m_lines;
  QVector<int> m_shown;
  int m_scaled = 0;
  bool m_onlyScaled = false;
};

}  // namespace fathom
