// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/hypothesis_models.h"

#include <QFont>
#include <QLocale>
#include <cmath>

#include "views/look/engine_text.h"

namespace fathom {

namespace {

QVariant numberAlignment() {
  return QVariant(Qt::AlignRight | Qt::AlignVCenter);
}

QString markText(const ShownHypothesis& shown) {
  QStringList marks;
  if (shown.taken) marks.append(HypothesisTableModel::tr("taken"));
  if (shown.goldEqual) marks.append(HypothesisTableModel::tr("= gold"));
  if (!shown.hypothesis.finished) marks.append(HypothesisTableModel::tr("unfinished"));
  return marks.join(QStringLiteral(", "));
}

}  // namespace

void HypothesisTableModel::setHypotheses(std::vector<ShownHypothesis> hypotheses) {
  replaceTable([&] { m_hypotheses = std::move(hypotheses); });
}

int HypothesisTableModel::takenRow() const {
  for (std::size_t i = 0; i < m_hypotheses.size(); ++i)
    if (m_hypotheses[i].taken) return int(i);
  return -1;
}

QVariant HypothesisTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const ShownHypothesis& shown = m_hypotheses[std::size_t(index.row())];
  if (role == Qt::TextAlignmentRole && (index.column() == Rank || index.column() == Score))
    return numberAlignment();
  if (role == Qt::FontRole && shown.taken) {
    QFont font;
    font.setWeight(QFont::DemiBold);
    return font;
  }
  const QString sql = shown.hypothesis.sql.empty() ? tr("(no query)") : fromUtf8(shown.hypothesis.sql);
  if (role == Qt::ToolTipRole) return sql;
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case Rank:
      return index.row() + 1;
    case Score:
      return QLocale().toString(shown.hypothesis.score, 'f', 3);
    case Marks:
      return markText(shown);
    default:
      return sql;
  }
}

QString HypothesisTableModel::title(int column) const {
  const QString titles[] = {tr("Rank"), tr("Score"), tr("Mark"), tr("SQL")};
  return titles[column];
}

void ActionTableModel::setActions(std::vector<ExplainedAction> actions) {
  replaceTable([&] { m_actions = std::move(actions); });
}

QVariant ActionTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const ExplainedAction& action = m_actions[std::size_t(index.row())];
  const double probability = std::exp(action.logProbability);
  const bool low = probability < kLow;
  if (role == ProbabilityRole) return probability;
  if (role == LowRole) return low;
  if (role == Qt::TextAlignmentRole && (index.column() == Step || index.column() == Probability))
    return numberAlignment();
  if (role == Qt::FontRole && low) {
    QFont font;
    font.setWeight(QFont::Bold);
    return font;
  }
  if (role == Qt::ToolTipRole)
    return tr("Probability %1, log p %2")
        .arg(QLocale().toString(probability, 'g', 3), QLocale().toString(action.logProbability, 'f', 4));
  const QString number = QLocale().toString(probability, 'f', probability < 0.01 ? 4 : 2);
  if (role == Qt::AccessibleTextRole && index.column() == Probability && low)
    return tr("%1, low").arg(number);
  if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole) return {};
  switch (index.column()) {
    case Step:
      return index.row() + 1;
    case Action:
      return fromUtf8(action.text);
    case Kind:
      return action.column ? tr("column") : tr("rule");
    default:
      return number;
  }
}

QString ActionTableModel::title(int column) const {
  const QString titles[] = {tr("Step"), tr("Action"), tr("Kind"), tr("Probability")};
  return titles[column];
}

}  // namespace fathom
