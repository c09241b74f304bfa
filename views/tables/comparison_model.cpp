// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/comparison_model.h"

#include <QFont>
#include <QGuiApplication>
#include <QLocale>
#include <QPalette>
#include <QPixmap>
#include <algorithm>
#include <cmath>

#include "core/base/json/json.h"
#include "views/figure/axis_scale.h"
#include "views/files/latex_table.h"
#include "views/look/engine_text.h"
#include "views/look/name_text.h"
#include "views/look/theme.h"
#include "views/tables/run_item.h"

namespace fathom {

namespace {

const QString kNoValue = QStringLiteral("–");

QString signedNumber(const QString& text, double value) {
  return value > 0 ? u'+' + text : text;
}

QString allDigits(double value) {
  return std::isfinite(value) ? fromUtf8(jsonNumber(value)) : kNoValue;
}

QString probability(double p) {
  return p < 1e-3 ? QStringLiteral("< 0.001") : QLocale().toString(p, 'f', 3);
}

QString optionTitle(const OptionField* field, const std::string& key) {
  return field != nullptr && !field->title.empty() ? engineText(field->title) : fromUtf8(key);
}

// The value as words, of a list each of its own.
QString optionValue(const OptionField* field, const Json& value) {
  if (value.is_array() && !value.empty()) {
    QStringList words;
    for (const Json& each : value) words.append(optionValue(field, each));
    return nameText(words);
  }
  const std::string text = comparedValueText(value);
  if (field != nullptr)
    for (const OptionChoice& choice : field->choices)
      if (choice.id == text && !choice.title.empty()) return engineText(choice.title);
  return fromUtf8(text);
}

}  // namespace

void ComparisonModel::setComparison(RunComparison comparison, const OptionSchema& titles,
                                    const QVector<QColor>& colours) {
  replaceTable([&] {
    if (comparison.columns.size() != m_comparison.columns.size()) m_test.reset();
    m_comparison = std::move(comparison);
    m_titles = titles;
    m_colours = colours;
    build();
  });
}

void ComparisonModel::setTest(const std::optional<ComparisonTest>& test) {
  replaceTable([&] {
    m_test = test;
    build();
  });
}

void ComparisonModel::build() {
  m_lines.clear();
  if (m_comparison.columns.empty()) return;
  addHeading(m_comparison.options.empty() ? tr("Options: all are the same") : tr("Options that differ"));
  for (const ComparedOption& option : m_comparison.options) addOption(option);
  addHeading(m_comparison.scores.empty() ? tr("Scores: none yet") : tr("Scores"));
  for (const ComparedScore& score : m_comparison.scores) {
    addScore(score);
    if (score.metric.direction != MetricDirection::None) addDifferences(score);
  }
  if (m_test && m_test->columns.size() == m_comparison.columns.size()) addTest(*m_test);
}

void ComparisonModel::addHeading(const QString& title) {
  m_lines.append({title, {}, {}, false, false, false});
}

// Values that are not as in the base are bold.
void ComparisonModel::addOption(const ComparedOption& option) {
  const OptionField* field = m_titles.find(option.key);
  Line line{optionTitle(field, option.key), fromUtf8(option.key), {}, false, !option.deciding, false};
  line.number = std::all_of(option.values.begin(), option.values.end(),
                            [](const Json& value) { return value.is_number() || value.is_null(); });
  for (const Json& value : option.values)
    line.cells.append({optionValue(field, value), fromUtf8(comparedValueText(value)),
                       option.deciding && value != option.values[m_comparison.base]});
  m_lines.append(line);
}

void ComparisonModel::addScore(const ComparedScore& score) {
  Line line{metricTitle(score.metric), fromUtf8(score.metric.id), {}, true, false, true};
  for (std::size_t i = 0; i < score.values.size(); ++i) {
    const SeedSummary& value = score.values[i];
    QString text = std::isfinite(value.mean) ? metricColumnText(score.metric, value.mean) : kNoValue;
    if (value.finished > 1) text += QStringLiteral(" ± ") + metricColumnText(score.metric, value.deviation);
    if (value.runs > 1 && value.failed() > 0)
      text += QStringLiteral(", ") + tr("failed %1/%2").arg(value.failed()).arg(value.runs);
    line.cells.append({text, allDigits(value.mean), bool(score.best[i])});
  }
  m_lines.append(line);
}

// Its interval and p stand beside a difference of means; a single run has none.
void ComparisonModel::addDifferences(const ComparedScore& score) {
  Line line{tr("    Δ from the base"), fromUtf8(score.metric.id), {}, true, true, false};
  for (std::size_t i = 0; i < score.differences.size(); ++i) {
    const double difference = score.differences[i];
    if (!std::isfinite(difference)) {
      line.cells.append({i == m_comparison.base ? QString() : kNoValue, {}, false});
      continue;
    }
    const auto shown = [&score](double value) {
      return signedNumber(metricColumnText(score.metric, value), value);
    };
    QString text = shown(difference);
    if (const auto& test = score.tests[i])
      text += tr(" (%1 to %2), p %3").arg(shown(test->low), shown(test->high), probability(test->pValue));
    line.cells.append({text, allDigits(difference), false});
  }
  m_lines.append(line);
}

void ComparisonModel::addTest(const ComparisonTest& test) {
  addHeading(test.title);
  const QString compared = phraseText(test.compared);
  Line score{compared, {}, {}, true, false, true},
      right{tr("Right in one of both only"), {}, {}, true, false, false},
      difference{tr("    Δ from the base"), {}, {}, true, true, false},
      interval{tr("    95 % interval"), {}, {}, true, true, false},
      p{test.exact ? tr("    p, McNemar’s test") : tr("    p, paired bootstrap"), {}, {}, true, true, false};
  for (std::size_t i = 0; i < test.columns.size(); ++i) {
    const auto& own = test.columns[i];
    const std::optional<double> value = i == m_comparison.base ? test.baseScore
                                        : own                  ? own->score
                                                               : std::nullopt;
    score.cells.append({value ? metricText(*value) : kNoValue, value ? allDigits(*value) : kNoValue, false});
    if (!own) {
      for (Line* line : {&right, &difference, &interval, &p}) line->cells.append(Cell());
      continue;
    }
    right.cells.append({own->onlyBase
                            ? tr("%1 base, %2 this").arg(*own->onlyBase).arg(own->onlyThis.value_or(0))
                            : QString(),
                        {},
                        false});
    right.cells.last().whole = right.cells.last().text;
    difference.cells.append(
        {signedNumber(metricText(own->difference), own->difference), allDigits(own->difference), false});
    interval.cells.append({tr("%1 to %2")
                               .arg(signedNumber(metricText(own->low), own->low),
                                    signedNumber(metricText(own->high), own->high)),
                           allDigits(own->low) + QStringLiteral(" … ") + allDigits(own->high), false});
    p.cells.append({probability(own->p), allDigits(own->p), false});
  }
  const bool scored = std::any_of(test.columns.begin(), test.columns.end(),
                                  [](const auto& column) { return column && column->score; });
  const bool counted = std::any_of(test.columns.begin(), test.columns.end(),
                                   [](const auto& column) { return column && column->onlyBase; });
  if (scored) m_lines.append(score);
  if (counted) m_lines.append(right);
  if (!scored) difference.title = tr("Δ: %1").arg(compared);
  m_lines.append({difference, interval, p});
}

QVector<int> ComparisonModel::headings() const {
  QVector<int> rows;
  for (int i = 0; i < m_lines.size(); ++i)
    if (m_lines[i].cells.isEmpty()) rows.append(i);
  return rows;
}

QVariant ComparisonModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Line& line = m_lines[index.row()];
  const bool heading = line.cells.isEmpty();
  const bool first = index.column() == 0;
  if (role == HeadingRole) return heading;
  if (role == KeyRole) return line.key;
  if (heading && !first) return {};
  const Cell cell = first ? Cell{line.title, line.title, false} : line.cells[index.column() - 1];
  switch (role) {
    case Qt::DisplayRole:
      return cell.text;
    case Qt::AccessibleTextRole:
      return line.best && cell.strong ? tr("%1, best").arg(cell.text) : cell.text;
    case Qt::ToolTipRole:
      if (first) return line.key.isEmpty() ? line.title : QStringLiteral("%1\n%2").arg(line.title, line.key);
      return line.best && cell.strong ? tr("%1, best").arg(cell.whole) : cell.whole;
    case BestRole:
      return line.best && cell.strong;
    case Qt::FontRole: {
      QFont bold;
      bold.setBold(true);
      return heading || cell.strong ? QVariant(bold) : QVariant();
    }
    case Qt::ForegroundRole:
      return line.dim ? QVariant(Theme::of(QGuiApplication::palette()).secondary) : QVariant();
    case Qt::TextAlignmentRole:
      return int((!first && line.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
      return {};
  }
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Horizontal && section > 0 && section < columnCount()) {
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) return title(section);
    if (role == Qt::DecorationRole && section - 1 < m_colours.size()) {
      QPixmap swatch(metrics::kMargin, metrics::kMargin);
      swatch.fill(m_colours[section - 1]);
      return swatch;
    }
  }
  return TableModel::headerData(section, orientation, role);
}

QString ComparisonModel::title(int column) const {
  if (column == 0) return tr("Compared");
  const auto at = static_cast<std::size_t>(column - 1);
  const ComparedColumn& own = m_comparison.columns[at];
  QString name = fromUtf8(own.name);
  if (own.runs.size() > 1) name = tr("%1 (n = %2)").arg(name).arg(own.runs.size());
  return at == m_comparison.base ? tr("%1 (base)").arg(name) : name;
}

QString ComparisonModel::asText() const {
  QStringList head = {title(0)};
  for (int column = 1; column < columnCount(); ++column) head.append(title(column));
  QString text = head.join(u'\t') + u'\n';
  for (const Line& line : m_lines) {
    QStringList cells = {line.title.trimmed()};
    for (const Cell& cell : line.cells) cells.append(cell.whole.isEmpty() ? cell.text : cell.whole);
    text += cells.join(u'\t') + u'\n';
  }
  return text;
}

std::vector<std::string> ComparisonModel::optionTitleTexts() const {
  std::vector<std::string> titles;
  for (const ComparedOption& option : m_comparison.options) {
    const OptionField* field = m_titles.find(option.key);
    titles.push_back(field != nullptr && !field->title.empty() ? field->title : option.key);
  }
  return titles;
}

Result<std::string> ComparisonModel::asLatex() const {
  PaperTable table = comparisonPaperTable(m_comparison, optionTitleTexts());
  if (m_test && m_test->columns.size() == table.rows.size()) {
    table.columns.push_back({"&Delta; " + markupOf(m_test->compared.english())});
    table.columns.push_back({"95 %"});
    table.columns.push_back({"<i>p</i>"});
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const auto& own = m_test->columns[i];
      const auto number = [](double value) { return fixedText(value, 2); };
      table.rows[i].emplace_back(own ? (own->difference > 0 ? "+" : "") + number(own->difference)
                                     : std::string("–"));
      table.rows[i].emplace_back(own ? number(own->low) + " to " + number(own->high) : std::string("–"));
      table.rows[i].emplace_back(own ? probabilityMarkup(own->p) : std::string("–"));
    }
  }
  return latexTable(table);
}

}  // namespace fathom
