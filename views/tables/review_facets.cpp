// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/review_facets.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "views/look/engine_text.h"

namespace fathom {

namespace {

// Values of the facets that do not depend on the data; the words stay, the titles are translated.
enum State { kRight, kReviewed, kUnreviewed, kStale, kRefused, kFalsePositive, kDoubtful, kReviewStates };
constexpr std::array<const char*, kReviewStates> kStateWords = {
    "right", "reviewed", "unreviewed", "stale", "refused", "false_positive", "doubtful"};
constexpr double kDoubt = 0.6;  // confidence below which the program is not sure

struct Feature {
  const char* word;
  const char* title;
  bool (*holds)(const SqlFeatures&);
};
constexpr Feature kFeatures[] = {
    {"join", QT_TRANSLATE_NOOP("fathom::ErrorReview", "JOIN"),
     [](const SqlFeatures& f) { return f.joins > 0; }},
    {"joins", QT_TRANSLATE_NOOP("fathom::ErrorReview", "two or more JOINs"),
     [](const SqlFeatures& f) { return f.joins > 1; }},
    {"subquery", QT_TRANSLATE_NOOP("fathom::ErrorReview", "sub-query"),
     [](const SqlFeatures& f) { return f.subqueries > 0; }},
    {"set", QT_TRANSLATE_NOOP("fathom::ErrorReview", "set operator"),
     [](const SqlFeatures& f) { return f.setOperators > 0; }},
    {"order", QT_TRANSLATE_NOOP("fathom::ErrorReview", "ORDER BY"),
     [](const SqlFeatures& f) { return f.orderBy; }},
    {"group", QT_TRANSLATE_NOOP("fathom::ErrorReview", "GROUP BY"),
     [](const SqlFeatures& f) { return f.groupBy; }},
    {"having", QT_TRANSLATE_NOOP("fathom::ErrorReview", "HAVING"),
     [](const SqlFeatures& f) { return f.having; }},
    {"limit", QT_TRANSLATE_NOOP("fathom::ErrorReview", "LIMIT"),
     [](const SqlFeatures& f) { return f.limit; }},
    {"like", QT_TRANSLATE_NOOP("fathom::ErrorReview", "LIKE"), [](const SqlFeatures& f) { return f.like; }},
    {"distinct", QT_TRANSLATE_NOOP("fathom::ErrorReview", "DISTINCT"),
     [](const SqlFeatures& f) { return f.distinct; }},
    {"arithmetic", QT_TRANSLATE_NOOP("fathom::ErrorReview", "arithmetic"),
     [](const SqlFeatures& f) { return f.arithmetic; }},
    {"aggregate", QT_TRANSLATE_NOOP("fathom::ErrorReview", "aggregate"),
     [](const SqlFeatures& f) { return f.aggregates > 0; }},
    {"connector", QT_TRANSLATE_NOOP("fathom::ErrorReview", "AND, OR"),
     [](const SqlFeatures& f) { return f.connectors > 0; }}};
constexpr std::array<ErrorCategory, 6> kCategories = {ErrorCategory::FalseNegative, ErrorCategory::Column,
                                                      ErrorCategory::Sketch,        ErrorCategory::Both,
                                                      ErrorCategory::Correct,       ErrorCategory::GoldError};

QString stateTitle(int state) {
  switch (state) {
    case kRight:
      return ErrorReview::tr("exact match");
    case kReviewed:
      return ErrorReview::tr("reviewed");
    case kUnreviewed:
      return ErrorReview::tr("not reviewed");
    case kStale:
      return ErrorReview::tr("reviewed for other SQL");
    case kRefused:
      return ErrorReview::tr("cannot be parsed");
    case kFalsePositive:
      return ErrorReview::tr("match, perhaps wrong");
    default:
      return ErrorReview::tr("program unsure");
  }
}

}  // namespace

void FacetValues::insert(int value) {
  m_values.insert(value);
  if (value < 64) m_bits |= std::uint64_t{1} << value;
}

void FacetValues::erase(int value) {
  m_values.erase(value);
  if (value < 64) m_bits &= ~(std::uint64_t{1} << value);
}

int ReviewFacets::categoryValue(ErrorCategory category) {
  return int(std::find(kCategories.begin(), kCategories.end(), category) - kCategories.begin());
}

void ReviewFacets::addFacets() {
  m_facets.assign(kFacets, {});
  ReviewFacet& category = m_facets[kCategory];
  category.id = QStringLiteral("category");
  category.title = ErrorReview::tr("Category");
  for (const ErrorCategory each : kCategories) {
    category.values.push_back({QString::fromLatin1(errorCategoryId(each)), categoryTitle(each), 0});
  }
  ReviewFacet& hardness = m_facets[kHardness];
  hardness.id = QStringLiteral("hardness");
  hardness.title = ErrorReview::tr("Hardness");
  for (std::size_t level = 0; level < kHardnessLevels; ++level) {
    const auto each = static_cast<SpiderHardness>(level);
    hardness.values.push_back({QString::fromLatin1(hardnessName(each)), hardnessTitle(each), 0});
  }
  ReviewFacet& feature = m_facets[kFeature];
  feature.id = QStringLiteral("feature");
  feature.title = ErrorReview::tr("Gold SQL has");
  for (const Feature& each : kFeatures)
    feature.values.push_back({QString::fromLatin1(each.word), ErrorReview::tr(each.title), 0});
  ReviewFacet& state = m_facets[kState];
  state.id = QStringLiteral("is");
  state.title = ErrorReview::tr("State");
  for (int each = 0; each < kReviewStates; ++each)
    state.values.push_back({QString::fromLatin1(kStateWords[std::size_t(each)]), stateTitle(each), 0});
  m_facets[kTag].id = QStringLiteral("tag");
  m_facets[kTag].title = ErrorReview::tr("Tag");
  m_facets[kDatabase].id = QStringLiteral("db");
  m_facets[kDatabase].title = ErrorReview::tr("Database");
}

void ReviewFacets::addDatabases() {
  std::map<QString, int> databases;
  for (int i = 0; i < m_review->examples(); ++i) databases.emplace(m_review->database(i), 0);
  for (auto& [name, index] : databases) {
    index = int(m_facets[kDatabase].values.size());
    m_facets[kDatabase].values.push_back({name, name, 0});
  }
  for (int i = 0; i < m_review->examples(); ++i) {
    Facts& facts = m_facts[std::size_t(i)];
    facts.database = databases[m_review->database(i)];
    facts.hardness = std::uint8_t(1 << int(m_review->hardness(i)));
    const SqlFeatures& features = m_review->features(i);
    for (std::size_t f = 0; f < std::size(kFeatures); ++f)
      if (kFeatures[f].holds(features)) facts.features = std::uint16_t(facts.features | (1u << f));
  }
}

void ReviewFacets::rebuild() {
  addFacets();
  m_model = -1;
  m_facts.assign(std::size_t(m_review->examples()), {});
  if (!m_review->empty()) addDatabases();
  FacetValues nothing;
  readTags(nothing);
}

void ReviewFacets::readTags(FacetValues& ticked) {
  m_tags.read(m_review->empty() ? std::map<std::string, std::vector<std::size_t>>()
                                : m_review->judgements().taggedExamples(),
              m_review->examples(), m_facets[kTag], ticked);
}

void TagFacet::read(const std::map<std::string, std::vector<std::size_t>>& tagged, int examples,
                    ReviewFacet& facet, FacetValues& ticked) {
  std::vector<QString> words;
  for (const int value : ticked.values()) words.push_back(facet.values[std::size_t(value)].word);
  facet.values.clear();
  ticked = {};
  m_tags.assign(std::size_t(examples), {});
  for (const auto& [tag, members] : tagged) {
    const int value = int(facet.values.size());
    const QString word = fromUtf8(tag);
    facet.values.push_back({word, word, 0});
    if (std::find(words.begin(), words.end(), word) != words.end()) ticked.insert(value);
    for (const std::size_t example : members) m_tags[example].push_back(value);
  }
}

bool TagFacet::has(int example, const FacetValues& values) const {
  const auto& tags = m_tags[std::size_t(example)];
  return std::any_of(tags.begin(), tags.end(), [&values](int tag) { return values.has(tag); });
}

void TagFacet::count(int example, ReviewFacet& facet) const {
  for (const int tag : m_tags[std::size_t(example)]) ++facet.values[std::size_t(tag)].count;
}

void ReviewFacets::setModel(int model) {
  if (model == m_model || model < 0) return;
  m_model = model;
  for (int i = 0; i < m_review->examples(); ++i) reread(i);
}

void ReviewFacets::reread(int example) {
  if (m_model < 0) return;
  const PredictionState& state = m_review->state(m_model, example);
  Facts& facts = m_facts[std::size_t(example)];
  facts.category = std::uint8_t(1 << categoryValue(state.shown));
  const auto bit = [](bool on, State value) { return on ? 1u << value : 0u; };
  facts.state = std::uint8_t(bit(state.exact, kRight) | bit(state.wrong && state.human, kReviewed) |
                             bit(state.wrong && !state.human, kUnreviewed) | bit(state.stale, kStale) |
                             bit(state.refused, kRefused) | bit(state.possibleFalsePositive, kFalsePositive) |
                             bit(state.wrong && double(state.confidence) < kDoubt, kDoubtful));
}

std::uint64_t ReviewFacets::bits(int facet, const Facts& facts) const {
  switch (facet) {
    case kCategory:
      return facts.category;
    case kHardness:
      return facts.hardness;
    case kState:
      return facts.state;
    default:
      return facts.features;
  }
}

bool ReviewFacets::has(int facet, int example, const FacetValues& values) const {
  const Facts& facts = m_facts[std::size_t(example)];
  if (facet == kDatabase) return values.has(facts.database);
  return facet == kTag ? m_tags.has(example, values) : (bits(facet, facts) & values.bits()) != 0;
}

void FacetTable::clearCounts() {
  for (ReviewFacet& facet : m_facets)
    for (auto& value : facet.values) value.count = 0;
}

void ReviewFacets::count(int facet, int example) {
  const Facts& facts = m_facts[std::size_t(example)];
  auto& values = m_facets[std::size_t(facet)].values;
  if (facet == kDatabase) {
    ++values[std::size_t(facts.database)].count;
  } else if (facet == kTag) {
    m_tags.count(example, m_facets[kTag]);
  } else {
    for (std::uint64_t rest = bits(facet, facts); rest != 0; rest &= rest - 1)
      ++values[std::size_t(std::countr_zero(rest))].count;
  }
}

double ReviewFacets::sortKey(Sort sort, int model, int example) const {
  switch (sort) {
    case Sort::Database:
      return m_facts[std::size_t(example)].database;
    case Sort::Hardness:
      return int(m_review->hardness(example));
    case Sort::Category:
    case Sort::Model:
      return categoryValue(m_review->state(model, example).shown);
    case Sort::Confidence:
      return double(m_review->state(model, example).confidence);
    default:
      return example;
  }
}

FacetValues FacetTable::beginningWith(int facet, const QString& text) const {
  FacetValues found;
  const auto& values = m_facets[std::size_t(facet)].values;
  for (std::size_t v = 0; v < values.size(); ++v)
    if (values[v].word.toLower().startsWith(text) || values[v].title.toLower().startsWith(text))
      found.insert(int(v));
  return found;
}

}  // namespace fathom
