// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>

#include "views/look/engine_text.h"
#include "views/tables/asked_item.h"
#include "views/tables/run_search.h"
#include "views/tables/run_table_model.h"

namespace fathom {

RunFilterModel::RunFilterModel(QObject* parent) : QSortFilterProxyModel(parent) {
  setSortRole(RunTableModel::SortRole);
  setDynamicSortFilter(true);
}

RunFilterModel::~RunFilterModel() = default;

bool RunFilterModel::setFilter(const QString& text, QString* problem) {
  const QString trimmed = text.trimmed();
  const std::string written = toUtf8(trimmed);
  const bool pattern =
      trimmed.size() > 2 && trimmed.startsWith(QLatin1Char('/')) && trimmed.endsWith(QLatin1Char('/'));
  if (pattern) {
    const QRegularExpression expression(trimmed.mid(1, trimmed.size() - 2),
                                        QRegularExpression::CaseInsensitiveOption);
    if (!expression.isValid()) {
      if (problem != nullptr) *problem = tr("The pattern is malformed: %1").arg(expression.errorString());
      return false;
    }
    m_pattern = expression;
  }
  std::unique_ptr<ItemCondition> condition;
  if (!pattern && looksLikeCondition(written)) {
    auto parsed = RunCondition::parse(written);
    if (!parsed.ok()) {
      if (problem != nullptr) *problem = phraseText(parsed.error().phrase());
      return false;
    }
    condition = std::make_unique<ItemCondition>(std::move(parsed).value());
  }
  m_condition = std::move(condition);
  m_usePattern = pattern;
  m_text = trimmed;
  m_words =
      pattern || m_condition ? QStringList() : trimmed.toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts);
  invalidateFilter();
  return true;
}

QStringList RunFilterModel::unmetNames() const {
  QStringList sentences;
  const auto* model = qobject_cast<const RunTableModel*>(sourceModel());
  if (m_condition == nullptr || model == nullptr) return sentences;
  for (const Phrase& sentence : m_condition->unmet(model->runs())) sentences.append(phraseText(sentence));
  return sentences;
}

QVariant RunFilterModel::headerData(int section, Qt::Orientation orientation, int role) const {
  const bool icon = orientation == Qt::Horizontal && section == RunTableModel::State;
  if (icon && role == Qt::DisplayRole) return QString();
  if (icon && role == Qt::ToolTipRole)
    return QSortFilterProxyModel::headerData(section, orientation, Qt::DisplayRole);
  return QSortFilterProxyModel::headerData(section, orientation, role);
}

bool RunFilterModel::filterAcceptsRow(int row, const QModelIndex& parent) const {
  if (m_text.isEmpty()) return true;
  if (m_usePattern) {
    const QModelIndex name = sourceModel()->index(row, RunTableModel::Name, parent);
    return m_pattern.match(name.data().toString()).hasMatch() ||
           m_pattern.match(name.data(Qt::EditRole).toString()).hasMatch();
  }
  const auto* model = qobject_cast<const RunTableModel*>(sourceModel());
  const RunItem& run = model->runs()[row];
  if (m_condition != nullptr) return m_condition->holds(run);
  const QString text = runSearchText(run, model->configColumns());
  return std::all_of(m_words.begin(), m_words.end(),
                     [&](const QString& word) { return runMatches(run, text, word); });
}

bool RunFilterModel::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  const QVariant a = left.data(RunTableModel::SortRole);
  const QVariant b = right.data(RunTableModel::SortRole);
  // Missing values come last whichever way the column is sorted.
  if (a.isValid() != b.isValid()) return (sortOrder() == Qt::AscendingOrder) == a.isValid();
  if (!a.isValid()) return false;
  if (a.typeId() != QMetaType::QString && b.typeId() != QMetaType::QString)
    return a.toDouble() < b.toDouble();
  return QString::localeAwareCompare(a.toString(), b.toString()) < 0;
}

}  // namespace fathom
