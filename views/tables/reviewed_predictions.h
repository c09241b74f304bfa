// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "core/review/judgements.h"
#include "core/review/review.h"
#include "views/selection/selection_model.h"

namespace fathom {

// A review as it was read, with what people said about it. Built off the GUI thread, then owned by
// ReviewedPredictions alone; the parts point at each other, so it stays where it was made.
struct OpenReview {
  Review review;
  std::unique_ptr<ProjectLibrary> library;  // null: nothing is kept
  std::optional<Judgements> judgements;
};

// State of the check by hand: "37 of 241 reviewed".
struct HandCheck {
  int reviewed = 0, wrong = 0;  // wrong by the metric, and those of them that a person judged
  int right = 0;                // by the metric
};

// A review that is open in a window: what table, filter, facets and panels ask of it, whatever its kind. All
// changes by people go through here and are in the library when the call returns. And the current example and
// model, which are those of the window's selection (dimensions Example, by index, and PredictionSet, by the
// model's name). GUI thread.
class ReviewedPredictions : public QObject {
  Q_OBJECT
 public:
  // `selection` is borrowed.
  explicit ReviewedPredictions(SelectionModel* selection, QObject* parent = nullptr);
  ~ReviewedPredictions() override;

  // Replaces everything (null: nothing is open). The first model is chosen, and its first wrong example,
  // unless the selection names others.
  void setReview(std::shared_ptr<OpenReview> open);
  // For another window; nothing is open here then.
  std::shared_ptr<OpenReview> release();
  const Review& review() const { return m_open->review; }  // not while empty(), as what follows
  // The same for a thread: nobody changes it, and it stays while somebody looks at it.
  std::shared_ptr<const Review> sharedReview() const { return {m_open, &m_open->review}; }
  const ReviewKind& kind() const { return *m_open->review.kind; }
  const Judgements& judgements() const { return *m_open->judgements; }
  ProjectLibrary* library() const { return m_open ? m_open->library.get() : nullptr; }

  bool empty() const { return !m_open || m_open->review.models.empty() || m_open->review.examples() == 0; }
  int examples() const { return m_open ? int(m_open->review.examples()) : 0; }
  int models() const { return m_open ? int(m_open->review.models.size()) : 0; }
  QString modelName(int model) const;
  bool canBeChanged() const { return m_open && m_open->library && !m_open->library->readOnly(); }
  const ReviewExample& example(int example) const { return review().gold.examples[std::size_t(example)]; }
  const ReviewOutput& output(int model, int example) const;
  const ReviewVerdict& verdict(int model, int example) const;
  bool isRight(int model, int example) const { return verdict(model, example).right; }
  bool isWrong(int model, int example) const { return verdict(model, example).wrong; }
  // A person's category, else the program's; an index of ReviewKind::categories.
  int category(int model, int example) const { return state(model, example).category; }
  bool isHuman(int model, int example) const { return state(model, example).human; }
  // A person judged another answer of this system to the example.
  bool isStale(int model, int example) const { return state(model, example).stale; }
  // Text that the filter box searches: of the example, and of a model's answer to it.
  QString searchText(int example) const;
  QString predicted(int model, int example) const;
  // The text that says most about an example in one line; a table is sorted by it.
  QString headline(int example) const;
  QString categoryTitle(int category) const;
  // Title of a category's id as it was stored; the id as it is, where it is unknown.
  QString titleOfId(const std::string& category) const;
  // The categories that a person may give, in the order of the keys 1 … 9.
  std::vector<int> personCategories() const;
  // Which of the kind's numbers some prediction has.
  const std::vector<int>& knownNumbers() const { return m_knownNumbers; }

  // Verdicts of people, in the library when the call returns.
  Status setVerdict(int model, int example, const std::string& category, const QString& note);
  Status setCategory(int model, int example, int category, const QString& note);
  // Sets a text to be tried in place of an example's right answer or a prediction; empty: as in the files.
  Status setEditedText(int example, EditedSide side, const QString& text);
  Status clearCategory(int model, int example) { return setVerdict(model, example, {}, {}); }
  Status setNote(int example, const QString& text);
  Status setTags(int example, const QStringList& tags);
  // The changed example becomes the current one; nothing when there is nothing to undo.
  Status undo();
  Status redo();

  int currentExample() const { return m_example; }  // -1 = none
  int currentModel() const { return m_model; }      // -1 = none
  void choose(int model, int example, QObject* source);
  // The same where nobody chose: what is opened begins there, and the selection of the window stays.
  void place(int model, int example);
  HandCheck progress(int model) const { return m_progress[std::size_t(model)]; }
  int wrongInAll() const { return m_wrongInAll; }
  int wrongInAny() const { return m_wrongInAny; }
  bool isWrongInAll(int example) const;
  bool isWrongInAny(int example) const;

 Q_SIGNALS:
  void reviewChanged();
  void currentChanged();
  // Category, note, tags or edited text of an example changed.
  void exampleChanged(int example);

 private:
  struct State {
    std::uint8_t category = 0;
    bool human = false, stale = false;
  };
  const State& state(int model, int example) const {
    return m_states[std::size_t(model)][std::size_t(example)];
  }
  void beginAtFirstWrong();
  void readNumbers();
  // After a change: what is kept of an example per model.
  void readStates(int example);
  Status changed(const Status& status, int example);
  static std::string authorName();  // whose judgement it is, for the history
  void follow();
  Status moved(const Result<std::optional<std::size_t>>& example);
  std::shared_ptr<OpenReview> m_open;
  std::vector<std::vector<State>> m_states;  // [model][example]
  std::vector<HandCheck> m_progress;
  std::vector<int> m_knownNumbers;
  SelectionModel* m_selection;
  int m_model = -1, m_example = -1;
  int m_wrongInAll = 0, m_wrongInAny = 0;
};

}  // namespace fathom
