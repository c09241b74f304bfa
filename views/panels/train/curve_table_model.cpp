// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/curve_table_model.h"

#include <algorithm>

#include "core/base/json/json.h"

namespace fathom {

namespace {

QString curveNumber(double value) {
  return QString::fromStdString(jsonNumber(value)).remove(u'"');
}

QString quoted(QString text) {
  if (!text.contains(u',') && !text.contains(u'"') && !text.contains(u'\n')) return text;
  return u'"' + text.replace(u'"', QStringLiteral("\"\"")) + u'"';
}

}  // namespace

CurveTableModel::CurveTableModel(QObject* parent) : TableModel(parent), m_starts{0} {}

void CurveTableModel::setCurves(std::vector<RunCurve> curves, const QString& metric) {
  replaceTable([&] {
    m_curves = std::move(curves);
    m_metric = metric;
    m_starts = {0};
    for (const RunCurve& curve : m_curves) m_starts.push_back(m_starts.back() + curve.values.size());
  });
}

QVariant CurveTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (role == Qt::TextAlignmentRole && index.column() > 0) return int(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  const auto row = static_cast<std::size_t>(index.row());
  const auto after = std::upper_bound(m_starts.begin(), m_starts.end(), row);
  const auto curve = static_cast<std::size_t>(after - m_starts.begin()) - 1;
  const RunCurve& run = m_curves[curve];
  const std::size_t point = row - m_starts[curve];
  switch (index.column()) {
    case 0:
      return QString::fromStdString(run.name);
    case 1:
      return curveNumber(run.steps[point]);
    case 2:
      return QString::number(run.seconds[point], 'f', 1);
    case 3:
      return QString::number(run.epochs[point], 'g', 6);
    default:
      return curveNumber(run.values[point]);
  }
}

QString CurveTableModel::title(int column) const {
  const QString titles[] = {tr("Run"), tr("Updates"), tr("Time (s)"), tr("Epoch"), m_metric};
  return titles[column];
}

QVariant CurveTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Vertical && role == Qt::DisplayRole) return section + 1;
  return TableModel::headerData(section, orientation, role);
}

QString CurveTableModel::csv() const {
  QString text = QStringLiteral("run,name,step,seconds,epoch,%1\r\n").arg(quoted(m_metric));
  for (const RunCurve& run : m_curves) {
    const QString head =
        quoted(QString::fromStdString(run.run)) + u',' + quoted(QString::fromStdString(run.name)) + u',';
    for (std::size_t i = 0; i < run.values.size(); ++i)
      text += head + curveNumber(run.steps[i]) + u',' + curveNumber(run.seconds[i]) + u',' +
              curveNumber(run.epochs[i]) + u',' + curveNumber(run.values[i]) + QStringLiteral("\r\n");
  }
  return text;
}

}  // namespace fathom
