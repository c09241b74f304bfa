// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/kind_error_review.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "views/look/engine_text.h"

namespace fathom {

namespace {

enum KindState { kIsRight, kIsReviewed, kIsUnreviewed, kIsStale, kIsMissing, kKindStates };
constexpr const char* kKindStateWords[kKindStates] = {"right", "reviewed", "unreviewed", "stale", "missing"};

QString kindStateTitle(int state) {
  switch (state) {
    case kIsRight:
      return KindErrorReview::tr("right");
    case kIsReviewed:
      return KindErrorReview::tr("reviewed");
    case kIsUnreviewed:
      return KindErrorReview::tr("not reviewed");
    case kIsStale:
      return KindErrorReview::tr("reviewed for another answer");
    default:
      return KindErrorReview::tr("no prediction");
  }
}

}  // namespace

KindErrorReview::KindErrorReview(SelectionModel* selection, QObject* parent)
    : ReviewedPredictions(selection, parent) {}
KindErrorReview::~KindErrorReview() = default;

std::shared_ptr<OpenKindReview> KindErrorReview::release() {
  auto open = std::move(m_open);
  setReview(nullptr);
  return open;
}

void KindErrorReview::setReview(std::shared_ptr<OpenKindReview> open) {
  m_open = std::move(open);
  m_sortNumber = 0;
  beginReplacing();
  m_knownNumbers.clear();
  for (std::size_t n = 0; !empty() && n < kind().numbers.size(); ++n) {
    const auto known = [n](const KindVerdict& verdict) { return !std::isnan(verdict.numbers[n]); };
    const auto& all = review().models;
    if (std::any_of(all.begin(), all.end(), [&](const KindModel& model) {
          return std::any_of(model.verdicts.begin(), model.verdicts.end(), known);
        }))
      m_knownNumbers.push_back(int(n));
  }
  m_states.assign(std::size_t(models()), std::vector<State>(std::size_t(examples())));
  for (int i = 0; i < examples() && !empty(); ++i) {
    readStates(i);
    for (int m = 0; m < models(); ++m) m_progress[std::size_t(m)].wrong += isWrong(m, i);
  }
  endReplacing();
}

void KindErrorReview::readStates(int example) {
  for (int m = 0; m < models(); ++m) {
    State& state = m_states[std::size_t(m)][std::size_t(example)];
    const bool wrong = isWrong(m, example);
    HandCheck& progress = m_progress[std::size_t(m)];
    progress.reviewed -= wrong && state.human;
    state.category = std::uint8_t(judgements().category(std::size_t(m), std::size_t(example)));
    state.human = judgements().human(std::size_t(m), std::size_t(example)) != nullptr;
    state.stale = !state.human && !judgements().stale(std::size_t(m), std::size_t(example)).empty();
    progress.reviewed += wrong && state.human;
  }
}

QString KindErrorReview::modelName(int model) const {
  return fromUtf8(m_open->review.models[std::size_t(model)].name);
}

QString KindErrorReview::searchText(int example) const {
  const KindExample& each = this->example(example);
  std::string text;
  for (const auto* list : {&each.texts, &each.references, &each.options})
    for (const std::string& part : *list) {
      text += part;
      text += '\n';
    }
  text += judgements().note(std::size_t(example));
  return fromUtf8(text);
}

QString KindErrorReview::predicted(int model, int example) const {
  return fromUtf8(output(model, example).text);
}

QString KindErrorReview::headline(int example) const {
  return fromUtf8(headlineOf(this->example(example)));
}

QString KindErrorReview::sortText(int example) const {
  return headline(example);
}

std::unique_ptr<FacetTable> KindErrorReview::makeFacets() const {
  return std::make_unique<KindFacets>(this);
}

const KindOutput& KindErrorReview::output(int model, int example) const {
  return m_open->review.models[std::size_t(model)].outputs[std::size_t(example)];
}
const KindVerdict& KindErrorReview::verdict(int model, int example) const {
  return m_open->review.models[std::size_t(model)].verdicts[std::size_t(example)];
}
int KindErrorReview::category(int model, int example) const {
  return m_states[std::size_t(model)][std::size_t(example)].category;
}
bool KindErrorReview::isHuman(int model, int example) const {
  return m_states[std::size_t(model)][std::size_t(example)].human;
}
bool KindErrorReview::isStale(int model, int example) const {
  return m_states[std::size_t(model)][std::size_t(example)].stale;
}
QString KindErrorReview::categoryTitle(int category) const {
  return phraseText(kind().categories[std::size_t(category)].title);
}

std::vector<int> KindErrorReview::personCategories() const {
  std::vector<int> categories;
  if (empty()) return categories;
  for (std::size_t k = 1; k < kind().categories.size(); ++k)
    if (kind().categories[k].byPerson) categories.push_back(int(k));
  return categories;
}

QString KindErrorReview::titleOfId(const std::string& category) const {
  const auto known = categoryIndex(kind(), category);
  return known ? categoryTitle(int(*known)) : fromUtf8(category);
}

Status KindErrorReview::setCategory(int model, int example, int category, const QString& note) {
  return setVerdict(model, example, kind().categories[std::size_t(category)].id, note);
}

void KindFacets::rebuild() {
  m_facets.assign(kOwn, {});
  m_facets[kCategory].id = QStringLiteral("category");
  m_facets[kCategory].title = KindErrorReview::tr("Category");
  m_facets[kState].id = QStringLiteral("is");
  m_facets[kState].title = KindErrorReview::tr("State");
  m_facets[kTag].id = QStringLiteral("tag");
  m_facets[kTag].title = KindErrorReview::tr("Tag");
  for (int state = 0; state < kKindStates; ++state)
    m_facets[kState].values.push_back(
        {QString::fromLatin1(kKindStateWords[state]), kindStateTitle(state), 0});
  m_model = 0;
  if (!m_review->empty()) {
    for (const KindCategory& category : m_review->kind().categories)
      m_facets[kCategory].values.push_back({fromUtf8(category.id), phraseText(category.title), 0});
    for (const KindFacet& own : m_review->review().facets) {
      ReviewFacet& facet = m_facets.emplace_back();
      facet.id = fromUtf8(own.id);
      facet.title = phraseText(own.title);
      for (const KindFacet::Value& value : own.values)
        facet.values.push_back({fromUtf8(value.word), wordText(value.title), 0});
    }
  }
  FacetValues nothing;
  readTags(nothing);
}

void KindFacets::readTags(FacetValues& ticked) {
  m_tags.read(m_review->empty() ? std::map<std::string, std::vector<std::size_t>>()
                                : m_review->judgements().taggedExamples(),
              m_review->examples(), m_facets[kTag], ticked);
}

std::uint64_t KindFacets::states(int example) const {
  const bool wrong = m_review->isWrong(m_model, example), human = m_review->isHuman(m_model, example);
  const auto bit = [](bool on, KindState state) { return on ? std::uint64_t{1} << state : 0; };
  return bit(m_review->isRight(m_model, example), kIsRight) | bit(wrong && human, kIsReviewed) |
         bit(wrong && !human, kIsUnreviewed) | bit(m_review->isStale(m_model, example), kIsStale) |
         bit(!m_review->output(m_model, example).given, kIsMissing);
}

int KindFacets::value(int facet, int example) const {
  if (facet == kCategory) return m_review->category(m_model, example);
  return m_review->review().facets[std::size_t(facet - kOwn)].value(std::size_t(m_model),
                                                                    std::size_t(example));
}

bool KindFacets::has(int facet, int example, const FacetValues& values) const {
  if (facet == kState) return (states(example) & values.bits()) != 0;
  if (facet == kTag) return m_tags.has(example, values);
  return values.has(value(facet, example));
}

void KindFacets::count(int facet, int example) {
  auto& values = m_facets[std::size_t(facet)].values;
  if (facet == kState) {
    for (std::uint64_t rest = states(example); rest != 0; rest &= rest - 1)
      ++values[std::size_t(std::countr_zero(rest))].count;
  } else if (facet == kTag) {
    m_tags.count(example, m_facets[kTag]);
  } else if (const int each = value(facet, example); each >= 0) {
    ++values[std::size_t(each)].count;
  }
}

double KindFacets::sortKey(Sort sort, int model, int example) const {
  switch (sort) {
    case Sort::Category:
    case Sort::Model:
      return m_review->category(model, example);
    case Sort::Confidence: {
      const auto number =
          double{m_review->verdict(model, example).numbers[std::size_t(m_review->sortNumber())]};
      return std::isnan(number) ? -std::numeric_limits<double>::infinity() : number;
    }
    default:
      return example;
  }
}

}  // namespace fathom
