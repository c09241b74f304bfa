// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/init_report_model.h"

#include <QLocale>

#include "core/base/numbers/not_a_number.h"
#include "views/look/engine_text.h"
#include "views/tables/run_item.h"

namespace fathom {

namespace {

// In full, for the tool tip.
QString wholeNumber(double value) {
  return QLocale().toString(value, 'g', 9);
}

QString shapeText(const Json& shape) {
  QStringList sizes;
  for (const Json& size : shape) sizes.append(fromUtf8(size.dump()));
  return sizes.join(QStringLiteral(" × "));
}

QString ruleText(const std::string& rule) {
  if (rule == "uniform") return InitReportModel::tr("uniform");
  if (rule == "normal") return InitReportModel::tr("normal");
  if (rule == "truncated normal") return InitReportModel::tr("truncated normal");
  if (rule == "constant") return InitReportModel::tr("constant");
  return engineText(rule);
}

// The number under a key; NaN where there is none.
double numberAt(const Json& row, const char* key) {
  const auto value = row.contains(key) ? realFromJson(row[key]) : Result<double>(kNaN);
  return value.ok() ? *value : kNaN;
}

}  // namespace

void InitReportModel::setRows(const Json& rows) {
  beginResetModel();
  m_lines.clear();
  m_scaled = 0;
  for (const Json& row : rows) {
    if (!row.is_object() || !row.contains("name") || !row["name"].is_string() || !row.contains("rule") ||
        !row["rule"].is_string() || !row.contains("factor"))
      continue;
    Line line;
    line.name = fromUtf8(row["name"].get<std::string>());
    line.rule = ruleText(row["rule"].get<std::string>());
    if (row.contains("shape") && row["shape"].is_array()) line.shape = shapeText(row["shape"]);
    line.base = numberAt(row, "base_std");
    line.factor = numberAt(row, "factor");
    line.deviation = numberAt(row, "std");
    line.mean = numberAt(row, "mean");
    m_scaled += line.factor != 1 ? 1 : 0;
    m_lines.append(line);
  }
  choose();
  endResetModel();
}

void InitReportModel::setOnlyScaled(bool only) {
  if (only == m_onlyScaled) return;
  replaceTable([&] {
    m_onlyScaled = only;
    choose();
  });
}

void InitReportModel::choose() {
  m_shown.clear();
  for (int i = 0; i < m_lines.size(); ++i)
    if (!m_onlyScaled || m_lines[i].factor != 1) m_shown.append(i);
}

QVariant InitReportModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Line& line = m_lines[m_shown[index.row()]];
  if (role == Qt::TextAlignmentRole && index.column() >= Factor)
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole)
    return tr("%1\n%2 · %3\nmeant: standard deviation %4 × %5\nmeasured: mean %6, standard deviation %7")
        .arg(line.name, line.shape, line.rule, wholeNumber(line.base), wholeNumber(line.factor),
             wholeNumber(line.mean), wholeNumber(line.deviation));
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case Parameter:
      return line.name;
    case Rule:
      return line.rule;
    case Factor:
      return line.factor == 1 ? QStringLiteral("–") : metricText(line.factor);
    default:
      return metricText(line.deviation);
  }
}

QString InitReportModel::title(int column) const {
  const QString titles[] = {tr("Parameter"), tr("Filled"), tr("Scaled by"), tr("Std. dev.")};
  return titles[column];
}

QVariant InitReportModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && section >= Factor)
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  return TableModel::headerData(section, orientation, role);
}

}  // namespace fathom
