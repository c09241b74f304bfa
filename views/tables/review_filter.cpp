// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/review_filter.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <numeric>

#include "views/panels/engine_text.h"

namespace fathom {

namespace {

// Values of the facets that do not depend on the data; the words stay, the titles are translated.
enum State { kRight, kReviewed, kUnreviewed, kStale, kRefused, kFalsePositive, kDoubtful, kStates };
constexpr std::array<const char*, kStates> kStateWords = {"right",   "reviewed",       "unreviewed", "stale",
                                                          "refused", "false_positive", "doubtful"};
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

int categoryValue(ErrorCategory category) {
  return int(std::find(kCategories.begin(), kCategories.end(), category) - kCategories.begin());
}

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

std::string lowered(const QString& text) {
  return text.toLower().toStdString();
}

bool contains(const std::string& text, const std::string& word) {
  return memmem(text.data(), text.size(), word.data(), word.size()) != nullptr;
}

}  // namespace

void ReviewFilter::addFacets() {
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
  for (int each = 0; each < kStates; ++each)
    state.values.push_back({QString::fromLatin1(kStateWords[std::size_t(each)]), stateTitle(each), 0});
  m_facets[kTag].id = QStringLiteral("tag");
  m_facets[kTag].title = ErrorReview::tr("Tag");
  m_facets[kDatabase].id = QStringLiteral("db");
  m_facets[kDatabase].title = ErrorReview::tr("Database");
}

void ReviewFilter::readTags() {
  auto& values = m_facets[kTag].values;
  std::vector<QString> ticked;
  for (const int value : m_ticked[kTag]) ticked.push_back(values[std::size_t(value)].word);
  values.clear();
  m_tagsOf.assign(std::size_t(m_review->examples()), {});
  m_ticked[kTag].clear();
  if (m_review->empty()) return;
  for (const auto& [tag, examples] : m_review->judgements().taggedExamples()) {
    const int value = int(values.size());
    const QString word = fromUtf8(tag);
    values.push_back({word, word, 0});
    if (std::find(ticked.begin(), ticked.end(), word) != ticked.end()) m_ticked[kTag].insert(value);
    for (const std::size_t example : examples) m_tagsOf[example].push_back(value);
  }
}

std::string ReviewFilter::baseText(int example) const {
  return lowered(QStringList{m_review->database(example), m_review->question(example),
                             m_review->gold(example),
                             fromUtf8(m_review->judgements().note(std::size_t(example)))}
                     .join(QLatin1Char('\n')));
}

void ReviewFilter::reread(int example) {
  m_base[std::size_t(example)] = baseText(example);
  readTags();
}

void ReviewFilter::rebuild() {
  addFacets();
  m_ticked.assign(kFacets, {});
  m_subset = ReviewSubset::All;
  m_picked.clear();
  m_pickedCount = 0;
  const int count = m_review->examples();
  std::map<QString, int> databases;
  for (int i = 0; i < count; ++i) databases.emplace(m_review->database(i), 0);
  for (auto& [name, index] : databases) {
    index = int(m_facets[kDatabase].values.size());
    m_facets[kDatabase].values.push_back({name, name, 0});
  }
  m_base.clear();
  m_databaseOf.clear();
  for (int i = 0; i < count; ++i) {
    m_databaseOf.push_back(databases[m_review->database(i)]);
    m_base.push_back(baseText(i));
  }
  m_predicted.assign(std::size_t(m_review->models()), {});
  readTags();
  m_textModel = -1;
  m_orderStale = true;
  m_narrowed = false;
  m_terms = parse(m_text);
}

void ReviewFilter::prepareTexts() {
  const int model = m_review->currentModel();
  if (model < 0) return;
  if (model != m_textModel) m_narrowed = false;
  m_textModel = model;
  auto& texts = m_predicted[std::size_t(model)];
  if (!texts.empty()) return;
  for (int i = 0; i < m_review->examples(); ++i) texts.push_back(lowered(m_review->predicted(model, i)));
}

std::vector<ReviewFilter::Term> ReviewFilter::parse(const QString& text) const {
  std::vector<Term> terms;
  for (const QString& word : text.simplified().toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    Term term;
    term.word = word.toStdString();
    const qsizetype colon = word.indexOf(QLatin1Char(':'));
    for (std::size_t f = 0; colon > 0 && f < m_facets.size(); ++f) {
      if (m_facets[f].id != word.left(colon)) continue;
      term.facet = int(f);
      const QString wanted = word.mid(colon + 1);
      for (std::size_t v = 0; v < m_facets[f].values.size(); ++v) {
        const auto& value = m_facets[f].values[v];
        if (value.word.toLower().startsWith(wanted) || value.title.toLower().startsWith(wanted))
          term.values.push_back(int(v));
      }
    }
    terms.push_back(std::move(term));
  }
  return terms;
}

bool ReviewFilter::setText(const QString& text, QString* problem) {
  const QString wanted = text.trimmed();
  if (wanted.startsWith(QLatin1Char('/')) && wanted.size() > 1) {
    QString body = wanted.mid(1);
    if (body.endsWith(QLatin1Char('/'))) body.chop(1);
    QRegularExpression pattern(
        body, QRegularExpression::CaseInsensitiveOption | QRegularExpression::MultilineOption);
    if (!pattern.isValid()) {
      if (problem != nullptr)
        *problem = ErrorReview::tr("%1 (at character %2)")
                       .arg(pattern.errorString())
                       .arg(pattern.patternErrorOffset() + 2);
      return false;
    }
    pattern.optimize();
    m_pattern = pattern;
    m_usePattern = true;
    m_terms.clear();
    m_narrowed = false;
  } else {
    const bool plain = !m_usePattern && !wanted.contains(QLatin1Char(':'));
    m_narrowed = plain && m_narrowed && wanted.startsWith(m_text);
    m_usePattern = false;
    m_terms = parse(wanted);
  }
  m_text = wanted;
  return true;
}

void ReviewFilter::pick(const std::vector<int>& examples, const QString& title) {
  m_subset = ReviewSubset::Picked;
  m_pickedTitle = title;
  m_pickedCount = int(examples.size());
  m_picked.assign(std::size_t(m_review->examples()), false);
  for (const int example : examples) m_picked[std::size_t(example)] = true;
}

void ReviewFilter::tick(int facet, int value, bool on) {
  if (on) {
    m_ticked[std::size_t(facet)].insert(value);
  } else {
    m_ticked[std::size_t(facet)].erase(value);
  }
}

bool ReviewFilter::anyTicked() const {
  return std::any_of(m_ticked.begin(), m_ticked.end(), [](const auto& set) { return !set.empty(); });
}

void ReviewFilter::clear() {
  m_ticked.assign(kFacets, {});
  (void)setText({});
}

void ReviewFilter::setSort(Sort sort, bool descending, int model) {
  m_sort = sort;
  m_descending = descending;
  m_sortModel = model;
  m_orderStale = true;
  m_narrowed = false;
}

bool ReviewFilter::inSubset(int example) const {
  const int model = m_review->currentModel();
  switch (m_subset) {
    case ReviewSubset::All:
      return true;
    case ReviewSubset::WrongHere:
      return m_review->state(model, example).wrong;
    case ReviewSubset::WrongInAll:
      return m_review->isWrongInAll(example);
    case ReviewSubset::WrongInAny:
      return m_review->isWrongInAny(example);
    case ReviewSubset::RightHere:
      return m_review->state(model, example).exact;
    case ReviewSubset::Picked:
      return m_picked[std::size_t(example)];
  }
  return true;
}

bool ReviewFilter::textMatches(int example) const {
  const auto at = std::size_t(example);
  if (m_usePattern) {
    return m_pattern.match(fromUtf8(m_base[at])).hasMatch() ||
           m_pattern.match(fromUtf8(m_predicted[std::size_t(m_textModel)][at])).hasMatch();
  }
  std::vector<int> values;
  for (const Term& term : m_terms) {
    if (term.facet < 0) {
      if (!contains(m_base[at], term.word) && !contains(m_predicted[std::size_t(m_textModel)][at], term.word))
        return false;
      continue;
    }
    values.clear();
    valuesOf(term.facet, example, values);
    const bool any = std::any_of(values.begin(), values.end(), [&term](int value) {
      return std::find(term.values.begin(), term.values.end(), value) != term.values.end();
    });
    if (!any) return false;
  }
  return true;
}

void ReviewFilter::valuesOf(int facet, int example, std::vector<int>& out) const {
  const PredictionState& state = m_review->state(m_review->currentModel(), example);
  switch (facet) {
    case kCategory:
      out.push_back(categoryValue(state.shown));
      break;
    case kHardness:
      out.push_back(int(m_review->hardness(example)));
      break;
    case kFeature:
      for (int i = 0; i < int(std::size(kFeatures)); ++i)
        if (kFeatures[i].holds(m_review->features(example))) out.push_back(i);
      break;
    case kState:
      if (state.exact) out.push_back(kRight);
      if (state.wrong) out.push_back(state.human ? kReviewed : kUnreviewed);
      if (state.stale) out.push_back(kStale);
      if (state.refused) out.push_back(kRefused);
      if (state.possibleFalsePositive) out.push_back(kFalsePositive);
      if (state.wrong && state.confidence < kDoubt) out.push_back(kDoubtful);
      break;
    case kTag:
      for (const int value : m_tagsOf[std::size_t(example)]) out.push_back(value);
      break;
    default:
      out.push_back(m_databaseOf[std::size_t(example)]);
      break;
  }
}

void ReviewFilter::sortOrder() {
  m_order.resize(std::size_t(m_review->examples()));
  std::iota(m_order.begin(), m_order.end(), 0);
  const int model = m_sort == Sort::Model ? m_sortModel : m_review->currentModel();
  const auto key = [&](int example) -> double {
    switch (m_sort) {
      case Sort::Database:
        return m_databaseOf[std::size_t(example)];
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
  };
  if (m_sort == Sort::Question) {
    std::stable_sort(m_order.begin(), m_order.end(), [&](int a, int b) {
      const int order = m_review->question(a).compare(m_review->question(b), Qt::CaseInsensitive);
      return m_descending ? order > 0 : order < 0;
    });
  } else {
    std::vector<double> keys;
    for (const int example : m_order) keys.push_back(key(example));
    std::stable_sort(m_order.begin(), m_order.end(), [&](int a, int b) {
      const double first = keys[std::size_t(a)], second = keys[std::size_t(b)];
      return m_descending ? first > second : first < second;
    });
  }
  m_orderStale = false;
}

void ReviewFilter::apply() {
  if (m_review->empty() || m_review->currentModel() < 0) {
    m_rows.clear();
    m_textRows.clear();
    return;
  }
  if (m_orderStale || (m_sort == Sort::Category && m_textModel != m_review->currentModel())) {
    sortOrder();
    m_narrowed = false;
  }
  prepareTexts();
  const std::vector<int> candidates = m_narrowed ? std::move(m_textRows) : m_order;
  m_textRows.clear();
  for (const int example : candidates)
    if (textMatches(example)) m_textRows.push_back(example);
  m_narrowed = !m_usePattern && !m_text.contains(QLatin1Char(':'));
  m_rows.clear();
  recount();
  std::vector<int> values;
  for (const int example : m_textRows) {
    bool in = inSubset(example);
    for (int f = 0; f < kFacets && in; ++f) {
      const auto& ticked = m_ticked[std::size_t(f)];
      if (ticked.empty()) continue;
      values.clear();
      valuesOf(f, example, values);
      in =
          std::any_of(values.begin(), values.end(), [&ticked](int value) { return ticked.count(value) > 0; });
    }
    if (in) m_rows.push_back(example);
  }
}

void ReviewFilter::recount() {
  if (m_review->empty() || m_review->currentModel() < 0) return;
  for (ReviewFacet& facet : m_facets)
    for (auto& value : facet.values) value.count = 0;
  std::array<std::vector<int>, kFacets> values;
  for (const int example : m_textRows) {
    if (!inSubset(example)) continue;
    int failed = -1, failures = 0;
    for (int f = 0; f < kFacets; ++f) {
      auto& mine = values[std::size_t(f)];
      mine.clear();
      valuesOf(f, example, mine);
      const auto& ticked = m_ticked[std::size_t(f)];
      const bool passes = ticked.empty() || std::any_of(mine.begin(), mine.end(), [&ticked](int value) {
                            return ticked.count(value) > 0;
                          });
      if (!passes) {
        ++failures;
        failed = f;
      }
    }
    // Counted where it would be shown: in every facet, or in the one whose ticks alone keep it out.
    for (int f = 0; f < kFacets && failures < 2; ++f) {
      if (failures == 1 && f != failed) continue;
      for (const int value : values[std::size_t(f)])
        ++m_facets[std::size_t(f)].values[std::size_t(value)].count;
    }
  }
}

}  // namespace fathom
