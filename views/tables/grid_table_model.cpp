// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/grid_table_model.h"

#include <QFont>
#include <QLocale>

#include "core/base/axis_keys.h"
#include "views/figure/figure_text.h"
#include "views/figure/latex_table.h"
#include "views/look/engine_text.h"
#include "views/look/name_text.h"
#include "views/tables/run_item.h"

namespace fathom {

GridTableModel::GridTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void GridTableModel::setTable(GridTable table, const QHash<QString, QString>& titles) {
  beginResetModel();
  m_table = std::move(table);
  m_titles = titles;
  endResetModel();
}

// Of options that go together, the first speaks for all.
QString GridTableModel::keyTitle(int column) const {
  const QString key = fromUtf8(axisKeys(m_table.keys[static_cast<std::size_t>(column)]).front());
  return m_titles.value(key, key);
}

QString GridTableModel::cellText(const GridLine& line, std::size_t metric) const {
  const GridScore& cell = line.cells[metric];
  const QLocale locale;
  const int decimals = m_table.metrics[metric].decimals;
  const int total = static_cast<int>(line.runs.size());
  QStringList parts;
  if (cell.summary.finished > 0) {
    QString text = locale.toString(cell.summary.mean, 'f', decimals);
    if (cell.summary.finished > 1)
      text += QStringLiteral(" ± ") + locale.toString(cell.summary.deviation, 'f', decimals);
    parts.append(text);
  }
  if (cell.summary.failed() > 0) parts.append(tr("failed %1/%2").arg(cell.summary.failed()).arg(total));
  if (line.open > 0) parts.append(tr("open %1/%2").arg(line.open).arg(total));
  return nameText(parts);
}

QString GridTableModel::asLatex() const {
  std::vector<std::string> titles;
  for (int column = 0; column < static_cast<int>(m_table.keys.size()); ++column)
    titles.push_back(toUtf8(keyTitle(column)));
  const auto latex = latexTable(gridPaperTable(m_table, titles));
  return latex.ok() ? fromUtf8(*latex) : QString();
}

QString GridTableModel::asText() const {
  QStringList head;
  for (const std::string& key : m_table.keys) head.append(fromUtf8(key));
  for (const Metric& metric : m_table.metrics)
    for (const char* part : {" mean", " sd", " failed"}) head.append(fromUtf8(metric.id + part));
  QString text = head.join(QLatin1Char('\t')) + QLatin1Char('\n');
  for (const GridLine& line : m_table.lines) {
    QStringList cells;
    for (const std::string& value : line.values) cells.append(fromUtf8(value));
    for (const GridScore& cell : line.cells)
      cells << fromUtf8(jsonNumber(cell.summary.mean)) << fromUtf8(jsonNumber(cell.summary.deviation))
            << QStringLiteral("%1/%2").arg(cell.summary.failed()).arg(line.runs.size());
    text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
  }
  return text;
}

int GridTableModel::finishedRuns() const {
  int count = 0;
  for (const GridLine& line : m_table.lines) count += static_cast<int>(line.runs.size()) - line.open;
  return count;
}

int GridTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_table.lines.size());
}

int GridTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_table.keys.size() + m_table.metrics.size());
}

QVariant GridTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const GridLine& line = this->line(index.row());
  const auto column = static_cast<std::size_t>(index.column());
  const bool isKey = column < m_table.keys.size();
  const std::size_t metric = isKey ? 0 : column - m_table.keys.size();
  const QString value = isKey ? fromUtf8(line.values[column]) : QString();
  switch (role) {
    case Qt::DisplayRole:
      return isKey ? value : cellText(line, metric);
    case Qt::ToolTipRole: {
      if (isKey) return value;
      const SeedSummary& s = line.cells[metric].summary;
      return tr("%1: %2 of %3 runs, from %4 to %5")
          .arg(metricTitle(m_table.metrics[metric]))
          .arg(s.finished)
          .arg(line.runs.size())
          .arg(metricText(s.minimum), metricText(s.maximum));
    }
    case Qt::FontRole: {
      QFont bold;
      bold.setBold(true);
      return !isKey && line.cells[metric].best ? QVariant(bold) : QVariant();
    }
    case Qt::TextAlignmentRole:
      return QVariant((isKey ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case RunsRole: {
      QStringList runs;
      for (const std::string& run : line.runs) runs.append(fromUtf8(run));
      return runs;
    }
    case SortRole: {
      if (!isKey) {
        const SeedSummary& summary = line.cells[metric].summary;
        return summary.finished > 0 ? QVariant(summary.mean) : QVariant();
      }
      bool isNumber = false;
      const double number = value.toDouble(&isNumber);
      return isNumber ? QVariant(number) : QVariant(value);
    }
    default:
      return {};
  }
}

QVariant GridTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= columnCount())
    return {};
  const int keys = static_cast<int>(m_table.keys.size());
  if (section < keys) return keyTitle(section);
  return metricTitle(m_table.metrics[static_cast<std::size_t>(section - keys)]);
}

}  // namespace fathom
