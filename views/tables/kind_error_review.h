// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <optional>

#include "core/review/kind_judgements.h"
#include "core/review/kind_review.h"
#include "views/tables/review_facets.h"
#include "views/tables/reviewed_predictions.h"

namespace fathom {

// A review of any kind as it was read, with what people said about it. Built off the GUI thread, then owned
// by KindErrorReview alone; the parts point at each other, so it stays where it was made.
struct OpenKindReview {
  KindReview review;
  std::unique_ptr<ProjectLibrary> library;  // null: nothing is kept
  std::optional<KindJudgements> judgements;
};

// What the panels of the Errors workspace look at when the predictions are not SQL. All changes by people go
// through here and are in the library when the call returns. GUI thread.
class KindErrorReview : public ReviewedPredictions {
  Q_OBJECT
 public:
  explicit KindErrorReview(SelectionModel* selection, QObject* parent = nullptr);
  ~KindErrorReview() override;
  // Replaces everything (null: nothing is open).
  void setReview(std::shared_ptr<OpenKindReview> open);
  // For another window; nothing is open here then.
  std::shared_ptr<OpenKindReview> release();
  const KindReview& review() const { return m_open->review; }
  // The same for a thread: nobody changes it, and it stays while somebody looks at it.
  std::shared_ptr<const KindReview> sharedReview() const { return {m_open, &m_open->review}; }
  ProjectLibrary* library() const { return m_open ? m_open->library.get() : nullptr; }
  const ReviewKind& kind() const { return *m_open->review.kind; }
  const KindJudgements& judgements() const override { return *m_open->judgements; }

  bool empty() const override { return !m_open || m_open->review.models.empty(); }
  int examples() const override { return m_open ? int(m_open->review.examples()) : 0; }
  int models() const override { return m_open ? int(m_open->review.models.size()) : 0; }
  QString modelName(int model) const override;
  bool canBeChanged() const override { return m_open && m_open->library && !m_open->library->readOnly(); }
  bool isRight(int model, int example) const override { return verdict(model, example).right; }
  bool isWrong(int model, int example) const override { return verdict(model, example).wrong; }
  QString searchText(int example) const override;
  QString predicted(int model, int example) const override;
  QString sortText(int example) const override;
  std::unique_ptr<FacetTable> makeFacets() const override;
  QString titleOfId(const std::string& category) const override;

  const KindExample& example(int example) const { return m_open->review.gold.examples[std::size_t(example)]; }
  const KindOutput& output(int model, int example) const;
  const KindVerdict& verdict(int model, int example) const;
  // A person's category, else the program's; an index of ReviewKind::categories.
  int category(int model, int example) const;
  bool isHuman(int model, int example) const;
  bool isStale(int model, int example) const;
  QString categoryTitle(int category) const;
  // The categories that a person may give, in the order of the keys 1 … 9.
  std::vector<int> personCategories() const;
  // Which of the kind's numbers some prediction has.
  const std::vector<int>& knownNumbers() const { return m_knownNumbers; }
  // Which of them a table is sorted by.
  void setSortNumber(int number) { m_sortNumber = number; }
  int sortNumber() const { return m_sortNumber; }
  // The text that says most about an example in one line.
  QString headline(int example) const;

  Status setCategory(int model, int example, int category, const QString& note);

 private:
  struct State {
    std::uint8_t category = 0;
    bool human = false, stale = false;
  };
  Judgements& changedJudgements() override { return *m_open->judgements; }
  void readStates(int example) override;
  std::shared_ptr<OpenKindReview> m_open;
  std::vector<std::vector<State>> m_states;  // [model][example]
  std::vector<int> m_knownNumbers;
  int m_sortNumber = 0;
};

// Category, state, tags, and the facets of the kind.
class KindFacets : public FacetTable {
 public:
  explicit KindFacets(const KindErrorReview* review) : m_review(review) {}
  void rebuild() override;
  void setModel(int model) override { m_model = model; }
  void reread(int) override {}
  void readTags(FacetValues& ticked) override;
  int tagFacet() const override { return kTag; }
  bool has(int facet, int example, const FacetValues& values) const override;
  void count(int facet, int example) override;
  double sortKey(Sort sort, int model, int example) const override;

 private:
  enum { kCategory, kState, kTag, kOwn };
  std::uint64_t states(int example) const;
  int value(int facet, int example) const;  // -1: none
  const KindErrorReview* m_review;
  TagFacet m_tags;
  int m_model = 0;
};

}  // namespace fathom
