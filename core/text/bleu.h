// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/errors/word_table.h"

namespace fathom {

inline constexpr std::size_t kBleuOrders = 4;

// Options of corpus BLEU (docs/translation.md §5). The defaults are sacreBLEU's.
struct BleuOptions {
  enum class Tokens { Moses13a, WhiteSpace };
  enum class Smoothing { Exp, Floor, AddK, None };
  Tokens tokens = Tokens::Moses13a;
  Smoothing smoothing = Smoothing::Exp;
  double floorValue = 0.1;  // Smoothing::Floor
  double addValue = 1.0;    // Smoothing::AddK
  bool lowerCase = false;
};

inline constexpr EnumWord<BleuOptions::Smoothing> kBleuSmoothings[] = {
    {BleuOptions::Smoothing::Exp, "exp", "Exponential"},
    {BleuOptions::Smoothing::Floor, "floor", "Floor .1"},
    {BleuOptions::Smoothing::AddK, "add_k", "Add 1"},
    {BleuOptions::Smoothing::None, "none", "None"}};

// Counts that BLEU needs from a segment; sums of them are the corpus (paired bootstrap adds them up again and
// again).
struct BleuCounts {
  std::array<std::int64_t, kBleuOrders> match{};  // clipped n-gram matches
  std::array<std::int64_t, kBleuOrders> total{};  // n-grams of the system
  std::int64_t systemLength = 0;
  std::int64_t referenceLength = 0;  // closest reference, ties shorter
  BleuCounts& operator+=(const BleuCounts& other);
  bool operator==(const BleuCounts&) const = default;
};

struct BleuScore {
  double score = 0;                              // 0..100
  std::array<double, kBleuOrders> precisions{};  // per cent, smoothed
  double brevityPenalty = 1;
  BleuCounts counts;
  double ratio() const;  // system length / reference length, 0 without a reference
};

// Counts segments one by one; keeps its buffers, so one per thread.
class BleuCounter {
 public:
  explicit BleuCounter(BleuOptions options = {});
  ~BleuCounter();
  BleuCounts count(std::string_view hypothesis, std::span<const std::string_view> references);

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

BleuScore bleuFromCounts(const BleuCounts& counts, const BleuOptions& options = {});

// Counts of every segment. A data error when the numbers of segments differ or there are none.
Result<std::vector<BleuCounts>> bleuSegmentCounts(std::span<const std::string> hypotheses,
                                                  std::span<const std::string> references,
                                                  const BleuOptions& options = {});
Result<BleuScore> corpusBleu(std::span<const std::string> hypotheses, std::span<const std::string> references,
                             const BleuOptions& options = {});

// "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp", as sacreBLEU writes it, without its version.
std::string bleuSignature(const BleuOptions& options, std::int64_t references = 1);
// "BLEU = 28.30 59.8/34.2/22.1/14.8 (BP = 1.000 ratio = 1.006 hyp_len = 64622 ref_len = 64258)".
std::string bleuLine(const BleuScore& score);

// fairseq's internal scorer, on tokens (the numbers of the Admin and RealFormer papers): sub-words joined,
// split at white space, "<unk>" of the reference never matches, no smoothing, case kept; 0 if any order has
// no match.
BleuCounts tokenisedBleuCounts(BleuCounter& whiteSpaceCounter, std::string_view hypothesis,
                               std::string_view reference);
Result<BleuScore> tokenisedBleu(std::span<const std::string> hypotheses,
                                std::span<const std::string> references);
// "BLEU4 = 58.14, 85.9/69.6/57.1/46.6 (BP=0.921, ratio=0.924, syslen=1956, reflen=2118)".
std::string tokenisedBleuLine(const BleuScore& score);

}  // namespace fathom
