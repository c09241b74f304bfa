// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/reviewed_predictions.h"

#include "views/tables/review_facets.h"

namespace fathom {

ReviewedPredictions::ReviewedPredictions(SelectionModel* selection, QObject* parent)
    : QObject(parent), m_selection(selection) {
  connect(m_selection, &SelectionModel::changed, this, [this](Dimension dimension) {
    if (dimension == Dimension::Example || dimension == Dimension::PredictionSet) follow();
  });
}

ReviewedPredictions::~ReviewedPredictions() = default;

void ReviewedPredictions::beginReplacing() {
  m_model = m_example = -1;
  m_wrongInAll = m_wrongInAny = 0;
  m_progress.assign(std::size_t(models()), {});
}

void ReviewedPredictions::endReplacing() {
  for (int i = 0; i < examples() && !empty(); ++i) {
    m_wrongInAll += isWrongInAll(i);
    m_wrongInAny += isWrongInAny(i);
  }
  Q_EMIT reviewChanged();
  follow();
  if (!empty() && (m_model < 0 || m_example < 0)) choose(qMax(0, m_model), qMax(0, m_example), nullptr);
  if (empty()) Q_EMIT currentChanged();
}

void ReviewedPredictions::follow() {
  int model = -1;
  for (int i = 0; i < models(); ++i)
    if (modelName(i) == m_selection->current(Dimension::PredictionSet)) model = i;
  bool number = false;
  int example = m_selection->current(Dimension::Example).toInt(&number);
  if (!number || example < 0 || example >= examples()) example = -1;
  // A selection that names nothing here (another workspace's) leaves the place as it is.
  if (model < 0) model = m_model;
  if (example < 0) example = m_example;
  if (model == m_model && example == m_example) return;
  m_model = model;
  m_example = example;
  if (m_model >= 0 && m_example >= 0) Q_EMIT currentChanged();
}

void ReviewedPredictions::choose(int model, int example, QObject* source) {
  if (model < 0 || model >= models() || example < 0 || example >= examples()) return;
  Selection next = m_selection->selection();
  next.set(Dimension::PredictionSet, {modelName(model)});
  next.set(Dimension::Example, {QString::number(example)});
  m_selection->replace(next, source);
}

bool ReviewedPredictions::isWrongInAll(int example) const {
  for (int m = 0; m < models(); ++m)
    if (!isWrong(m, example)) return false;
  return true;
}

bool ReviewedPredictions::isWrongInAny(int example) const {
  for (int m = 0; m < models(); ++m)
    if (isWrong(m, example)) return true;
  return false;
}

}  // namespace fathom
