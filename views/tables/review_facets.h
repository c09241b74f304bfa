// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <map>
#include <set>
#include <string>
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
class FacetTable {
 public:
  // What a table can be sorted by.
  enum class Sort { Index, Database, Hardness, Category, Confidence, Question, Model };
  virtual ~FacetTable() = default;
  virtual void rebuild() = 0;            // the review is another one
  virtual void setModel(int model) = 0;  // whose categories and states count
  // Category or state of an example changed.
  virtual void reread(int example) = 0;
  // Tags changed; the values of `ticked` keep their words.
  virtual void readTags(FacetValues& ticked) = 0;
  virtual int tagFacet() const = 0;
  // Whether an example has one of the values.
  virtual bool has(int facet, int example, const FacetValues& values) const = 0;
  virtual void count(int facet, int example) = 0;  // one more example with each of its values
  virtual double sortKey(Sort sort, int model, int example) const = 0;

  const std::vector<ReviewFacet>& all() const { return m_facets; }
  // Values whose word or title begins with `text` in lower case.
  FacetValues beginningWith(int facet, const QString& text) const;
  void clearCounts();

 protected:
  std::vector<ReviewFacet> m_facets;
};

// The values of the tags of a review, for any FacetTable.
class TagFacet {
 public:
  // `tagged`: examples per tag. Fills the values of `facet`; those of `ticked` keep their words.
  void read(const std::map<std::string, std::vector<std::size_t>>& tagged, int examples, ReviewFacet& facet,
            FacetValues& ticked);
  bool has(int example, const FacetValues& values) const;
  void count(int example, ReviewFacet& facet) const;

 private:
  std::vector<std::vector<int>> m_tags;  // per example
};

// Those of predicted SQL.
class ReviewFacets : public FacetTable {
 public:
  enum Facet { kCategory, kHardness, kState, kFeature, kTag, kDatabase, kFacets };

  explicit ReviewFacets(const ErrorReview* review) : m_review(review) {}
  void rebuild() override;
  void setModel(int model) override;
  void reread(int example) override;
  void readTags(FacetValues& ticked) override;
  int tagFacet() const override { return kTag; }
  bool has(int facet, int example, const FacetValues& values) const override;
  void count(int facet, int example) override;
  double sortKey(Sort sort, int model, int example) const override;
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
  std::vector<Facts> m_facts;  // per example
  TagFacet m_tags;
  int m_model = -1;
};

}  // namespace fathom
