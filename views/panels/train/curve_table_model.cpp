// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/curve_table_model.h"

#include <algorithm>
#include <cmath>

#include "core/base/json/json.h"
#include "views/tables/run_item.h"

namespace fathom {

namespace {

// Unknown is empty.
QString positionText(double value) {
  return std::isnan(value) ? QString() : QString::fromStdString(jsonNumber(value)).remove(u'"');
}

QString curveNumber(double value) {
  return QString::fromStdString(jsonNumber(value)).remove(u'"');
}

QString quoted(QString text) {
  if (!text.contains(u',') && !text.contains(u'"') && !text.contains(u'\n')) return text;
  return u'"' + text.replace(u'"', QStringLiteral("\"\"")) + u'"';
}

}  // namespace

void CurveTableModel::setCurves(std::vector<RunCurve> curves, const QString& metric) {
  replaceTable([&] {
    m_curves = std::move(curves);
    m_metric = metric;
    m_steps.clear();
    for (const RunCurve& curve : m_curves)
      m_steps.insert(m_steps.end(), curve.steps.begin(), curve.steps.end());
    std::sort(m_steps.begin(), m_steps.end());
    m_steps.erase(std::unique(m_steps.begin(), m_steps.end()), m_steps.end());
  });
}

QVariant CurveTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  const double step = m_steps[static_cast<std::size_t>(index.row())];
  if (index.column() == 0) return curveNumber(step);
  const RunCurve& run = m_curves[static_cast<std::size_t>(index.column()) - 1];
  const auto at = std::lower_bound(run.steps.begin(), run.steps.end(), step);
  if (at == run.steps.end() || *at != step) return {};
  const auto point = static_cast<std::size_t>(at - run.steps.begin());
  if (role == Qt::DisplayRole) return metricColumnText(run.metric, run.values[point]);
  if (std::isnan(run.seconds[point]) || std::isnan(run.epochs[point]))
    return tr("%1, update %2: %3")
        .arg(QString::fromStdString(run.name), curveNumber(step), curveNumber(run.values[point]));
  return tr("%1, update %2: %3 (after %4, epoch %5)")
      .arg(QString::fromStdString(run.name), curveNumber(step), curveNumber(run.values[point]),
           durationText(run.seconds[point]), QString::number(run.epochs[point], 'g', 6));
}

QString CurveTableModel::title(int column) const {
  return column == 0 ? tr("Updates")
                     : QString::fromStdString(m_curves[static_cast<std::size_t>(column) - 1].name);
}

QVariant CurveTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Vertical && role == Qt::DisplayRole) return section + 1;
  if (role == Qt::TextAlignmentRole && orientation == Qt::Horizontal)
    return int(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && orientation == Qt::Horizontal && section > 0)
    return tr("%1 of %2")
        .arg(m_metric, TableModel::headerData(section, orientation, Qt::DisplayRole).toString());
  return TableModel::headerData(section, orientation, role);
}

QString CurveTableModel::csv() const {
  QString text = QStringLiteral("run,name,step,seconds,epoch,%1\r\n").arg(quoted(m_metric));
  for (const RunCurve& run : m_curves) {
    const QString head =
        quoted(QString::fromStdString(run.run)) + u',' + quoted(QString::fromStdString(run.name)) + u',';
    for (std::size_t i = 0; i < run.values.size(); ++i)
      text += head + curveNumber(run.steps[i]) + u',' + positionText(run.seconds[i]) + u',' +
              positionText(run.epochs[i]) + u',' + curveNumber(run.values[i]) + QStringLiteral("\r\n");
  }
  return text;
}

}  // namespace fathom
