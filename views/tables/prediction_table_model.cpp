// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/prediction_table_model.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "views/look/engine_text.h"

namespace fathom {

PredictionTableModel::PredictionTableModel(ReviewedPredictions* review, QObject* parent)
    : TableModel(parent), m_review(review), m_filter(review) {
  m_filter.rebuild();
  connect(review, &ReviewedPredictions::reviewChanged, this, [this] {
    replaceTable([this] {
      m_filter.rebuild();
      m_facetColumns.clear();
      for (std::size_t f = 0; !m_review->empty() && f < m_review->review().facets.size(); ++f) {
        const auto& wanted = m_review->kind().columns;
        if (std::find(wanted.begin(), wanted.end(), m_review->review().facets[f].id) != wanted.end())
          m_facetColumns.push_back(int(f));
      }
      m_shownModel = -1;
      m_rows.clear();
      m_rowOf.clear();
    });
    refresh();
  });
  connect(review, &ReviewedPredictions::currentChanged, this, [this] {
    if (m_review->currentModel() == m_shownModel) return;
    refresh();
    if (columnCount() > 0) Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
  });
  connect(review, &ReviewedPredictions::exampleChanged, this, [this](int example) {
    m_filter.reread(example);
    m_filter.recount();
    const int row = rowOfExample(example);
    if (row >= 0) changedRows(row, row);
    Q_EMIT filtered();
  });
}

int PredictionTableModel::modelOfColumn(int column) const {
  return column >= kFirstModel && column < categoryColumn() ? column - kFirstModel : -1;
}

const ReviewFacet* PredictionTableModel::facetOfColumn(int column) const {
  if (column < firstFacet() || column >= columnCount()) return nullptr;
  return &m_review->review().facets[std::size_t(m_facetColumns[std::size_t(column - firstFacet())])];
}

int PredictionTableModel::numberOfColumn(int column) const {
  if (column <= categoryColumn() || column >= firstFacet()) return -1;
  return m_review->knownNumbers()[std::size_t(column - categoryColumn() - 1)];
}

int PredictionTableModel::columnDigits(int column) const {
  constexpr int kLeastOfFacet = 8, kMostOfFacet = 12;
  if (column == 0) return 6;
  if (column == categoryColumn()) return 17;  // "False negative" and its square
  const ReviewFacet* facet = facetOfColumn(column);
  if (facet == nullptr) return column == kText ? 60 : 11;
  int longest = 0;
  for (const ReviewFacet::Value& value : facet->values) longest = qMax(longest, int(value.word.size()));
  return qBound(kLeastOfFacet, longest, kMostOfFacet);
}

void PredictionTableModel::refresh() {
  m_filter.apply();
  const std::vector<int>& rows = m_filter.rows();
  // Another letter of a word often leaves the same rows.
  if (rows != m_rows || m_shownModel != m_review->currentModel()) {
    replaceTable([&] {
      m_rows = rows;
      m_shownModel = m_review->currentModel();
      m_rowOf.assign(std::size_t(m_review->examples()), -1);
      for (std::size_t row = 0; row < m_rows.size(); ++row) m_rowOf[std::size_t(m_rows[row])] = int(row);
    });
  }
  Q_EMIT filtered();
}

int PredictionTableModel::rowOfExample(int example) const {
  return example >= 0 && example < int(m_rowOf.size()) ? m_rowOf[std::size_t(example)] : -1;
}

int PredictionTableModel::nextWrong(int after, int direction) const {
  const int model = m_review->currentModel();
  if (model < 0) return -1;
  int row = after < 0 ? (direction > 0 ? 0 : rowCount() - 1) : after + direction;
  for (; row >= 0 && row < rowCount(); row += direction)
    if (m_review->isWrong(model, exampleOfRow(row))) return row;
  return -1;
}

QString PredictionTableModel::modelLetter(int model) {
  QString letters;
  for (int rest = model + 1; rest > 0; rest = (rest - 1) / 26) letters.prepend(QChar(u'A' + (rest - 1) % 26));
  return letters;
}

QVariant PredictionTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const int example = exampleOfRow(index.row());
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole:
      return text(example, column);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
      return toolTip(example, column);
    case Qt::TextAlignmentRole:
      if (isNumber(column)) return int(Qt::AlignRight | Qt::AlignVCenter);
      return int((modelOfColumn(column) >= 0 ? Qt::AlignHCenter : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
      return {};
  }
}

PredictionTableModel::Shown PredictionTableModel::shownAt(const QModelIndex& index) const {
  int model = modelOfColumn(index.column());
  if (model < 0) model = m_review->currentModel();
  const int example = exampleOfRow(index.row());
  return {m_review->kind().categories[std::size_t(m_review->category(model, example))].id,
          m_review->isHuman(model, example), m_review->isStale(model, example),
          m_review->isRight(model, example)};
}

QString PredictionTableModel::modelText(int model, int example) const {
  if (m_review->isRight(model, example)) return QStringLiteral("✓");
  if (!m_review->isWrong(model, example)) return QStringLiteral("–");
  return fromUtf8(m_review->kind().categories[std::size_t(m_review->category(model, example))].letter);
}

QString PredictionTableModel::text(int example, int column) const {
  if (column == 0) return QString::number(example);
  if (column == kText) return m_review->headline(example);
  if (const ReviewFacet* facet = facetOfColumn(column)) {
    const std::int32_t value = facet->value(0, std::size_t(example));
    return value < 0 ? QString() : wordText(facet->values[std::size_t(value)].title);
  }
  if (const int model = modelOfColumn(column); model >= 0) return modelText(model, example);
  const int current = m_review->currentModel();
  if (current < 0) return {};
  if (column == categoryColumn()) return m_review->categoryTitle(m_review->category(current, example));
  const auto number = std::size_t(numberOfColumn(column));
  const auto value = double{m_review->verdict(current, example).numbers[number]};
  return std::isnan(value) ? QString()
                           : QLocale().toString(value, 'f', m_review->kind().numbers[number].decimals);
}

QString PredictionTableModel::toolTip(int example, int column) const {
  int model = modelOfColumn(column);
  if (model < 0 && column == categoryColumn()) model = m_review->currentModel();
  if (model < 0) return column == 0 ? fromUtf8(m_review->example(example).id) : text(example, column);
  const int program = m_review->verdict(model, example).category;
  QStringList lines = {tr("%1: %2").arg(m_review->modelName(model),
                                        m_review->categoryTitle(m_review->category(model, example)))};
  if (const auto remark = m_review->kind().remark; remark != nullptr)
    if (const Phrase more = remark(m_review->review(), std::size_t(model), std::size_t(example));
        !more.empty())
      lines.append(phraseText(more));
  if (m_review->isHuman(model, example))
    lines.append(tr("set by hand; the program says %1").arg(m_review->categoryTitle(program)));
  if (m_review->isStale(model, example))
    lines.append(tr("a category was set by hand for another answer to this example"));
  const QString answer = m_review->predicted(model, example);
  lines.append(answer.isEmpty() ? tr("(no prediction)") : answer);
  return lines.join(QLatin1Char('\n'));
}

bool PredictionTableModel::isNumber(int column) const {
  return column == 0 || numberOfColumn(column) >= 0;
}

QString PredictionTableModel::title(int column) const {
  if (column == 0) return tr("#");
  if (const ReviewFacet* facet = facetOfColumn(column)) return phraseText(facet->title);
  if (const int model = modelOfColumn(column); model >= 0) return modelLetter(model);
  if (column == categoryColumn()) return tr("Category");
  if (column == kText) return m_review->empty() ? QString() : phraseText(m_review->kind().headline);
  return phraseText(m_review->kind().numbers[std::size_t(numberOfColumn(column))].title);
}

QVariant PredictionTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  const int model = orientation == Qt::Horizontal ? modelOfColumn(section) : -1;
  if (role == Qt::ToolTipRole && model >= 0) return m_review->modelName(model);
  if (role == Qt::TextAlignmentRole && model >= 0) return int(Qt::AlignCenter);
  return TableModel::headerData(section, orientation, role);
}

void PredictionTableModel::sort(int column, Qt::SortOrder order) {
  using Sort = ReviewFilter::Sort;
  Sort key = Sort::Index;
  int which = -1;
  if (facetOfColumn(column) != nullptr) {
    key = Sort::Facet;
    which = m_facetColumns[std::size_t(column - firstFacet())];
  } else if (const int model = modelOfColumn(column); model >= 0) {
    key = Sort::Model;
    which = model;
  } else if (column == categoryColumn()) {
    key = Sort::Category;
  } else if (const int number = numberOfColumn(column); number >= 0) {
    key = Sort::Number;
    which = number;
  } else if (column == kText) {
    key = Sort::Text;
  }
  m_filter.setSort(key, order == Qt::DescendingOrder, which);
  refresh();
}

}  // namespace fathom
