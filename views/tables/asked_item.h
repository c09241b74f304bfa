// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <vector>

#include "core/library/runs/run_condition.h"
#include "views/tables/run_item.h"

namespace fathom {

// A condition as it is asked of run after run of the table: names of metrics are found once, for all of them.
// One thread.
class ItemCondition {
 public:
  explicit ItemCondition(RunCondition condition) : m_condition(std::move(condition)) {}
  bool holds(const RunItem& run) const;
  // The names that none of these runs has anything under, a sentence each; no run, none.
  std::vector<Phrase> unmet(const QVector<RunItem>& runs) const;

 private:
  friend class AskedItem;
  // How metric names stand to a name of the condition: 0 not at all, 1 as its end, 2 as a whole.
  using Fits = QHash<QString, int>;
  RunCondition m_condition;
  // Options likewise; each with its value is there once (SharedOptions).
  using OptionFits = QHash<const SharedOption*, int>;
  mutable std::vector<Fits> m_fits;              // by AskedName::number
  mutable std::vector<OptionFits> m_optionFits;  // the same
};

// The metrics and options of the last thousand of these runs, in alphabetical order.
std::vector<std::string> askableNames(const QVector<RunItem>& runs);

// Their options alone.
std::vector<std::string> askableOptions(const QVector<RunItem>& runs);

}  // namespace fathom
