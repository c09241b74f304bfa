// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/error_review.h"

#include <algorithm>

#include "views/look/engine_text.h"
#include "views/tables/review_facets.h"

namespace fathom {

QString categoryTitle(ErrorCategory category) {
  switch (category) {
    case ErrorCategory::Correct:
      return ErrorReview::tr("Correct");
    case ErrorCategory::FalseNegative:
      return ErrorReview::tr("False negative");
    case ErrorCategory::Column:
      return ErrorReview::tr("Column");
    case ErrorCategory::Sketch:
      return ErrorReview::tr("Sketch");
    case ErrorCategory::Both:
      return ErrorReview::tr("Both");
    case ErrorCategory::GoldError:
      return ErrorReview::tr("Gold is wrong");
  }
  return {};
}

QString hardnessTitle(SpiderHardness hardness) {
  switch (hardness) {
    case SpiderHardness::Easy:
      return ErrorReview::tr("easy");
    case SpiderHardness::Medium:
      return ErrorReview::tr("medium");
    case SpiderHardness::Hard:
      return ErrorReview::tr("hard");
    case SpiderHardness::Extra:
      return ErrorReview::tr("extra");
  }
  return {};
}

ErrorReview::ErrorReview(SelectionModel* selection, QObject* parent)
    : ReviewedPredictions(selection, parent) {}

ErrorReview::~ErrorReview() = default;

std::unique_ptr<OpenReview> ErrorReview::release() {
  auto open = std::move(m_open);
  setReview(nullptr);
  return open;
}

void ErrorReview::setReview(std::unique_ptr<OpenReview> open) {
  m_open = std::move(open);
  beginReplacing();
  m_states.assign(std::size_t(models()), std::vector<PredictionState>(std::size_t(examples())));
  for (int i = 0; i < examples() && !empty(); ++i) readStates(i);
  endReplacing();
}

void ErrorReview::readStates(int example) {
  const auto e = std::size_t(example);
  for (std::size_t m = 0; m < m_states.size(); ++m) {
    const ReviewModel& model = m_open->review.models[m];
    const SpiderVerdict& match = model.evaluation.verdicts[e];
    const CategoryVerdict& verdict = model.verdicts[e];
    PredictionState& state = m_states[m][e];
    HandCheck& progress = m_progress[m];
    progress.reviewed -= state.wrong && state.human;
    progress.wrong -= state.wrong;
    state.shown = judgements().category(m, e);
    state.human = judgements().human(m, e) != nullptr;
    state.exact = match.match.exact;
    state.wrong = !state.exact && !match.goldError;
    state.stale = !state.human && !judgements().stale(m, e).empty();
    state.refused = verdict.subType == "invalid" || verdict.subType == "too large";
    state.possibleFalsePositive = verdict.possibleFalsePositive;
    state.confidence = float(verdict.confidence);
    progress.reviewed += state.wrong && state.human;
    progress.wrong += state.wrong;
  }
}

QString ErrorReview::modelName(int model) const {
  return fromUtf8(m_open->review.models[std::size_t(model)].name);
}
QString ErrorReview::database(int example) const {
  return fromUtf8(m_open->review.gold[std::size_t(example)].dbId);
}
QString ErrorReview::question(int example) const {
  const auto& questions = m_open->review.questions;
  return std::size_t(example) < questions.size() ? fromUtf8(questions[std::size_t(example)]) : QString();
}
QString ErrorReview::gold(int example) const {
  return fromUtf8(m_open->review.gold[std::size_t(example)].sql);
}
QString ErrorReview::predicted(int model, int example) const {
  return fromUtf8(m_open->review.models[std::size_t(model)].pairs[std::size_t(example)].predicted);
}
const CategoryVerdict& ErrorReview::verdict(int model, int example) const {
  return m_open->review.models[std::size_t(model)].verdicts[std::size_t(example)];
}

const SpiderSchema* ErrorReview::schemaOf(int example) const {
  return findSchema(m_open->review.schemas, m_open->review.gold[std::size_t(example)].dbId);
}

QString ErrorReview::searchText(int example) const {
  return QStringList{database(example), question(example), gold(example),
                     fromUtf8(judgements().note(std::size_t(example)))}
      .join(QLatin1Char('\n'));
}

std::unique_ptr<FacetTable> ErrorReview::makeFacets() const {
  return std::make_unique<ReviewFacets>(this);
}

QString ErrorReview::titleOfId(const std::string& category) const {
  const auto known = errorCategoryFromId(category);
  return known ? categoryTitle(*known) : fromUtf8(category);
}

Status ErrorReview::setCategory(int model, int example, ErrorCategory category, const QString& note) {
  return setVerdict(model, example, errorCategoryId(category), note);
}

Status ErrorReview::setEditedSql(int example, EditedSide side, const QString& sql) {
  return changed(m_open->judgements->setEditedSql(std::size_t(example), side, toUtf8(sql)), example);
}

}  // namespace fathom
