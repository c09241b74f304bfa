// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/reviewed_predictions.h"

#include <algorithm>
#include <cmath>

#include "views/look/engine_text.h"

namespace fathom {

ReviewedPredictions::ReviewedPredictions(SelectionModel* selection, QObject* parent)
    : QObject(parent), m_selection(selection) {
  connect(m_selection, &SelectionModel::changed, this, [this](Dimension dimension) {
    if (dimension == Dimension::Example || dimension == Dimension::PredictionSet) follow();
  });
}

ReviewedPredictions::~ReviewedPredictions() = default;

std::shared_ptr<OpenReview> ReviewedPredictions::release() {
  auto open = std::move(m_open);
  setReview(nullptr);
  return open;
}

void ReviewedPredictions::setReview(std::shared_ptr<OpenReview> open) {
  m_open = std::move(open);
  m_model = m_example = -1;
  m_wrongInAll = m_wrongInAny = 0;
  m_progress.assign(std::size_t(models()), {});
  m_states.assign(std::size_t(models()), std::vector<State>(std::size_t(examples())));
  readNumbers();
  for (int i = 0; i < examples() && !empty(); ++i) {
    for (int m = 0; m < models(); ++m) {
      m_progress[std::size_t(m)].wrong += isWrong(m, i);
      m_progress[std::size_t(m)].right += isRight(m, i);
    }
    readStates(i);
    m_wrongInAll += isWrongInAll(i);
    m_wrongInAny += isWrongInAny(i);
  }
  Q_EMIT reviewChanged();
  // The example that is chosen may be one of other predictions, which were open before.
  const QString of = m_selection->current(Dimension::PredictionSet);
  bool named = of.isEmpty();
  for (int m = 0; m < models(); ++m) named = named || modelName(m) == of;
  if (named) follow();
  if (!empty() && (m_model < 0 || m_example < 0)) beginAtFirstWrong();
  if (empty()) Q_EMIT currentChanged();
}

// The first example of all where everything is right.
void ReviewedPredictions::beginAtFirstWrong() {
  const int model = qMax(0, m_model);
  int example = m_example;
  for (int i = 0; i < examples() && example < 0; ++i)
    if (isWrong(model, i)) example = i;
  place(model, qMax(0, example));
}

void ReviewedPredictions::readNumbers() {
  m_knownNumbers.clear();
  for (std::size_t n = 0; !empty() && n < kind().numbers.size(); ++n) {
    const auto known = [n](const ReviewVerdict& verdict) { return !std::isnan(verdict.numbers[n]); };
    const auto& all = review().models;
    if (std::any_of(all.begin(), all.end(), [&](const ReviewModel& model) {
          return std::any_of(model.verdicts.begin(), model.verdicts.end(), known);
        }))
      m_knownNumbers.push_back(int(n));
  }
}

void ReviewedPredictions::readStates(int example) {
  const auto e = std::size_t(example);
  for (std::size_t m = 0; m < m_states.size(); ++m) {
    State& state = m_states[m][e];
    const bool wrong = isWrong(int(m), example);
    HandCheck& progress = m_progress[m];
    progress.reviewed -= wrong && state.human;
    state.category = std::uint8_t(judgements().category(m, e));
    state.human = judgements().human(m, e) != nullptr;
    state.stale = !state.human && !judgements().stale(m, e).empty();
    progress.reviewed += wrong && state.human;
  }
}

QString ReviewedPredictions::modelName(int model) const {
  return fromUtf8(review().models[std::size_t(model)].name);
}

const ReviewOutput& ReviewedPredictions::output(int model, int example) const {
  return review().models[std::size_t(model)].outputs[std::size_t(example)];
}

const ReviewVerdict& ReviewedPredictions::verdict(int model, int example) const {
  return review().models[std::size_t(model)].verdicts[std::size_t(example)];
}

QString ReviewedPredictions::searchText(int example) const {
  const ReviewExample& each = this->example(example);
  std::string text;
  for (const auto* list : {&each.texts, &each.references, &each.options})
    for (const std::string& part : *list) {
      text += part;
      text += '\n';
    }
  text += judgements().note(std::size_t(example));
  return fromUtf8(text);
}

QString ReviewedPredictions::predicted(int model, int example) const {
  return fromUtf8(output(model, example).text);
}

QString ReviewedPredictions::headline(int example) const {
  return fromUtf8(headlineOf(this->example(example)));
}

QString ReviewedPredictions::categoryTitle(int category) const {
  return phraseText(kind().categories[std::size_t(category)].title);
}

QString ReviewedPredictions::titleOfId(const std::string& category) const {
  const auto known = categoryIndex(kind(), category);
  return known ? categoryTitle(int(*known)) : fromUtf8(category);
}

std::vector<int> ReviewedPredictions::personCategories() const {
  std::vector<int> categories;
  if (empty()) return categories;
  for (std::size_t k = 1; k < kind().categories.size(); ++k)
    if (kind().categories[k].byPerson) categories.push_back(int(k));
  return categories;
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
  return changed(m_open->judgements->setVerdict(std::size_t(model), std::size_t(example), category,
                                                toUtf8(note), authorName()),
                 example);
}

Status ReviewedPredictions::setCategory(int model, int example, int category, const QString& note) {
  return setVerdict(model, example, kind().categories[std::size_t(category)].id, note);
}

Status ReviewedPredictions::setEditedText(int example, EditedSide side, const QString& text) {
  return changed(m_open->judgements->setEditedText(std::size_t(example), side, toUtf8(text)), example);
}

Status ReviewedPredictions::setNote(int example, const QString& text) {
  return changed(m_open->judgements->setNote(std::size_t(example), toUtf8(text)), example);
}

Status ReviewedPredictions::setTags(int example, const QStringList& tags) {
  std::vector<std::string> list;
  for (const QString& tag : tags) list.push_back(toUtf8(tag));
  return changed(m_open->judgements->setTags(std::size_t(example), list), example);
}

Status ReviewedPredictions::undo() {
  return empty() ? Status() : moved(m_open->judgements->undo());
}

Status ReviewedPredictions::redo() {
  return empty() ? Status() : moved(m_open->judgements->redo());
}

Status ReviewedPredictions::moved(const Result<std::optional<std::size_t>>& example) {
  if (!example.ok()) return example.error();
  if (!*example) return {};
  choose(m_model, int(**example), nullptr);
  return changed({}, int(**example));
}

}  // namespace fathom
