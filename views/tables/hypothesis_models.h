// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/spider/grammar/search_details.h"
#include "views/tables/table_model.h"

namespace fathom {

// A hypothesis of a search, and what is known about it.
struct ShownHypothesis {
  ExplainedHypothesis hypothesis;
  bool taken = false;      // is the prediction
  bool goldEqual = false;  // official exact match
};

// The final beam of a prediction, best first. A row is a hypothesis.
class HypothesisTableModel : public TableModel {
  Q_OBJECT
 public:
  enum Column { Rank, Score, Marks, Sql, Columns };
  using TableModel::TableModel;
  void setHypotheses(std::vector<ShownHypothesis> hypotheses);
  const std::vector<ShownHypothesis>& hypotheses() const { return m_hypotheses; }
  // Row of the prediction; -1 where none was taken.
  int takenRow() const;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  qsizetype shownRows() const override { return qsizetype(m_hypotheses.size()); }
  qsizetype shownColumns() const override { return Columns; }
  QString title(int column) const override;
  std::vector<ShownHypothesis> m_hypotheses;
};

// The actions of one hypothesis, in their order. A row is an action.
class ActionTableModel : public TableModel {
  Q_OBJECT
 public:
  enum Column { Step, Action, Kind, Probability, Columns };
  // Roles of the column Probability: the number in [0, 1], and whether it is a low one.
  enum Role { ProbabilityRole = Qt::UserRole + 1, LowRole };
  static constexpr double kLow = 0.5;
  using TableModel::TableModel;
  void setActions(std::vector<ExplainedAction> actions);
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  qsizetype shownRows() const override { return qsizetype(m_actions.size()); }
  qsizetype shownColumns() const override { return Columns; }
  QString title(int column) const override;
  std::vector<ExplainedAction> m_actions;
};

}  // namespace fathom
