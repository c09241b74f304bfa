// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/hypothesis_panel.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLocale>
#include <QSplitter>
#include <QTableView>
#include <algorithm>
#include <cmath>

#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/errors/probability_delegate.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/elided_label.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/titled_side.h"

namespace fathom {

namespace {

// Official exact match with the example's gold.
bool equalsGold(const ReviewedPredictions& review, int model, int example, const std::string& sql) {
  if (sql.empty() || schemaOf(review, example) == nullptr) return false;
  SpiderPair pair = sqlOf(review).models[std::size_t(model)].pairs[std::size_t(example)];
  pair.predicted = sql;
  const auto evaluated = evaluateSpider({pair}, sqlOf(review).schemas, {sqlOf(review).rules, 1});
  return evaluated.ok() && evaluated->verdicts.front().match.exact;
}

}  // namespace

HypothesisPanel::HypothesisPanel(ReviewedPredictions* review, QWidget* parent)
    : QWidget(parent),
      m_review(review),
      m_beam(new HypothesisTableModel(this)),
      m_steps(new ActionTableModel(this)),
      m_empty(new EmptyState(this)),
      m_body(nullptr),
      m_beamTitle(new ElidedLabel({}, this)),
      m_stepsTitle(new ElidedLabel({}, this)),
      m_hypotheses(rowTable(m_beam, tr("Hypotheses of the search"), this)),
      m_actions(compactTable(m_steps, tr("Actions of the hypothesis"), this)) {
  m_hypotheses->setSelectionMode(QAbstractItemView::SingleSelection);
  m_hypotheses->setWordWrap(false);
  fillWidth(m_hypotheses, HypothesisTableModel::Sql);
  m_actions->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_actions->setItemDelegateForColumn(ActionTableModel::Probability, new ProbabilityDelegate(m_actions));
  fillWidth(m_actions, ActionTableModel::Action);
  auto* split = new QSplitter(Qt::Horizontal, this);
  addTitledSide(split, m_beamTitle, m_hypotheses);
  addTitledSide(split, m_stepsTitle, m_actions);
  split->setChildrenCollapsible(false);
  split->setSizes({1000, 1000});
  m_body = split;
  makeColumn(this, {m_empty, {split, 1}}, 0, {0, metrics::kGrid, 0, 0});
  connect(m_hypotheses->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& current) {
            if (!m_filling && current.isValid()) choose(current.row());
          });
  showMessage({});
}

void HypothesisPanel::showMessage(const QString& text) {
  m_filling = true;
  m_beam->setHypotheses({});
  m_steps->setActions({});
  m_filling = false;
  m_empty->setText(text);
  m_empty->setVisible(!text.isEmpty());
  m_body->hide();
}

void HypothesisPanel::showDetails(const SearchDetails& details) {
  const int model = m_review->currentModel(), example = m_review->currentExample();
  if (model < 0 || example < 0) return showMessage({});
  if (details.hypotheses.empty())
    return showMessage(tr("The search kept no hypothesis for this example: nothing was complete in time."));
  const std::string predicted = normalisedSql(toUtf8(m_review->predicted(model, example)));
  std::vector<ShownHypothesis> shown;
  bool found = false;
  for (const ExplainedHypothesis& one : details.hypotheses) {
    const bool taken = !found && one.finished && !one.sql.empty() && normalisedSql(one.sql) == predicted;
    found = found || taken;
    shown.push_back({one, taken, equalsGold(*m_review, model, example, one.sql)});
  }
  const auto gold =
      std::count_if(shown.begin(), shown.end(), [](const ShownHypothesis& one) { return one.goldEqual; });
  m_beamTitle->setFullText(
      (gold > 0 ? tr("Hypotheses: %1, gold among them") : tr("Hypotheses: %1, none is gold"))
          .arg(QLocale().toString(qint64(shown.size()))));
  m_filling = true;
  m_beam->setHypotheses(std::move(shown));
  m_empty->hide();
  m_body->show();
  m_filling = false;
  showStored();
}

void HypothesisPanel::showStored() {
  if (m_beam->rowCount() == 0) return;
  m_filling = true;
  if (const int row = m_beam->takenRow(); row >= 0) {
    m_hypotheses->selectRow(row);
    choose(row);
  } else {
    m_hypotheses->clearSelection();
    m_hypotheses->setCurrentIndex({});
    m_steps->setActions({});
    m_stepsTitle->setFullText(tr("The stored prediction is none of them"));
  }
  m_filling = false;
}

void HypothesisPanel::choose(int row) {
  if (row < 0 || row >= m_beam->rowCount()) return;
  const ShownHypothesis& shown = m_beam->hypotheses()[std::size_t(row)];
  const auto& actions = shown.hypothesis.actions;
  const auto low = std::count_if(actions.begin(), actions.end(), [](const ExplainedAction& action) {
    return std::exp(action.logProbability) < ActionTableModel::kLow;
  });
  m_stepsTitle->setFullText(tr("Hypothesis %1: actions %2, below %4: %3")
                                .arg(QString::number(row + 1), QString::number(actions.size()),
                                     QString::number(low),
                                     QLocale().toString(ActionTableModel::kLow, 'f', 1)));
  m_steps->setActions(actions);
  if (m_filling) return;
  if (shown.taken) {
    Q_EMIT hypothesisChosen({}, {});
  } else {
    Q_EMIT hypothesisChosen(fromUtf8(shown.hypothesis.sql), tr("Hypothesis %1").arg(row + 1));
  }
}

}  // namespace fathom
