// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "core/review/judgement_book.h"
#include "views/selection/selection_model.h"

namespace fathom {

class FacetTable;

// How far the check by hand has come: "37 of 241 reviewed".
struct HandCheck {
  int reviewed = 0, wrong = 0;  // wrong by the metric, and those of them that a person judged
  int right = 0;                // by the metric
};

// What table, filter and facets ask of a review, whatever its kind; and the current example and model, which
// are those of the window's selection (dimensions Example, by index, and PredictionSet, by the model's name).
// GUI thread.
class ReviewedPredictions : public QObject {
  Q_OBJECT
 public:
  // `selection` is borrowed.
  explicit ReviewedPredictions(SelectionModel* selection, QObject* parent);
  ~ReviewedPredictions() override;

  virtual bool empty() const = 0;
  virtual int examples() const = 0;
  virtual int models() const = 0;
  virtual QString modelName(int model) const = 0;
  virtual bool canBeChanged() const = 0;
  virtual bool isRight(int model, int example) const = 0;
  virtual bool isWrong(int model, int example) const = 0;
  // What the filter box searches: of the example, and of a model's answer to it.
  virtual QString searchText(int example) const = 0;
  virtual QString predicted(int model, int example) const = 0;
  // The text that a table is sorted by.
  virtual QString sortText(int example) const = 0;
  virtual std::unique_ptr<FacetTable> makeFacets() const = 0;
  virtual const Judgements& judgements() const = 0;  // not while empty()
  // Of a category's id as it was stored; as it is, where it is unknown.
  virtual QString titleOfId(const std::string& category) const = 0;

  // What people say, in the library when the call returns.
  Status setVerdict(int model, int example, const std::string& category, const QString& note);
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

 protected:
  // Before and after everything was replaced; between them states and progress are read.
  void beginReplacing();
  void endReplacing();
  virtual Judgements& changedJudgements() = 0;
  // After a change: what is kept of it per model, and m_progress.
  virtual void readStates(int example) = 0;
  Status changed(const Status& status, int example);
  static std::string authorName();  // whose judgement it is, for the history
  std::vector<HandCheck> m_progress;

 private:
  void follow();
  Status moved(const Result<std::optional<std::size_t>>& example);
  SelectionModel* m_selection;
  int m_model = -1, m_example = -1;
  int m_wrongInAll = 0, m_wrongInAny = 0;
};

}  // namespace fathom
