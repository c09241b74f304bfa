// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/reviewed_predictions.h"

#include "views/look/engine_text.h"
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
    for (int m = 0; m < models(); ++m) m_progress[std::size_t(m)].right += isRight(m, i);
  }
  Q_EMIT reviewChanged();
  follow();
  if (!empty() && (m_model < 0 || m_example < 0)) place(qMax(0, m_model), qMax(0, m_example));
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
  follow();  // it may have been named there before
}

void ReviewedPredictions::place(int model, int example) {
  if (model < 0 || model >= models() || example < 0 || example >= examples()) return;
  if (model == m_model && example == m_example) return;
  m_model = model;
  m_example = example;
  Q_EMIT currentChanged();
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

std::string ReviewedPredictions::authorName() {
  const QString user = qEnvironmentVariable("USER");
  return toUtf8(user.isEmpty() ? qEnvironmentVariable("LOGNAME") : user);
}

Status ReviewedPredictions::changed(const Status& status, int example) {
  if (!status.ok()) return status;
  readStates(example);
  Q_EMIT exampleChanged(example);
  return {};
}

Status ReviewedPredictions::setVerdict(int model, int example, const std::string& category,
                                       const QString& note) {
  return changed(changedJudgements().setVerdict(std::size_t(model), std::size_t(example), category,
                                                toUtf8(note), authorName()),
                 example);
}

Status ReviewedPredictions::setNote(int example, const QString& text) {
  return changed(changedJudgements().setNote(std::size_t(example), toUtf8(text)), example);
}

Status ReviewedPredictions::setTags(int example, const QStringList& tags) {
  std::vector<std::string> list;
  for (const QString& tag : tags) list.push_back(toUtf8(tag));
  return changed(changedJudgements().setTags(std::size_t(example), list), example);
}

Status ReviewedPredictions::undo() {
  return empty() ? Status() : moved(changedJudgements().undo());
}

Status ReviewedPredictions::redo() {
  return empty() ? Status() : moved(changedJudgements().redo());
}

Status ReviewedPredictions::moved(const Result<std::optional<std::size_t>>& example) {
  if (!example.ok()) return example.error();
  if (!*example) return {};
  choose(m_model, int(**example), nullptr);
  return changed({}, int(**example));
}

}  // namespace fathom
