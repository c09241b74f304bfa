// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/review_facets.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "views/look/engine_text.h"

namespace fathom {

namespace {

constexpr std::size_t kMostBits = 64;

// States of predictions of every kind; a kind may have further ones. The words stay, titles are translated.
enum PredictionState { kIsRight, kIsReviewed, kIsUnreviewed, kIsStale, kIsMissing, kPredictionStates };
constexpr const char* kStateWords[kPredictionStates] = {"right", "reviewed", "unreviewed", "stale",
                                                        "missing"};

QString stateTitle(int state, const ReviewedPredictions& review) {
  switch (state) {
    case kIsRight:
      return review.empty() ? ReviewedPredictions::tr("right") : phraseText(review.kind().right);
    case kIsReviewed:
      return ReviewedPredictions::tr("reviewed");
    case kIsUnreviewed:
      return ReviewedPredictions::tr("not reviewed");
    case kIsStale:
      return ReviewedPredictions::tr("reviewed for another answer");
    default:
      return ReviewedPredictions::tr("no prediction");
  }
}

constexpr const char* kStateFacet = "is";  // of a kind: further states

std::uint64_t bitOf(bool on, int value) {
  return on ? std::uint64_t{1} << value : 0;
}

}  // namespace

void FacetValues::insert(int value) {
  m_values.insert(value);
  if (value < int(kMostBits)) m_bits |= std::uint64_t{1} << value;
}

void FacetValues::erase(int value) {
  m_values.erase(value);
  if (value < int(kMostBits)) m_bits &= ~(std::uint64_t{1} << value);
}

bool ReviewFacets::Values::has(std::size_t example, const FacetValues& values) const {
  return single.empty() ? (sets[example] & values.bits()) != 0 : values.has(single[example]);
}

void ReviewFacets::addStates(const ReviewFacet& further) {
  m_furtherStates = &further;
  for (const ReviewFacet::Value& value : further.values)
    m_facets[kState].values.push_back({fromUtf8(value.word), wordText(value.title), 0});
}

void ReviewFacets::addOwnFacets() {
  for (const ReviewCategory& category : m_review->kind().categories)
    m_facets[kCategory].values.push_back({fromUtf8(category.id), phraseText(category.title), 0});
  for (const ReviewFacet& own : m_review->review().facets) {
    if (own.id == kStateFacet) {
      addStates(own);
      continue;
    }
    m_own.push_back(&own);
    ShownFacet& facet = m_facets.emplace_back();
    facet.id = fromUtf8(own.id);
    facet.title = phraseText(own.title);
    for (const ReviewFacet::Value& value : own.values)
      facet.values.push_back({fromUtf8(value.word), wordText(value.title), 0});
  }
}

void ReviewFacets::rebuild() {
  m_facets.assign(kOwn, {});
  m_own.clear();
  m_furtherStates = nullptr;
  m_facets[kCategory].id = QStringLiteral("category");
  m_facets[kCategory].title = ReviewedPredictions::tr("Category");
  m_facets[kState].id = QString::fromLatin1(kStateFacet);
  m_facets[kState].title = ReviewedPredictions::tr("State");
  m_facets[kTag].id = QStringLiteral("tag");
  m_facets[kTag].title = ReviewedPredictions::tr("Tag");
  for (int state = 0; state < kPredictionStates; ++state)
    m_facets[kState].values.push_back(
        {QString::fromLatin1(kStateWords[state]), stateTitle(state, *m_review), 0});
  if (!m_review->empty()) addOwnFacets();
  m_values.assign(m_facets.size(), {});
  m_model = -1;
  FacetValues nothing;
  readTags(nothing);
}

void ReviewFacets::readTags(FacetValues& ticked) {
  std::vector<QString> words;
  ShownFacet& facet = m_facets[kTag];
  for (const int value : ticked.values()) words.push_back(facet.values[std::size_t(value)].word);
  facet.values.clear();
  ticked = {};
  m_tags.assign(std::size_t(m_review->examples()), {});
  if (m_review->empty()) return;
  for (const auto& [tag, members] : m_review->judgements().taggedExamples()) {
    const int value = int(facet.values.size());
    const QString word = fromUtf8(tag);
    facet.values.push_back({word, word, 0});
    if (std::find(words.begin(), words.end(), word) != words.end()) ticked.insert(value);
    for (const std::size_t example : members) m_tags[example].push_back(value);
  }
}

void ReviewFacets::readOwn(std::size_t facet) {
  const ReviewFacet& own = *m_own[facet - kOwn];
  Values& values = m_values[facet];
  const auto examples = std::size_t(m_review->examples()), model = std::size_t(m_model);
  const bool few = own.isOfSets() || own.values.size() <= kMostBits;
  values.sets.assign(few ? examples : 0, 0);
  values.single.assign(few ? 0 : examples, -1);
  for (std::size_t i = 0; i < examples; ++i) {
    if (!few)
      values.single[i] = own.value(model, i);
    else if (own.isOfSets())
      values.sets[i] = own.set(model, i);
    else if (const std::int32_t value = own.value(model, i); value >= 0)
      values.sets[i] = std::uint64_t{1} << value;
  }
}

void ReviewFacets::setModel(int model) {
  if (model == m_model || model < 0) return;
  const bool first = m_model < 0;
  m_model = model;
  for (std::size_t f = kOwn; f < m_facets.size(); ++f) {
    const ReviewFacet& own = *m_own[f - kOwn];
    const bool ofExamples = !own.ofExample.empty() || !own.setsOfExample.empty();
    if (first || !ofExamples) readOwn(f);
  }
  for (const Facet facet : {kCategory, kState})
    m_values[facet].sets.assign(std::size_t(m_review->examples()), 0);
  for (int i = 0; i < m_review->examples(); ++i) reread(i);
}

std::uint64_t ReviewFacets::states(int example) const {
  const bool wrong = m_review->isWrong(m_model, example), human = m_review->isHuman(m_model, example);
  std::uint64_t set = bitOf(m_review->isRight(m_model, example), kIsRight) |
                      bitOf(wrong && human, kIsReviewed) | bitOf(wrong && !human, kIsUnreviewed) |
                      bitOf(m_review->isStale(m_model, example), kIsStale) |
                      bitOf(!m_review->output(m_model, example).given, kIsMissing);
  if (m_furtherStates != nullptr)
    set |= m_furtherStates->set(std::size_t(m_model), std::size_t(example)) << kPredictionStates;
  return set;
}

void ReviewFacets::reread(int example) {
  if (m_model < 0) return;
  m_values[kCategory].sets[std::size_t(example)] = std::uint64_t{1} << m_review->category(m_model, example);
  m_values[kState].sets[std::size_t(example)] = states(example);
}

bool ReviewFacets::has(int facet, int example, const FacetValues& values) const {
  if (facet != kTag) return m_values[std::size_t(facet)].has(std::size_t(example), values);
  const auto& tags = m_tags[std::size_t(example)];
  return std::any_of(tags.begin(), tags.end(), [&values](int tag) { return values.has(tag); });
}

void ReviewFacets::clearCounts() {
  for (ShownFacet& facet : m_facets)
    for (auto& value : facet.values) value.count = 0;
}

void ReviewFacets::count(int facet, int example) {
  auto& shown = m_facets[std::size_t(facet)].values;
  const auto e = std::size_t(example);
  if (facet == kTag) {
    for (const int tag : m_tags[e]) ++shown[std::size_t(tag)].count;
    return;
  }
  const Values& values = m_values[std::size_t(facet)];
  if (values.single.empty()) {
    for (std::uint64_t rest = values.sets[e]; rest != 0; rest &= rest - 1)
      ++shown[std::size_t(std::countr_zero(rest))].count;
  } else if (values.single[e] >= 0) {
    ++shown[std::size_t(values.single[e])].count;
  }
}

double ReviewFacets::sortKey(Sort sort, int which, int example) const {
  const auto e = std::size_t(example), m = std::size_t(std::max(0, m_review->currentModel()));
  switch (sort) {
    case Sort::Facet:
      return m_review->review().facets[std::size_t(which)].value(m, e);
    case Sort::Category:
      return m_review->category(int(m), example);
    case Sort::Model:
      return m_review->category(which, example);
    case Sort::Number: {
      const auto number = double{m_review->verdict(int(m), example).numbers[std::size_t(which)]};
      return std::isnan(number) ? -std::numeric_limits<double>::infinity() : number;
    }
    default:
      return example;
  }
}

FacetValues ReviewFacets::beginningWith(int facet, const QString& text) const {
  FacetValues found;
  const auto& values = m_facets[std::size_t(facet)].values;
  for (std::size_t v = 0; v < values.size(); ++v)
    if (values[v].word.toLower().startsWith(text) || values[v].title.toLower().startsWith(text))
      found.insert(int(v));
  return found;
}

}  // namespace fathom
