// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/model_pairs.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <algorithm>
#include <utility>

#include "views/figures/review_figure.h"
#include "views/figures/review_tables.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/errors/leading_cells.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/controls.h"
#include "views/tables/paper/paper_table_model.h"

namespace fathom {

ModelPairs::ModelPairs(ReviewedPredictions* review, QWidget* parent)
    : QWidget(parent),
      m_review(review),
      m_model(new PaperTableModel(this)),
      m_table(compactTable(m_model, tr("Models in pairs"), this)),
      m_text(wrappedLabel(this)) {
  m_table->setObjectName(QStringLiteral("modelPairs"));
  makeColumn(this, {m_text, {m_table, 1}}, kStyleGap, {0, metrics::kGrid, 0, 0});
  // Whose verdicts count, difference, interval and p are in view, the numbers of examples stand behind.
  connect(m_model, &QAbstractItemModel::modelReset, m_table, [header = m_table->horizontalHeader()] {
    if (kPairVerdicts < header->count()) header->moveSection(header->visualIndex(kPairVerdicts), 2);
    for (const int column : {kPairOnlyFirst, kPairOnlySecond})
      if (column < header->count()) header->moveSection(header->visualIndex(column), header->count() - 1);
  });
  connect(new LeadingCells(m_table), &LeadingCells::chosen, this, &ModelPairs::pick);
}

void ModelPairs::setPairs(JudgedPairs pairs) {
  show(std::move(pairs));
  m_known = true;
}

void ModelPairs::forget() {
  show({});
  m_known = false;
}

void ModelPairs::show(JudgedPairs pairs) {
  m_pairs = std::move(pairs);
  QString text = tr("Click a number to see its examples.");
  if (!m_pairs.byPeople.empty()) text += QLatin1Char('\n') + phraseText(m_pairs.judged.words());
  m_text->setText(text);
  if (m_pairs.byMetric.empty()) return m_model->setTable({});
  PaperTable table = pairsTable(m_review->review(), m_pairs);
  CellSelections cells(table.rows.size());
  for (std::size_t row = 0; row < cells.size(); ++row) {
    cells[row].resize(2);  // the names of the two
    for (int column = kPairOnlyFirst; column < kPairVerdicts; ++column) {
      const std::vector<int> examples = behind(int(row), column).examples;
      cells[row].push_back(examplesPart({examples.begin(), examples.end()}));
    }
  }
  m_model->setTable(std::move(table), std::move(cells));
}

// A pair has a row of the metric's verdicts and, where people judged, one of theirs.
ModelPairs::Behind ModelPairs::behind(int row, int column) const {
  const std::size_t rows = m_pairs.byPeople.empty() ? 1 : 2;
  const bool byPeople = std::size_t(row) % rows == 1;
  const ReviewPair& pair = m_pairs.byMetric[std::size_t(row) / rows];
  const Review& review = byPeople ? m_pairs.judged.review : m_review->review();
  std::size_t right = pair.first, wrong = pair.second;
  if (column == kPairOnlySecond) std::swap(right, wrong);
  std::vector<std::size_t> examples = onlyFirstRight(review, right, wrong);
  const bool both = column != kPairOnlyFirst && column != kPairOnlySecond;
  if (both) {
    const auto others = onlyFirstRight(review, wrong, right);
    examples.insert(examples.end(), others.begin(), others.end());
    std::sort(examples.begin(), examples.end());
  }
  const QString title = both       ? (byPeople ? tr("by people %1 and %2 differ") : tr("%1 and %2 differ"))
                        : byPeople ? tr("by people %1 right, %2 wrong")
                                   : tr("%1 right, %2 wrong");
  return {int(both ? right : wrong),
          {examples.begin(), examples.end()},
          title.arg(m_review->modelName(int(right)), m_review->modelName(int(wrong)))};
}

void ModelPairs::pick(const QModelIndex& cell) {
  const Behind found = behind(cell.row(), cell.column());
  if (found.examples.empty()) return;
  m_review->choose(found.model, found.examples.front(), this);
  Q_EMIT examplesPicked(found.examples, found.title);
}

}  // namespace fathom
