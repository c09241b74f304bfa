// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "views/tables/reviewed_predictions.h"

namespace fathom {

// Facet that can be ticked beside the table. Values of one facet are joined by "or", facets by "and".
struct ShownFacet {
  struct Value {
    QString word;   // stable, for "facet:word" in the filter box
    QString title;  // in the language of the window
    int count = 0;  // rows there would be with this value ticked, everything else as it is
  };
  QString id;  // "category", "is", "tag", and those of the kind: "hardness", "db", "length", …
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

// The facets of a review, and which values each example has in them: category, state, tags, and those of the
// kind. GUI thread.
class ReviewFacets {
 public:
  enum Facet { kCategory, kState, kTag, kOwn };  // the kind's from kOwn on
  // Sort key of a table; Facet, Number and Model say which one.
  enum class Sort { Index, Facet, Category, Number, Text, Model };

  explicit ReviewFacets(const ReviewedPredictions* review) : m_review(review) {}
  void rebuild();            // the review is another one
  void setModel(int model);  // whose categories and states count
  // Category or state of an example changed.
  void reread(int example);
  // Tags changed; the values of `ticked` keep their words.
  void readTags(FacetValues& ticked);
  // True if an example has one of the values.
  bool has(int facet, int example, const FacetValues& values) const;
  void count(int facet, int example);  // one more example with each of its values
  // `which`: a facet of Review::facets, a number of the kind, a model; else the current model is meant.
  double sortKey(Sort sort, int which, int example) const;

  const std::vector<ShownFacet>& all() const { return m_facets; }
  // Values whose word or title begins with `text` in lower case.
  FacetValues beginningWith(int facet, const QString& text) const;
  void clearCounts();

 private:
  // The values of every example: a bit each, or, of facets with many values, the only one (-1: none).
  struct Values {
    std::vector<std::uint64_t> sets;
    std::vector<std::int32_t> single;
    bool has(std::size_t example, const FacetValues& values) const;
  };
  void addOwnFacets();
  void addStates(const ReviewFacet& further);
  void readOwn(std::size_t facet);
  std::uint64_t states(int example) const;
  const ReviewedPredictions* m_review;
  std::vector<ShownFacet> m_facets;
  std::vector<Values> m_values;           // by facet; of tags: empty
  std::vector<const ReviewFacet*> m_own;  // from kOwn on
  const ReviewFacet* m_furtherStates = nullptr;
  std::vector<std::vector<int>> m_tags;  // per example
  int m_model = -1;
};

}  // namespace fathom
