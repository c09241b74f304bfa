// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/review_filter.h"

#include <algorithm>
#include <numeric>

#include "views/look/engine_text.h"

namespace fathom {

ReviewFilter::ReviewFilter(const ReviewedPredictions* review)
    : m_review(review), m_facets(review), m_texts(review) {}

void ReviewFilter::rebuild() {
  m_facets.rebuild();
  m_texts.rebuild();
  m_ticked.assign(m_facets.all().size(), {});
  m_subset = ReviewSubset::All;
  m_picked.clear();
  m_pickedCount = 0;
  if (m_sortWhich >= m_review->models()) {  // the review before had more
    m_sort = Sort::Index;
    m_sortWhich = -1;
    m_descending = false;
  }
  m_orderStale = true;
  m_terms = parse(m_text);
}

void ReviewFilter::reread(int example) {
  m_texts.reread(example);
  m_facets.reread(example);
  m_facets.readTags(m_ticked[std::size_t(ReviewFacets::kTag)]);
  if (!m_usePattern) m_terms = parse(m_text);
}

std::vector<ReviewFilter::Term> ReviewFilter::parse(const QString& text) const {
  std::vector<Term> terms;
  for (const QString& word : text.simplified().toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    Term term;
    term.word = word.toStdString();
    const qsizetype colon = word.indexOf(QLatin1Char(':'));
    for (std::size_t f = 0; colon > 0 && f < m_facets.all().size(); ++f) {
      if (m_facets.all()[f].id != word.left(colon)) continue;
      term.facet = int(f);
      term.values = m_facets.beginningWith(int(f), word.mid(colon + 1));
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
        *problem = ReviewedPredictions::tr("%1 (at character %2)")
                       .arg(pattern.errorString())
                       .arg(pattern.patternErrorOffset() + 2);
      return false;
    }
    pattern.optimize();
    m_pattern = pattern;
    m_usePattern = true;
    m_terms.clear();
  } else {
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

std::vector<int> ReviewFilter::pickedExamples() const {
  std::vector<int> examples;
  for (std::size_t i = 0; i < m_picked.size(); ++i)
    if (m_picked[i]) examples.push_back(int(i));
  return examples;
}

Json ReviewFilter::save() const {
  Json ticks = Json::object();
  for (std::size_t f = 0; f < m_ticked.size(); ++f)
    for (const int value : m_ticked[f].values()) {
      const ShownFacet& facet = m_facets.all()[f];
      ticks[toUtf8(facet.id)].push_back(toUtf8(facet.values[std::size_t(value)].word));
    }
  Json saved = {{"text", toUtf8(m_text)}, {"subset", int(m_subset)}, {"ticks", std::move(ticks)}};
  if (m_subset == ReviewSubset::Picked) {
    saved["picked"] = pickedExamples();
    saved["title"] = toUtf8(m_pickedTitle);
  }
  return saved;
}

void ReviewFilter::restore(const Json& saved) {
  if (!saved.is_object()) return;
  clear();
  (void)setText(fromUtf8(saved.value("text", std::string())));
  const auto subset = static_cast<ReviewSubset>(saved.value("subset", 0));
  std::vector<int> picked = saved.value("picked", std::vector<int>());
  std::erase_if(picked, [this](int example) { return example < 0 || example >= m_review->examples(); });
  if (subset == ReviewSubset::Picked && !picked.empty()) {
    pick(picked, fromUtf8(saved.value("title", std::string())));
  } else if (subset > ReviewSubset::All && subset < ReviewSubset::Picked) {
    m_subset = subset;
  }
  const Json ticks = saved.value("ticks", Json::object());
  for (std::size_t f = 0; f < m_ticked.size(); ++f) {
    const ShownFacet& facet = m_facets.all()[f];
    const auto words = ticks.value(toUtf8(facet.id), std::vector<std::string>());
    for (std::size_t v = 0; v < facet.values.size(); ++v)
      if (std::find(words.begin(), words.end(), toUtf8(facet.values[v].word)) != words.end())
        tick(int(f), int(v), true);
  }
}

void ReviewFilter::tick(int facet, int value, bool on) {
  if (on) {
    m_ticked[std::size_t(facet)].insert(value);
  } else {
    m_ticked[std::size_t(facet)].erase(value);
  }
}

int ReviewFilter::ticks() const {
  int count = 0;
  for (const FacetValues& values : m_ticked) count += int(values.values().size());
  return count;
}

void ReviewFilter::clear() {
  m_ticked.assign(m_facets.all().size(), {});
  (void)setText({});
}

void ReviewFilter::setSort(Sort sort, bool descending, int which) {
  m_sort = sort;
  m_descending = descending;
  m_sortWhich = which;
  m_orderStale = true;
}

bool ReviewFilter::inSubset(int example) const {
  const int model = m_review->currentModel();
  switch (m_subset) {
    case ReviewSubset::All:
      return true;
    case ReviewSubset::WrongHere:
      return m_review->isWrong(model, example);
    case ReviewSubset::WrongInAll:
      return m_review->isWrongInAll(example);
    case ReviewSubset::WrongInAny:
      return m_review->isWrongInAny(example);
    case ReviewSubset::RightHere:
      return m_review->isRight(model, example);
    case ReviewSubset::Picked:
      return m_picked[std::size_t(example)];
  }
  return true;
}

void ReviewFilter::findTexts() {
  if (m_usePattern) {
    m_textFound = m_texts.withPattern(m_pattern);
    return;
  }
  m_textFound.assign(std::size_t(m_review->examples()), 1);
  for (const Term& term : m_terms) {
    if (term.facet < 0) {
      const ReviewTexts::Rows& found = m_texts.withWord(term.word);
      for (std::size_t i = 0; i < found.size(); ++i) m_textFound[i] &= found[i];
    } else {
      for (std::size_t i = 0; i < m_textFound.size(); ++i)
        m_textFound[i] &= std::uint8_t(m_facets.has(term.facet, int(i), term.values));
    }
  }
}

void ReviewFilter::prepareForPatterns() {
  if (m_review->empty() || m_review->currentModel() < 0) return;
  m_texts.setModel(m_review->currentModel());
  m_texts.prepareForPatterns();
}

void ReviewFilter::sortOrder() {
  m_order.resize(std::size_t(m_review->examples()));
  std::iota(m_order.begin(), m_order.end(), 0);
  if (m_sort == Sort::Text) {
    std::stable_sort(m_order.begin(), m_order.end(), [&](int a, int b) {
      const int order = m_review->headline(a).compare(m_review->headline(b), Qt::CaseInsensitive);
      return m_descending ? order > 0 : order < 0;
    });
  } else {
    std::vector<double> keys;
    for (const int example : m_order) keys.push_back(m_facets.sortKey(m_sort, m_sortWhich, example));
    std::stable_sort(m_order.begin(), m_order.end(), [&](int a, int b) {
      const double first = keys[std::size_t(a)], second = keys[std::size_t(b)];
      return m_descending ? first > second : first < second;
    });
  }
  m_orderStale = false;
  m_orderModel = m_review->currentModel();
}

void ReviewFilter::apply() {
  m_rows.clear();
  const int model = m_review->currentModel();
  if (m_review->empty() || model < 0) return;
  m_facets.setModel(model);
  m_texts.setModel(model);
  const bool ofModel = m_sort == Sort::Category || m_sort == Sort::Number;
  if (m_orderStale || (ofModel && m_orderModel != model)) sortOrder();
  findTexts();
  m_facets.clearCounts();
  for (const int example : m_order)
    if (m_textFound[std::size_t(example)] != 0 && countExample(example)) m_rows.push_back(example);
}

void ReviewFilter::recount() {
  if (m_review->empty() || m_review->currentModel() < 0) return;
  m_facets.clearCounts();
  for (std::size_t i = 0; i < m_textFound.size(); ++i)
    if (m_textFound[i] != 0) countExample(int(i));
}

bool ReviewFilter::countExample(int example) {
  if (!inSubset(example)) return false;
  int failed = -1, failures = 0;
  for (int f = 0; f < int(m_ticked.size()); ++f) {
    const FacetValues& ticked = m_ticked[std::size_t(f)];
    if (ticked.empty() || m_facets.has(f, example, ticked)) continue;
    failed = f;
    ++failures;
  }
  if (failures == 1) m_facets.count(failed, example);
  if (failures > 0) return false;
  for (int f = 0; f < int(m_ticked.size()); ++f) m_facets.count(f, example);
  return true;
}

}  // namespace fathom
