// SPDX-License-Identifier: Apache-2.0
#include "core/train/parallel/term_numbers.h"

#include <algorithm>

namespace fathom {

namespace {

constexpr std::size_t kMostSums = 8;                    // of one micro-batch
constexpr std::size_t kSlotLength = 4 + 2 * kMostSums;  // place, loss, units, number of sums; the sums

void packTerm(const TermNumbers& term, double* at) {
  if (term.sums.size() > kMostSums)
    throw Failure(internalError("a micro-batch has " + std::to_string(term.sums.size()) + " sums"));
  at[0] = static_cast<double>(term.microBatch);
  at[1] = term.loss;
  at[2] = term.units;
  at[3] = static_cast<double>(term.sums.size());
  for (std::size_t i = 0; i < term.sums.size(); ++i) {
    at[4 + 2 * i] = term.sums[i].sum;
    at[5 + 2 * i] = term.sums[i].count;
  }
}

TermNumbers unpackedTerm(const double* at) {
  TermNumbers term;
  term.microBatch = static_cast<std::int64_t>(at[0]);
  term.loss = at[1];
  term.units = at[2];
  term.sums.resize(static_cast<std::size_t>(at[3]));
  for (std::size_t i = 0; i < term.sums.size(); ++i) {
    term.sums[i].sum = at[4 + 2 * i];
    term.sums[i].count = at[5 + 2 * i];
  }
  return term;
}

}  // namespace

std::size_t packedTermsLength(std::size_t slots) {
  return 1 + slots * kSlotLength;
}

std::vector<double> packedTerms(const std::vector<TermNumbers>& terms, std::size_t slots) {
  if (terms.size() > slots)
    throw Failure(
        internalError("a rank has " + std::to_string(terms.size()) + " micro-batches of an update"));
  std::vector<double> packed(packedTermsLength(slots), 0.0);
  packed[0] = static_cast<double>(terms.size());
  for (std::size_t i = 0; i < terms.size(); ++i) packTerm(terms[i], &packed[1 + i * kSlotLength]);
  return packed;
}

void unpackTerms(const double* at, std::vector<TermNumbers>& terms) {
  const auto count = static_cast<std::size_t>(at[0]);
  for (std::size_t i = 0; i < count; ++i) terms.push_back(unpackedTerm(at + 1 + i * kSlotLength));
}

void orderTerms(std::vector<TermNumbers>& terms) {
  std::sort(terms.begin(), terms.end(),
            [](const TermNumbers& a, const TermNumbers& b) { return a.microBatch < b.microBatch; });
}

}  // namespace fathom
