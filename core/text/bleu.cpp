// SPDX-License-Identifier: Apache-2.0
#include "core/text/bleu.h"

#include <cmath>
#include <cstdlib>

#include "core/base/text/number_text.h"
#include "core/base/text/utf8.h"
#include "core/text/lower_case.h"
#include "core/text/moses_13a_tokenizer.h"
#include "core/text/ngram_table.h"
#include "core/text/vocabulary.h"

namespace fathom {

namespace {

constexpr double kLogOfZero = -9999999999.0;  // what sacreBLEU takes for log 0

std::string precisionsText(const BleuScore& score) {
  std::string text;
  for (std::size_t n = 0; n < kBleuOrders; ++n)
    text += (n > 0 ? "/" : "") + formatted("%.1f", score.precisions[n]);
  return text;
}

}  // namespace

BleuCounts& BleuCounts::operator+=(const BleuCounts& other) {
  for (std::size_t n = 0; n < kBleuOrders; ++n) {
    match[n] += other.match[n];
    total[n] += other.total[n];
  }
  systemLength += other.systemLength;
  referenceLength += other.referenceLength;
  return *this;
}

double BleuScore::ratio() const {
  if (counts.referenceLength == 0) return 0;
  return static_cast<double>(counts.systemLength) / static_cast<double>(counts.referenceLength);
}

// Tokens of one text; the views live until the next text is cut by the same object.
class SegmentCutter {
 public:
  std::span<const std::string_view> cut(std::string_view text, const BleuOptions& options) {
    if (options.lowerCase) {
      m_lower = toLowerCase(text);
      text = m_lower;
    }
    text = stripRight(text);
    if (options.tokens == BleuOptions::Tokens::Moses13a) return m_moses.tokens(text);
    m_words.clear();
    splitAtWhiteSpace(text, m_words);
    return m_words;
  }

 private:
  std::string m_lower;
  Moses13aTokenizer m_moses;
  std::vector<std::string_view> m_words;
};

struct BleuCounter::Impl {
  BleuOptions options;
  SegmentCutter hypothesis;
  std::vector<std::unique_ptr<SegmentCutter>> references;
  NgramTable table;
};

BleuCounter::BleuCounter(BleuOptions options) : m_impl(std::make_unique<Impl>()) {
  m_impl->options = options;
}
BleuCounter::~BleuCounter() = default;

BleuCounts BleuCounter::count(std::string_view hypothesis, std::span<const std::string_view> references) {
  Impl& impl = *m_impl;
  while (impl.references.size() < references.size())
    impl.references.push_back(std::make_unique<SegmentCutter>());
  const auto system = impl.hypothesis.cut(hypothesis, impl.options);
  BleuCounts counts;
  counts.systemLength = static_cast<std::int64_t>(system.size());
  counts.referenceLength = -1;
  impl.table.clear();
  for (std::size_t r = 0; r < references.size(); ++r) {
    const auto tokens = impl.references[r]->cut(references[r], impl.options);
    impl.table.addReference(tokens);
    const auto length = static_cast<std::int64_t>(tokens.size());
    const std::int64_t distance = std::abs(length - counts.systemLength);
    const std::int64_t best = std::abs(counts.referenceLength - counts.systemLength);
    if (counts.referenceLength < 0 || distance < best ||
        (distance == best && length < counts.referenceLength))
      counts.referenceLength = length;
  }
  counts.referenceLength = std::max<std::int64_t>(counts.referenceLength, 0);
  counts.match = impl.table.matches(system);
  for (std::size_t n = 0; n < kBleuOrders; ++n)
    counts.total[n] = std::max<std::int64_t>(0, counts.systemLength - static_cast<std::int64_t>(n));
  return counts;
}

BleuScore bleuFromCounts(const BleuCounts& counts, const BleuOptions& options) {
  BleuScore result;
  result.counts = counts;
  if (counts.systemLength < counts.referenceLength)
    result.brevityPenalty = counts.systemLength > 0
                                ? std::exp(1.0 - static_cast<double>(counts.referenceLength) /
                                                     static_cast<double>(counts.systemLength))
                                : 0.0;
  bool any = false;
  for (const std::int64_t match : counts.match) any = any || match > 0;
  if (!any) return result;
  double expFactor = 1;
  for (std::size_t n = 0; n < kBleuOrders; ++n) {
    const double added = options.smoothing == BleuOptions::Smoothing::AddK && n > 0 ? options.addValue : 0.0;
    const double match = static_cast<double>(counts.match[n]) + added;
    const double total = static_cast<double>(counts.total[n]) + added;
    if (total == 0) break;
    double& precision = result.precisions[n];
    if (match > 0) {
      precision = 100.0 * match / total;
    } else if (options.smoothing == BleuOptions::Smoothing::Exp) {
      expFactor *= 2;
      precision = 100.0 / (expFactor * total);
    } else if (options.smoothing == BleuOptions::Smoothing::Floor) {
      precision = 100.0 * options.floorValue / total;
    }
  }
  double sum = 0;
  for (const double precision : result.precisions) sum += precision > 0 ? std::log(precision) : kLogOfZero;
  result.score = result.brevityPenalty * std::exp(sum / static_cast<double>(kBleuOrders));
  return result;
}

Result<std::vector<BleuCounts>> bleuSegmentCounts(std::span<const std::string> hypotheses,
                                                  std::span<const std::string> references,
                                                  const BleuOptions& options) {
  if (hypotheses.size() != references.size() || hypotheses.empty())
    return dataError(
        Phrase::tr("BLEU of %1 hypotheses against %2 references")(hypotheses.size(), references.size()),
        Phrase::tr("the numbers must be equal and not 0"));
  BleuCounter counter(options);
  std::vector<BleuCounts> counts;
  counts.reserve(hypotheses.size());
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    const std::string_view reference = references[i];
    counts.push_back(counter.count(hypotheses[i], {&reference, 1}));
  }
  return counts;
}

Result<BleuScore> corpusBleu(std::span<const std::string> hypotheses, std::span<const std::string> references,
                             const BleuOptions& options) {
  FATHOM_TRY(const auto segments, bleuSegmentCounts(hypotheses, references, options));
  BleuCounts sum;
  for (const BleuCounts& counts : segments) sum += counts;
  return bleuFromCounts(sum, options);
}

std::string bleuSignature(const BleuOptions& options, std::int64_t references) {
  std::string smoothing;
  switch (options.smoothing) {
    case BleuOptions::Smoothing::Exp:
      smoothing = "exp";
      break;
    case BleuOptions::Smoothing::Floor:
      smoothing = "floor[" + formatted("%.2f", options.floorValue) + "]";
      break;
    case BleuOptions::Smoothing::AddK:
      smoothing = "add-k[" + formatted("%.2f", options.addValue) + "]";
      break;
    case BleuOptions::Smoothing::None:
      smoothing = "none";
      break;
  }
  return "nrefs:" + std::to_string(references) + "|case:" + (options.lowerCase ? "lc" : "mixed") +
         "|eff:no|tok:" + (options.tokens == BleuOptions::Tokens::Moses13a ? "13a" : "none") +
         "|smooth:" + smoothing;
}

std::string bleuLine(const BleuScore& score) {
  return "BLEU = " + formatted("%.2f", score.score) + " " + precisionsText(score) +
         " (BP = " + formatted("%.3f", score.brevityPenalty) +
         " ratio = " + formatted("%.3f", score.ratio()) +
         " hyp_len = " + std::to_string(score.counts.systemLength) +
         " ref_len = " + std::to_string(score.counts.referenceLength) + ")";
}

BleuCounts tokenisedBleuCounts(BleuCounter& whiteSpaceCounter, std::string_view hypothesis,
                               std::string_view reference) {
  std::vector<std::string_view> words;
  const std::string joined = joinSubwords(reference);
  splitAtWhiteSpace(joined, words);
  std::string replaced;
  for (const std::string_view word : words)
    replaced.append(replaced.empty() ? "" : " ").append(word == "<unk>" ? "<<unk>>" : word);
  const std::string_view view = replaced;
  return whiteSpaceCounter.count(joinSubwords(hypothesis), {&view, 1});
}

Result<BleuScore> tokenisedBleu(std::span<const std::string> hypotheses,
                                std::span<const std::string> references) {
  if (hypotheses.size() != references.size() || hypotheses.empty())
    return dataError(
        Phrase::tr("BLEU of %1 hypotheses against %2 references")(hypotheses.size(), references.size()),
        Phrase::tr("the numbers must be equal and not 0"));
  BleuOptions options;
  options.tokens = BleuOptions::Tokens::WhiteSpace;
  options.smoothing = BleuOptions::Smoothing::None;
  BleuCounter counter(options);
  BleuCounts sum;
  for (std::size_t i = 0; i < hypotheses.size(); ++i)
    sum += tokenisedBleuCounts(counter, hypotheses[i], references[i]);
  return bleuFromCounts(sum, options);
}

std::string tokenisedBleuLine(const BleuScore& score) {
  return "BLEU4 = " + formatted("%.2f", score.score) + ", " + precisionsText(score) +
         " (BP=" + formatted("%.3f", score.brevityPenalty) + ", ratio=" + formatted("%.3f", score.ratio()) +
         ", syslen=" + std::to_string(score.counts.systemLength) +
         ", reflen=" + std::to_string(score.counts.referenceLength) + ")";
}

}  // namespace fathom
