// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/prediction_table_model.h"

#include <QLocale>

#include "views/look/engine_text.h"

namespace fathom {

PredictionTableModel::PredictionTableModel(ErrorReview* review, QObject* parent)
    : ReviewTableModel(review, parent), m_review(review) {
  filter().rebuild();
}

int PredictionTableModel::modelOfColumn(int column) const {
  return column >= FirstModel && column < categoryColumn() ? column - FirstModel : -1;
}

int PredictionTableModel::columnDigits(int column) const {
  if (column == Number) return 6;
  if (column == Database) return 12;
  if (column == Hardness) return 8;
  if (column == categoryColumn()) return 17;  // "False negative" and its square
  return column == confidenceColumn() ? 11 : 60;
}

QString PredictionTableModel::text(int example, int column) const {
  const int model = modelOfColumn(column);
  if (model >= 0) {
    const PredictionState& state = m_review->state(model, example);
    if (state.exact) return QStringLiteral("✓");
    if (!state.wrong) return QStringLiteral("–");
    switch (state.shown) {
      case ErrorCategory::FalseNegative:
        return QStringLiteral("F");
      case ErrorCategory::Column:
        return QStringLiteral("C");
      case ErrorCategory::Sketch:
        return QStringLiteral("S");
      case ErrorCategory::Both:
        return QStringLiteral("B");
      default:
        return QStringLiteral("G");
    }
  }
  switch (column) {
    case Number:
      return QString::number(example);
    case Database:
      return m_review->database(example);
    case Hardness:
      return hardnessTitle(m_review->hardness(example));
    default:
      break;
  }
  if (m_review->currentModel() < 0) return {};
  const PredictionState& state = m_review->state(m_review->currentModel(), example);
  if (column == categoryColumn()) return categoryTitle(state.shown);
  if (column == confidenceColumn()) return QLocale().toString(double(state.confidence), 'f', 2);
  return m_review->question(example);
}

QString PredictionTableModel::toolTip(int example, int column) const {
  int model = modelOfColumn(column);
  if (model < 0 && column == categoryColumn()) model = m_review->currentModel();
  if (model < 0) return text(example, column);
  const PredictionState& state = m_review->state(model, example);
  const CategoryVerdict& program = m_review->verdict(model, example);
  QStringList lines = {tr("%1: %2").arg(m_review->modelName(model), categoryTitle(state.shown))};
  if (!program.subType.empty()) lines.append(engineText(program.subType));
  if (state.human) lines.append(tr("set by hand; the program says %1").arg(categoryTitle(program.category)));
  if (state.stale) lines.append(tr("a category was set by hand for other SQL of this example"));
  const QString sql = m_review->predicted(model, example);
  lines.append(sql.isEmpty() ? tr("(no prediction)") : sql);
  return lines.join(QLatin1Char('\n'));
}

ReviewTableModel::Shown PredictionTableModel::shown(int model, int example) const {
  const PredictionState& state = m_review->state(model, example);
  return {errorCategoryId(state.shown), state.human, state.stale, state.exact};
}

QString PredictionTableModel::title(int column) const {
  const int model = modelOfColumn(column);
  if (model >= 0) return modelLetter(model);
  switch (column) {
    case Number:
      return tr("#");
    case Database:
      return tr("Database");
    case Hardness:
      return tr("Hardness");
    default:
      break;
  }
  if (column == categoryColumn()) return tr("Category");
  return column == confidenceColumn() ? tr("Confidence") : tr("Question");
}

void PredictionTableModel::sort(int column, Qt::SortOrder order) {
  using Sort = ReviewFilter::Sort;
  const int model = modelOfColumn(column);
  Sort key = Sort::Index;
  if (model >= 0) key = Sort::Model;
  if (column == Database) key = Sort::Database;
  if (column == Hardness) key = Sort::Hardness;
  if (column == categoryColumn()) key = Sort::Category;
  if (column == confidenceColumn()) key = Sort::Confidence;
  if (column == questionColumn()) key = Sort::Question;
  sortBy(key, order, model);
}

}  // namespace fathom
