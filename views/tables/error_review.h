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
#include "views/selection/selection_model.h"

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

// How far the check by hand has come: "37 of 241 reviewed".
struct HandCheck {
  int reviewed = 0, wrong = 0;  // wrong by the metric, and those of them that a person judged
};

// In the language of the window: "Column".
QString categoryTitle(ErrorCategory category);
QString hardnessTitle(SpiderHardness hardness);
// The categories of the keys 1 … 4.
inline constexpr std::array<ErrorCategory, 4> kReviewCategories = {
    ErrorCategory::FalseNegative, ErrorCategory::Column, ErrorCategory::Sketch, ErrorCategory::Both};

// What all panels of the Errors workspace look at: the review, and the current example and model, which are
// those of the window's selection (dimensions Example, by index, and PredictionSet, by the model's name). All
// changes by people go through here and are in the library when the call returns. GUI thread.
class ErrorReview : public QObject {
  Q_OBJECT
 public:
  // `selection` is borrowed.
  explicit ErrorReview(SelectionModel* selection, QObject* parent = nullptr);
  ~ErrorReview() override;
  // Replaces everything (null: nothing is open). The first example and model are chosen unless the selection
  // names others.
  void setReview(std::unique_ptr<OpenReview> open);
  bool empty() const { return !m_open || m_open->review.models.empty() || m_open->review.gold.empty(); }
  const SpiderReview& review() const { return m_open->review; }
  const ReviewJudgements& judgements() const { return *m_open->judgements; }
  const ReviewSources& sources() const { return m_open->sources; }
  bool canBeChanged() const { return m_open && m_open->library && !m_open->library->readOnly(); }

  int examples() const { return m_open ? int(m_open->review.gold.size()) : 0; }
  int models() const { return m_open ? int(m_open->review.models.size()) : 0; }
  QString modelName(int model) const;
  QString database(int example) const;
  QString question(int example) const;
  QString gold(int example) const;
  QString predicted(int model, int example) const;
  const PredictionState& state(int model, int example) const {
    return m_states[std::size_t(model)][std::size_t(example)];
  }
  const CategoryVerdict& verdict(int model, int example) const;
  SpiderHardness hardness(int example) const { return m_open->review.hardness(std::size_t(example)); }
  const SqlFeatures& features(int example) const { return m_open->review.features[std::size_t(example)]; }
  // Null when tables.json does not know the database.
  const SpiderSchema* schemaOf(int example) const;

  int currentExample() const { return m_example; }  // -1 = none
  int currentModel() const { return m_model; }      // -1 = none
  void choose(int model, int example, QObject* source);

  Status setCategory(int model, int example, ErrorCategory category, const QString& note);
  Status clearCategory(int model, int example);
  Status setNote(int example, const QString& text);
  Status setTags(int example, const QStringList& tags);
  Status setEditedSql(int example, EditedSide side, const QString& sql);
  // The changed example becomes the current one; nothing when there is nothing to undo.
  Status undo();
  Status redo();

  HandCheck progress(int model) const { return m_progress[std::size_t(model)]; }
  int wrongInAll() const { return m_wrongInAll; }
  int wrongInAny() const { return m_wrongInAny; }
  bool isWrongInAll(int example) const;
  bool isWrongInAny(int example) const;

 Q_SIGNALS:
  void reviewChanged();
  void currentChanged();
  // Category, note, tags or edited SQL of an example changed.
  void exampleChanged(int example);

 private:
  void follow();
  void readStates(int example);
  Status changed(const Status& status, int example);
  SelectionModel* m_selection;
  std::unique_ptr<OpenReview> m_open;
  std::vector<std::vector<PredictionState>> m_states;
  std::vector<HandCheck> m_progress;
  int m_model = -1, m_example = -1;
  int m_wrongInAll = 0, m_wrongInAny = 0;
};

}  // namespace fathom
