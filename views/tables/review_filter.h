// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>
#include <QString>
#include <set>
#include <string>
#include <vector>

#include "views/tables/error_review.h"

namespace fathom {

// Which examples are looked at at all.
enum class ReviewSubset { All, WrongHere, WrongInAll, WrongInAny, RightHere, Picked };

// What can be ticked beside the table. Values of one facet are joined by "or", facets by "and".
struct ReviewFacet {
  struct Value {
    QString word;   // stable, for "facet:word" in the filter box
    QString title;  // in the language of the window
    int count = 0;  // rows there would be with this value ticked, everything else as it is
  };
  QString id;  // "category", "hardness", "is", "feature", "tag", "db"
  QString title;
  std::vector<Value> values;
};

// Which examples the table shows, and in which order. Texts are kept in lower case; a longer filter text
// looks only at what the shorter one left. No widgets; GUI thread.
class ReviewFilter {
 public:
  enum class Sort { Index, Database, Hardness, Category, Confidence, Question, Model };
  enum Facet { kCategory, kHardness, kState, kFeature, kTag, kDatabase, kFacets };

  explicit ReviewFilter(const ErrorReview* review) : m_review(review) {}
  void rebuild();            // the review is another one: nothing is ticked
  void reread(int example);  // note or tags of an example changed
  // Words that must all occur in database, question, gold SQL or the current model's SQL; "facet:word" for
  // the values of a facet; "/…/" is a regular expression. False and no change when that is malformed.
  bool setText(const QString& text, QString* problem = nullptr);
  const QString& text() const { return m_text; }
  void setSubset(ReviewSubset subset) { m_subset = subset; }
  ReviewSubset subset() const { return m_subset; }
  // The examples of the subset Picked, and what they are: "careful right, hasty wrong".
  void pick(const std::vector<int>& examples, const QString& title);
  const QString& pickedTitle() const { return m_pickedTitle; }
  int picked() const { return m_pickedCount; }
  void tick(int facet, int value, bool on);
  bool ticked(int facet, int value) const { return m_ticked[std::size_t(facet)].count(value) > 0; }
  bool anyTicked() const;
  // No text, no ticks.
  void clear();
  void setSort(Sort sort, bool descending, int model = -1);

  // Computes rows and counts; `narrowed`: the text has only grown since the last time.
  void apply();
  // Counts alone: a category changed, the rows stay where they are.
  void recount();
  const std::vector<int>& rows() const { return m_rows; }  // examples in order
  const std::vector<ReviewFacet>& facets() const { return m_facets; }

 private:
  struct Term {
    int facet = -1;  // -1: a word of the texts
    std::string word;
    std::vector<int> values;  // of the facet
  };
  void addFacets();
  void readTags();
  std::string baseText(int example) const;
  void prepareTexts();
  std::vector<Term> parse(const QString& text) const;
  bool inSubset(int example) const;
  bool textMatches(int example) const;
  // Values of one facet that an example has.
  void valuesOf(int facet, int example, std::vector<int>& out) const;
  void sortOrder();
  const ErrorReview* m_review;
  std::vector<std::string> m_base;                    // per example
  std::vector<std::vector<std::string>> m_predicted;  // per model and example
  std::vector<int> m_databaseOf;
  std::vector<std::vector<int>> m_tagsOf;
  std::vector<ReviewFacet> m_facets;
  std::vector<std::set<int>> m_ticked{kFacets};
  QString m_text;
  std::vector<Term> m_terms;
  QRegularExpression m_pattern;
  bool m_usePattern = false, m_narrowed = false, m_orderStale = true;
  ReviewSubset m_subset = ReviewSubset::All;
  std::vector<bool> m_picked;  // per example, or empty
  QString m_pickedTitle;
  int m_pickedCount = 0;
  int m_textModel = -1;
  Sort m_sort = Sort::Index;
  int m_sortModel = -1;
  bool m_descending = false;
  std::vector<int> m_order, m_textRows, m_rows;
};

}  // namespace fathom
