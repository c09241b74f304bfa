// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/grid_table_model.h"

#include <QFont>
#include <QLocale>
#include <QMap>
#include <cmath>
#include <limits>

#include "views/figure/figure_text.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

bool isOpen(const RunItem& run) {
  return run.state == QLatin1String("queued") || isLiveState(run.state);
}

bool isFailed(const RunItem& run) {
  return !isOpen(run) && run.state != QLatin1String("finished") && run.state != QLatin1String("stopped");
}

QString number(double value, const QLocale& locale) {
  const double size = std::abs(value);
  const int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return locale.toString(value, 'f', decimals);
}

QString escapedForLatex(const QString& text) {
  return latexText(escapeMarkup(text));
}

}  // namespace

QStringList variedKeys(const QVector<RunItem>& runs, const QStringList& ignored) {
  QStringList keys;
  if (runs.isEmpty()) return keys;
  for (const auto& [key, value] : runs.first().config.items()) {
    const QString name = fromUtf8(key);
    if (ignored.contains(name)) continue;
    for (const RunItem& run : runs) {
      if (!run.config.contains(key) || run.config[key] != value) {
        keys.append(name);
        break;
      }
    }
  }
  return keys;
}

GridTableModel::GridTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void GridTableModel::setGrid(const QVector<RunItem>& runs, const QStringList& varied,
                             const QStringList& metrics, const QHash<QString, QString>& titles) {
  beginResetModel();
  m_varied = varied;
  const MetricCatalogue catalogue = metricsOf(runs);
  m_metrics.clear();
  for (const QString& metric : metrics) m_metrics.append(catalogue.of(toUtf8(metric)));
  m_titles = titles;
  m_lines.clear();
  QMap<QString, int> byValues;
  QVector<QVector<const RunItem*>> members;
  for (const RunItem& run : runs) {
    QStringList values;
    for (const QString& key : varied) values.append(runConfigText(run, key));
    const QString together = values.join(QChar(0x1f));
    if (!byValues.contains(together)) {
      byValues[together] = static_cast<int>(m_lines.size());
      m_lines.append({values, {}, 0, 0, {}});
      members.append(QVector<const RunItem*>());
    }
    members[byValues[together]].append(&run);
  }
  for (int i = 0; i < m_lines.size(); ++i) summarise(m_lines[i], members[i]);
  markBest();
  endResetModel();
}

void GridTableModel::summarise(Line& line, const QVector<const RunItem*>& runs) {
  for (const RunItem* run : runs) {
    line.runs.append(run->uuid);
    line.open += isOpen(*run) ? 1 : 0;
    ++line.total;
  }
  for (const Metric& about : std::as_const(m_metrics)) {
    const QString metric = fromUtf8(about.id);
    std::vector<double> values;
    for (const RunItem* run : runs) {
      if (isOpen(*run)) continue;
      if (isFailed(*run)) {
        values.push_back(std::numeric_limits<double>::quiet_NaN());
      } else if (run->last.contains(metric)) {
        values.push_back(run->last.value(metric));
      }
    }
    line.cells.append({summariseSeeds(values), false});
  }
}

void GridTableModel::markBest() {
  for (int metric = 0; metric < m_metrics.size(); ++metric) {
    const MetricDirection direction = m_metrics[metric].direction;
    if (direction == MetricDirection::None) continue;
    int best = -1;
    for (int i = 0; i < m_lines.size(); ++i) {
      const SeedSummary& summary = m_lines[i].cells[metric].summary;
      if (summary.finished == 0) continue;
      if (best < 0 || isBetter(direction, summary.mean, m_lines[best].cells[metric].summary.mean)) best = i;
    }
    if (best >= 0 && m_lines.size() > 1) m_lines[best].cells[metric].best = true;
  }
}

QString GridTableModel::cellText(const Line& line, int metric, bool latex) const {
  const Cell& cell = line.cells[metric];
  const QLocale locale = latex ? QLocale::c() : QLocale();
  QStringList parts;
  if (cell.summary.finished > 0) {
    QString text = number(cell.summary.mean, locale);
    if (cell.summary.finished > 1)
      text +=
          (latex ? QStringLiteral(" \\pm ") : QStringLiteral(" ± ")) + number(cell.summary.deviation, locale);
    if (latex)
      text = cell.best ? QStringLiteral("$\\mathbf{%1}$").arg(text) : QStringLiteral("$%1$").arg(text);
    parts.append(text);
  }
  if (cell.summary.failed() > 0) {
    const QString failed = latex ? QStringLiteral("failed %1/%2") : tr("failed %1/%2");
    parts.append(failed.arg(cell.summary.failed()).arg(line.total));
  }
  if (line.open > 0) {
    const QString open = latex ? QStringLiteral("open %1/%2") : tr("open %1/%2");
    parts.append(open.arg(line.open).arg(line.total));
  }
  return parts.join(QStringLiteral(", "));
}

QString GridTableModel::asLatex() const {
  QString text =
      QStringLiteral("\\begin{tabular}{%1%2}\n\\toprule\n")
          .arg(QString(m_varied.size(), QLatin1Char('l')), QString(m_metrics.size(), QLatin1Char('r')));
  QStringList head;
  for (int column = 0; column < columnCount(); ++column)
    head.append(escapedForLatex(headerData(column, Qt::Horizontal).toString()));
  text += head.join(QStringLiteral(" & ")) + QStringLiteral(" \\\\\n\\midrule\n");
  for (const Line& line : m_lines) {
    QStringList cells;
    for (const QString& value : line.values) cells.append(escapedForLatex(value));
    for (int metric = 0; metric < m_metrics.size(); ++metric) cells.append(cellText(line, metric, true));
    text += cells.join(QStringLiteral(" & ")) + QStringLiteral(" \\\\\n");
  }
  return text + QStringLiteral("\\bottomrule\n\\end{tabular}\n");
}

QString GridTableModel::asText() const {
  QStringList head = m_varied;
  for (const Metric& about : m_metrics) {
    const QString metric = fromUtf8(about.id);
    head << metric + QStringLiteral(" mean") << metric + QStringLiteral(" sd")
         << metric + QStringLiteral(" failed");
  }
  QString text = head.join(QLatin1Char('\t')) + QLatin1Char('\n');
  for (const Line& line : m_lines) {
    QStringList cells = line.values;
    for (const Cell& cell : line.cells)
      cells << fromUtf8(jsonNumber(cell.summary.mean)) << fromUtf8(jsonNumber(cell.summary.deviation))
            << QStringLiteral("%1/%2").arg(cell.summary.failed()).arg(line.total);
    text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
  }
  return text;
}

int GridTableModel::finishedRuns() const {
  int count = 0;
  for (const Line& line : m_lines) count += line.total - line.open;
  return count;
}

int GridTableModel::totalRuns() const {
  int count = 0;
  for (const Line& line : m_lines) count += line.total;
  return count;
}

int GridTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int GridTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_varied.size() + m_metrics.size());
}

QVariant GridTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Line& line = m_lines[index.row()];
  const int metric = index.column() - static_cast<int>(m_varied.size());
  switch (role) {
    case Qt::DisplayRole:
      return metric < 0 ? line.values[index.column()] : cellText(line, metric, false);
    case Qt::ToolTipRole: {
      if (metric < 0) return line.values[index.column()];
      const SeedSummary& s = line.cells[metric].summary;
      return tr("%1: %2 of %3 runs, from %4 to %5")
          .arg(metricTitle(m_metrics[metric]))
          .arg(s.finished)
          .arg(line.total)
          .arg(metricText(s.minimum), metricText(s.maximum));
    }
    case Qt::FontRole: {
      QFont bold;
      bold.setBold(true);
      return metric >= 0 && line.cells[metric].best ? QVariant(bold) : QVariant();
    }
    case Qt::TextAlignmentRole:
      return QVariant((metric < 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case RunsRole:
      return line.runs;
    case SortRole: {
      if (metric >= 0)
        return line.cells[metric].summary.finished > 0 ? QVariant(line.cells[metric].summary.mean)
                                                       : QVariant();
      bool isNumber = false;
      const double value = line.values[index.column()].toDouble(&isNumber);
      return isNumber ? QVariant(value) : QVariant(line.values[index.column()]);
    }
    default:
      return {};
  }
}

QVariant GridTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= columnCount())
    return {};
  if (section < m_varied.size()) return m_titles.value(m_varied[section], m_varied[section]);
  return metricTitle(m_metrics[section - static_cast<int>(m_varied.size())]);
}

}  // namespace fathom
