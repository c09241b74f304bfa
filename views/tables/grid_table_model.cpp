// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/grid_table_model.h"

#include <QFont>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "core/base/options/axis_keys.h"
#include "core/library/runs/short_names.h"
#include "views/files/latex_table.h"
#include "views/look/engine_text.h"
#include "views/look/name_text.h"
#include "views/tables/run_item.h"

namespace fathom {

namespace {

bool holdsNumbersOnly(const GridTable& table, std::size_t key) {
  return std::all_of(table.lines.begin(), table.lines.end(), [key](const GridLine& line) {
    bool isNumber = false;
    fromUtf8(valueWords(line, key)).toDouble(&isNumber);
    return isNumber;
  });
}

}  // namespace

void GridTableModel::setTable(GridTable table, const QHash<QString, QString>& titles) {
  replaceTable([&] {
    m_table = std::move(table);
    m_titles = titles;
    nameValues(m_table, *optionTitles());
    m_numberKeys.clear();
    for (std::size_t key = 0; key < m_table.keys.size(); ++key)
      m_numberKeys.push_back(holdsNumbersOnly(m_table, key));
  });
}

// The first of several options that go together speaks for all.
QString GridTableModel::keyTitle(int column) const {
  const auto at = static_cast<std::size_t>(column);
  if (!m_table.titles[at].empty()) return engineText(m_table.titles[at]);
  const QString key = fromUtf8(axisKeys(m_table.keys[at]).front());
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

QVariant GridTableModel::publishedData(const GridLine& line, std::size_t column, int role) const {
  const PublishedColumn& published = m_table.published[column];
  if (role == Qt::ToolTipRole)
    return tr("%1: %2").arg(fromUtf8(published.source),
                            metricTitle(*findMetric(m_table.metrics, published.metric)));
  if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  const SeedSummary* score = m_table.publishedOf(line, column);
  if (score == nullptr) return {};
  if (role == SortRole) return std::isfinite(score->mean) ? QVariant(score->mean) : QVariant();
  if (role != Qt::DisplayRole) return {};
  const std::size_t first = m_table.keys.size() + m_table.metrics.size();
  const int decimals = gridPaperTable(m_table).columns[first + column].decimals;
  QStringList parts;
  if (std::isfinite(score->mean)) {
    parts.append(QLocale().toString(score->mean, 'f', decimals));
    if (std::isfinite(score->deviation))
      parts.last() += QStringLiteral(" ± ") + QLocale().toString(score->deviation, 'f', decimals);
  }
  if (score->failed() > 0) parts.append(tr("failed %1/%2").arg(score->failed()).arg(score->runs));
  return nameText(parts);
}

QVariant GridTableModel::verdictData(const GridLine& line, int role) const {
  if (role == Qt::DisplayRole || role == SortRole) {
    if (line.trainability == "green") return tr("learns");
    if (line.trainability == "doubtful") return tr("doubtful");
    return line.trainability.empty() ? QString() : tr("will probably not learn");
  }
  if (role == Qt::ToolTipRole) return tr("What the trainability check said of the model before training");
  return {};
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
  for (const PublishedColumn& column : m_table.published)
    for (const char* part : {" mean", " sd"}) head.append(fromUtf8(column.source + part));
  if (m_table.hasVerdicts()) head.append(QStringLiteral("trainability"));
  QString text = head.join(QLatin1Char('\t')) + QLatin1Char('\n');
  for (const GridLine& line : m_table.lines) {
    QStringList cells;
    for (const std::string& value : line.values) cells.append(fromUtf8(value));
    for (const GridScore& cell : line.cells)
      cells << fromUtf8(jsonNumber(cell.summary.mean)) << fromUtf8(jsonNumber(cell.summary.deviation))
            << QStringLiteral("%1/%2").arg(cell.summary.failed()).arg(line.runs.size());
    for (std::size_t i = 0; i < m_table.published.size(); ++i) {
      const SeedSummary* score = m_table.publishedOf(line, i);
      cells << (score != nullptr ? fromUtf8(jsonNumber(score->mean)) : QString())
            << (score != nullptr ? fromUtf8(jsonNumber(score->deviation)) : QString());
    }
    if (m_table.hasVerdicts()) cells << fromUtf8(line.trainability);
    text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
  }
  return text;
}

int GridTableModel::finishedRuns() const {
  int count = 0;
  for (const GridLine& line : m_table.lines) count += static_cast<int>(line.runs.size()) - line.open;
  return count;
}

QVariant GridTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const GridLine& line = this->line(index.row());
  const auto column = static_cast<std::size_t>(index.column());
  const bool isKey = column < m_table.keys.size();
  const std::size_t own = m_table.keys.size() + m_table.metrics.size();
  if (column >= own + m_table.published.size() && role != RunsRole) return verdictData(line, role);
  if (column >= own && role != RunsRole) return publishedData(line, column - own, role);
  const std::size_t metric = isKey ? 0 : column - m_table.keys.size();
  const QString value = isKey ? fromUtf8(valueWords(line, column)) : QString();
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
      return QVariant((isKey && !m_numberKeys[column] ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
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

QString GridTableModel::title(int column) const {
  const int keys = static_cast<int>(m_table.keys.size());
  if (column < keys) return keyTitle(column);
  const auto at = static_cast<std::size_t>(column - keys);
  if (at < m_table.metrics.size()) return metricTitle(m_table.metrics[at]);
  const std::size_t source = at - m_table.metrics.size();
  return source < m_table.published.size() ? fromUtf8(m_table.published[source].source) : tr("Trainability");
}

}  // namespace fathom
