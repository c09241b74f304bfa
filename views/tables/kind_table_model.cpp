// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/kind_table_model.h"

#include <QLocale>
#include <cmath>

#include "views/look/engine_text.h"

namespace fathom {

KindTableModel::KindTableModel(KindErrorReview* review, QObject* parent)
    : ReviewTableModel(review, parent), m_review(review) {
  filter().rebuild();
}

int KindTableModel::numbers() const {
  return int(m_review->knownNumbers().size());
}

int KindTableModel::numberOfColumn(int column) const {
  return m_review->knownNumbers()[std::size_t(column - categoryColumn() - 1)];
}

int KindTableModel::modelOfColumn(int column) const {
  return column >= 1 && column < categoryColumn() ? column - 1 : -1;
}

int KindTableModel::columnDigits(int column) const {
  if (column == 0) return 6;
  if (column == categoryColumn()) return 16;
  return column == textColumn() ? 60 : 10;
}

QString KindTableModel::text(int example, int column) const {
  if (column == 0) return QString::number(example);
  if (column == textColumn()) return m_review->headline(example);
  const int model = modelOfColumn(column);
  if (model >= 0) {
    if (m_review->isRight(model, example)) return QStringLiteral("✓");
    if (!m_review->isWrong(model, example)) return QStringLiteral("–");
    return fromUtf8(m_review->kind().categories[std::size_t(m_review->category(model, example))].letter);
  }
  const int current = m_review->currentModel();
  if (current < 0) return {};
  if (column == categoryColumn()) return m_review->categoryTitle(m_review->category(current, example));
  const auto number = std::size_t(numberOfColumn(column));
  const auto value = double{m_review->verdict(current, example).numbers[number]};
  return std::isnan(value) ? QString()
                           : QLocale().toString(value, 'f', m_review->kind().numbers[number].decimals);
}

QString KindTableModel::toolTip(int example, int column) const {
  int model = modelOfColumn(column);
  if (model < 0 && column == categoryColumn()) model = m_review->currentModel();
  if (model < 0) return column == 0 ? fromUtf8(m_review->example(example).id) : text(example, column);
  const int program = m_review->verdict(model, example).category;
  QStringList lines = {tr("%1: %2").arg(m_review->modelName(model),
                                        m_review->categoryTitle(m_review->category(model, example)))};
  if (m_review->isHuman(model, example))
    lines.append(tr("set by hand; the program says %1").arg(m_review->categoryTitle(program)));
  if (m_review->isStale(model, example))
    lines.append(tr("a category was set by hand for another answer to this example"));
  const QString answer = m_review->predicted(model, example);
  lines.append(answer.isEmpty() ? tr("(no prediction)") : answer);
  return lines.join(QLatin1Char('\n'));
}

ReviewTableModel::Shown KindTableModel::shown(int model, int example) const {
  return {m_review->kind().categories[std::size_t(m_review->category(model, example))].id,
          m_review->isHuman(model, example), m_review->isStale(model, example),
          m_review->isRight(model, example)};
}

bool KindTableModel::isNumber(int column) const {
  return column == 0 || (column > categoryColumn() && column < textColumn());
}

QString KindTableModel::title(int column) const {
  if (column == 0) return tr("#");
  const int model = modelOfColumn(column);
  if (model >= 0) return modelLetter(model);
  if (column == categoryColumn()) return tr("Category");
  if (column == textColumn()) return tr("Example");
  return phraseText(m_review->kind().numbers[std::size_t(numberOfColumn(column))].title);
}

void KindTableModel::sort(int column, Qt::SortOrder order) {
  using Sort = ReviewFilter::Sort;
  const int model = modelOfColumn(column);
  Sort key = Sort::Index;
  if (model >= 0) key = Sort::Model;
  if (column == categoryColumn()) key = Sort::Category;
  const bool number = column > categoryColumn() && column < textColumn();
  if (number) key = Sort::Confidence;
  if (number) m_review->setSortNumber(numberOfColumn(column));
  if (column == textColumn()) key = Sort::Question;
  sortBy(key, order, model);
}

}  // namespace fathom
