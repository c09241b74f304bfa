// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/results_panel.h"

#include <QLabel>
#include <QLocale>
#include <QScrollBar>
#include <QSplitter>
#include <QTableView>

#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/elided_label.h"
#include "views/panels/widgets/titled_side.h"

namespace fathom {

namespace {

constexpr int kWidestResultsColumn = 260, kLeastResultRows = 4;

QString headOf(const QString& name, const QueryResult& result) {
  if (!result.ok) return ResultsPanel::tr("%1: %2").arg(name, result.message);
  const QLocale locale;
  const QString pattern =
      result.rowCount == 1 ? ResultsPanel::tr("%1: %2 row, %3 ms") : ResultsPanel::tr("%1: %2 rows, %3 ms");
  QString text = pattern.arg(name, locale.toString(result.rowCount),
                             locale.toString(result.seconds * 1000, 'f', result.seconds < 0.01 ? 1 : 0));
  if (result.rowCount > result.rows.size())
    text += ResultsPanel::tr(" (the first %1 shown)").arg(locale.toString(result.rows.size()));
  return text;
}

}  // namespace

ResultsPanel::ResultsPanel(QWidget* parent)
    : QWidget(parent),
      m_verdict(wrappedLabel(this, QStringLiteral("resultsVerdict"))),
      m_goldTitle(new ElidedLabel({}, this)),
      m_predictedTitle(new ElidedLabel({}, this)),
      m_gold(new QueryResultModel(true, this)),
      m_predicted(new QueryResultModel(false, this)),
      m_goldTable(compactTable(m_gold, {}, this)),
      m_predictedTable(compactTable(m_predicted, {}, this)),
      m_body(nullptr) {
  makeSemibold(m_verdict);
  auto* split = new QSplitter(Qt::Horizontal, this);
  m_goldTable->setObjectName(QStringLiteral("goldResult"));
  m_predictedTable->setObjectName(QStringLiteral("predictedResult"));
  // Two rows below the heads, with a scroll bar.
  for (QTableView* table : {m_goldTable, m_predictedTable})
    table->setMinimumHeight(kLeastResultRows * metrics::kTableRow);
  addTitledSide(split, m_goldTitle, m_goldTable);
  addTitledSide(split, m_predictedTitle, m_predictedTable);
  split->setChildrenCollapsible(false);
  split->setSizes({1000, 1000});
  m_body = split;
  setSides(tr("Gold"), tr("Predicted"));
  makeColumn(this, {m_verdict, {split, 1}}, metrics::kGrid,
             {metrics::kMargin, metrics::kGrid, metrics::kMargin, metrics::kMargin});
  // Rows of both sides belong together.
  const auto follow = [](QTableView* from, QTableView* to) {
    connect(from->verticalScrollBar(), &QScrollBar::valueChanged, to->verticalScrollBar(),
            &QScrollBar::setValue);
  };
  follow(m_goldTable, m_predictedTable);
  follow(m_predictedTable, m_goldTable);
  showMessage({});
}

void ResultsPanel::setSides(const QString& first, const QString& second) {
  m_goldName = first;
  m_predictedName = second;
  m_goldTable->setAccessibleName(tr("Result: %1").arg(first));
  m_predictedTable->setAccessibleName(tr("Result: %1").arg(second));
  m_goldTable->parentWidget()->setVisible(!first.isEmpty());
}

void ResultsPanel::showMessage(const QString& text) {
  m_verdict->setText(text);
  m_body->hide();
  // The message stands at the top, not in the middle of nothing.
  m_verdict->setAlignment(Qt::AlignLeft | Qt::AlignTop);
}

void ResultsPanel::showRunning() {
  m_verdict->setText(tr("Running both queries…"));
}

void ResultsPanel::showResults(const QueryResult& gold, const QueryResult& predicted, bool ordered,
                               const QString& verdict, const QString& layers) {
  const QVector<RowPair> pairs = pairRows(gold.rows, predicted.rows, ordered);
  m_gold->setResult(gold, pairs);
  m_predicted->setResult(predicted, pairs);
  m_verdict->setText(verdict);
  m_verdict->setToolTip(tr("Executed in a sandbox: %1").arg(layers));
  m_goldTitle->setFullText(headOf(m_goldName, gold));
  m_predictedTitle->setFullText(headOf(m_predictedName, predicted));
  m_body->show();
  for (QTableView* table : {m_goldTable, m_predictedTable}) fitColumns(table, kWidestResultsColumn);
}

}  // namespace fathom
