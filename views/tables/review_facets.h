// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <set>
#include <vector>

#include "views/tables/error_review.h"

namespace fathom {

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

// Some values of one facet, for asking quickly whether an example has one of them.
class FacetValues {
 public:
  void insert(int value);
  void erase(int value);
  bool has(int value) const { return m_values.count(value) > 0; }
  bool empty() const { return m_values.empty(); }
  const std::set<int>& values() const { return m_values; }
  std::uint64_t bits() const { return m_bits; }  // of the values below 64

 private:
  std::set<int> m_values;
  std::uint64_t m_bits = 0;
};

// The facets of a review, and which values each example has in them. GUI thread.
class ReviewFacets {
 public:
  enum Facet { kCategory, kHardness, kState, kFeature, kTag, kDatabase, kFacets };

  explicit ReviewFacets(const ErrorReview* review) : m_review(review) {}
  void rebuild();            // the review is another one
  void setModel(int model);  // whose categories and states count
  // Category or state of an example changed.
  void reread(int example);
  // Tags changed; the values of `ticked` keep their words.
  void readTags(FacetValues& ticked);

  const std::vector<ReviewFacet>& all() const { return m_facets; }
  int database(int example) const { return int(m_facts[std::size_t(example)].database); }
  // Whether an example has one of the values.
  bool has(int facet, int example, const FacetValues& values) const;
  // Values whose word or title begins with `text` in lower case.
  FacetValues beginningWith(int facet, const QString& text) const;
  void clearCounts();
  void count(int facet, int example);  // one more example with each of its values
  static int categoryValue(ErrorCategory category);

 private:
  // Values of one example, a bit each.
  struct Facts {
    std::uint16_t features = 0;
    std::uint8_t category = 0, hardness = 0, state = 0;
    std::int32_t database = 0;
  };
  std::uint64_t bits(int facet, const Facts& facts) const;
  void addFacets();
  void addDatabases();
  const ErrorReview* m_review;
  std::vector<ReviewFacet> m_facets;
  std::vector<Facts> m_facts;            // per example
  std::vector<std::vector<int>> m_tags;  // per example
  int m_model = -1;
};

}  // namespace fathom
