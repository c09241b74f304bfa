// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/review/review_judgements.h"
#include "core/spider/judgement/spider_review.h"
#include "views/tables/reviewed_predictions.h"

namespace fathom {

// A review as it was read (core/review), with what people said about it. Built off the GUI thread, then owned
// by ErrorReview alone; the parts point at each other, so it stays where it was made.
struct OpenReview {
  ReviewSources sources;
  SpiderReview review;
  std::unique_ptr<ProjectLibrary> library;  // null: nothing is kept
  std::optional<ReviewJudgements> judgements;
};

// What a table asks about one prediction, kept flat so that filtering costs no look-ups.
struct PredictionState {
  ErrorCategory shown = ErrorCategory::Correct;  // a person's category, else the program's
  bool exact = false;                            // exact match
  bool wrong = false;                            // not exact, and gold could be scored
  bool human = false;                            // a person set the category
  bool stale = false;                            // a person judged other SQL of this system for this example
  bool refused = false;                          // the scoped parser cannot read it
  bool possibleFalsePositive = false;
  float confidence = 1;  // of the program
};

// In the language of the window: "Column".
QString categoryTitle(ErrorCategory category);
QString hardnessTitle(SpiderHardness hardness);
// The categories of the keys 1 … 4.
inline constexpr std::array<ErrorCategory, 4> kReviewCategories = {
    ErrorCategory::FalseNegative, ErrorCategory::Column, ErrorCategory::Sketch, ErrorCategory::Both};

// What all panels of the Errors workspace look at when the predictions are SQL. All changes by people go
// through here and are in the library when the call returns. GUI thread.
class ErrorReview : public ReviewedPredictions {
  Q_OBJECT
 public:
  // `selection` is borrowed.
  explicit ErrorReview(SelectionModel* selection, QObject* parent = nullptr);
  ~ErrorReview() override;
  // Replaces everything (null: nothing is open). The first example and model are chosen unless the selection
  // names others.
  void setReview(std::unique_ptr<OpenReview> open);
  // For another window; nothing is open here then.
  std::unique_ptr<OpenReview> release();
  bool empty() const override {
    return !m_open || m_open->review.models.empty() || m_open->review.gold.empty();
  }
  const SpiderReview& review() const { return m_open->review; }
  const ReviewJudgements& judgements() const override { return *m_open->judgements; }
  const ReviewSources& sources() const { return m_open->sources; }
  bool canBeChanged() const override { return m_open && m_open->library && !m_open->library->readOnly(); }

  int examples() const override { return m_open ? int(m_open->review.gold.size()) : 0; }
  int models() const override { return m_open ? int(m_open->review.models.size()) : 0; }
  QString modelName(int model) const override;
  QString database(int example) const;
  QString question(int example) const;
  QString gold(int example) const;
  QString predicted(int model, int example) const override;
  QString searchText(int example) const override;
  QString sortText(int example) const override { return question(example); }
  bool isRight(int model, int example) const override { return state(model, example).exact; }
  bool isWrong(int model, int example) const override { return state(model, example).wrong; }
  std::unique_ptr<FacetTable> makeFacets() const override;
  QString titleOfId(const std::string& category) const override;
  const PredictionState& state(int model, int example) const {
    return m_states[std::size_t(model)][std::size_t(example)];
  }
  const CategoryVerdict& verdict(int model, int example) const;
  SpiderHardness hardness(int example) const { return m_open->review.hardness(std::size_t(example)); }
  const SqlFeatures& features(int example) const { return m_open->review.features[std::size_t(example)]; }
  // Null when tables.json does not know the database.
  const SpiderSchema* schemaOf(int example) const;

  Status setCategory(int model, int example, ErrorCategory category, const QString& note);
  Status setEditedSql(int example, EditedSide side, const QString& sql);

 private:
  Judgements& changedJudgements() override { return *m_open->judgements; }
  void readStates(int example) override;
  std::unique_ptr<OpenReview> m_open;
  std::vector<std::vector<PredictionState>> m_states;
};

}  // namespace fathom
