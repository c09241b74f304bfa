// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>
#include <QString>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/json/json.h"
#include "views/tables/review_facets.h"
#include "views/tables/review_texts.h"

namespace fathom {

// Which examples are looked at at all.
enum class ReviewSubset { All, WrongHere, WrongInAll, WrongInAny, RightHere, Picked };

// Which examples the table shows, and in which order: text, subset and ticked facets together. No widgets;
// GUI thread.
class ReviewFilter {
 public:
  using Sort = ReviewFacets::Sort;

  explicit ReviewFilter(const ReviewedPredictions* review);
  void rebuild();            // the review is another one: nothing is ticked
  void reread(int example);  // category, note or tags of an example changed
  // Words that must all occur in the texts and the note of an example or the current model's answer;
  // "facet:word" for the values of a facet; "/…/" is a regular expression. False and no change when that is
  // malformed.
  bool setText(const QString& text, QString* problem = nullptr);
  const QString& text() const { return m_text; }
  void setSubset(ReviewSubset subset) { m_subset = subset; }
  ReviewSubset subset() const { return m_subset; }
  // The examples of the subset Picked, and what they are: "careful right, hasty wrong".
  void pick(const std::vector<int>& examples, const QString& title);
  const QString& pickedTitle() const { return m_pickedTitle; }
  int picked() const { return m_pickedCount; }
  std::vector<int> pickedExamples() const;
  // State of the filter in words that outlive this table: text, subset, ticks. Unknown words are left out.
  Json save() const;
  void restore(const Json& saved);
  void tick(int facet, int value, bool on);
  bool ticked(int facet, int value) const { return m_ticked[std::size_t(facet)].has(value); }
  int ticks() const;  // of all facets
  // No text, no ticks.
  void clear();
  // `which`: the facet of the kind, the number, the model that is meant.
  void setSort(Sort sort, bool descending, int which = -1);

  // Makes ready what the first regular expression would wait for.
  void prepareForPatterns();
  // Computes rows and counts.
  void apply();
  // Counts alone: a category changed, the rows stay where they are.
  void recount();
  int examples() const { return m_review->examples(); }
  const std::vector<int>& rows() const { return m_rows; }  // examples in order
  const std::vector<ShownFacet>& facets() const { return m_facets.all(); }

 private:
  struct Term {
    int facet = -1;  // -1: a word of the texts
    std::string word;
    FacetValues values;  // of the facet
  };
  std::vector<Term> parse(const QString& text) const;
  void findTexts();
  bool inSubset(int example) const;
  // Counts an example in every facet, or in the one whose ticks alone keep it out; true when it is shown.
  bool countExample(int example);
  void sortOrder();
  const ReviewedPredictions* m_review;
  ReviewFacets m_facets;
  ReviewTexts m_texts;
  std::vector<FacetValues> m_ticked;
  QString m_text;
  std::vector<Term> m_terms;
  QRegularExpression m_pattern;
  bool m_usePattern = false, m_orderStale = true;
  ReviewSubset m_subset = ReviewSubset::All;
  std::vector<bool> m_picked;  // per example, or empty
  QString m_pickedTitle;
  int m_pickedCount = 0;
  Sort m_sort = Sort::Index;
  int m_sortWhich = -1, m_orderModel = -1;
  bool m_descending = false;
  std::vector<int> m_order;               // all examples, sorted
  std::vector<std::uint8_t> m_textFound;  // per example: the text matches
  std::vector<int> m_rows;
};

}  // namespace fathom
