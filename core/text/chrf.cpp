// SPDX-License-Identifier: Apache-2.0
#include "core/text/chrf.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/text/utf8.h"

namespace fathom {

namespace {

// Bits of a product that depend on all bits before.
std::uint64_t mixedHash(std::uint64_t value) {
  value ^= value >> 31;
  value *= 0x9E3779B97F4A7C15u;
  return value ^ (value >> 29);
}

void visibleCharacters(std::string_view text, std::vector<char32_t>& out) {
  out.clear();
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code = nextCodePoint(text, at);
    if (!isUnicodeSpace(code)) out.push_back(code);
  }
}

}  // namespace

// Counts of each n-gram in the reference, and of its uses by the hypothesis, in a table
// of open addresses. A stamp says of which reference an entry is and of which call its use is, so that
// nothing is cleared; a reference that comes again, as for several models in turn, is not counted again.
struct ChrfCounter::Impl {
  struct Entry {
    std::uint64_t gram = 0;
    std::uint32_t stamp = 0, count = 0;
    std::uint32_t call = 0, used = 0;
  };
  std::vector<Entry> table;
  std::uint32_t stamp = 0, call = 0;
  std::vector<char32_t> hypothesis, reference;
  std::string referenceText;
  bool counted = false;
  decltype(ChrfCounts::reference) referenceCounts{};

  // Begins the counts of the next hypothesis.
  void beginCall() {
    if (++call != 0) return;
    for (Entry& entry : table) entry.call = 0;
    call = 1;
  }
  void begin(std::size_t grams) {
    std::size_t size = 1024;
    while (size < 2 * grams) size *= 2;
    if (table.size() < size) {
      table.assign(size, {});
      stamp = 0;
    }
    if (++stamp == 0) {
      std::fill(table.begin(), table.end(), Entry());
      stamp = 1;
    }
  }
  Entry& find(std::uint64_t gram) {
    const std::size_t mask = table.size() - 1;
    std::size_t at = static_cast<std::size_t>(gram) & mask;
    while (table[at].stamp == stamp && table[at].gram != gram) at = (at + 1) & mask;
    return table[at];
  }
};

ChrfCounter::ChrfCounter() : m_impl(std::make_unique<Impl>()) {}
ChrfCounter::~ChrfCounter() = default;

ChrfCounts ChrfCounter::count(std::string_view hypothesis, std::string_view reference) {
  Impl& impl = *m_impl;
  visibleCharacters(hypothesis, impl.hypothesis);
  ChrfCounts counts;
  // Calls body(order, hash) for all n-grams, 64 bits each: two that share them are not met with.
  const auto each = [](const std::vector<char32_t>& text, const auto& body) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      std::uint64_t gram = 0;
      for (std::size_t n = 0; n < kChrfOrders && i + n < text.size(); ++n) {
        gram = mixedHash(gram + text[i + n] + 1);
        body(n, gram ^ (n << 56));
      }
    }
  };
  if (!impl.counted || impl.referenceText != reference) {
    impl.counted = false;
    visibleCharacters(reference, impl.reference);
    impl.begin(kChrfOrders * impl.reference.size());
    impl.referenceCounts = {};
    each(impl.reference, [&](std::size_t n, std::uint64_t gram) {
      ++impl.referenceCounts[n];
      Impl::Entry& entry = impl.find(gram);
      if (entry.stamp != impl.stamp) entry = {gram, impl.stamp, 0, 0, 0};
      ++entry.count;
    });
    impl.referenceText = reference;
    impl.counted = true;
  }
  counts.reference = impl.referenceCounts;
  impl.beginCall();
  each(impl.hypothesis, [&](std::size_t n, std::uint64_t gram) {
    ++counts.hypothesis[n];
    Impl::Entry& entry = impl.find(gram);
    if (entry.stamp != impl.stamp) return;
    if (entry.call != impl.call) {
      entry.call = impl.call;
      entry.used = 0;
    }
    if (entry.used == entry.count) return;
    ++entry.used;
    ++counts.match[n];
  });
  // As sacreBLEU: where the reference has no n-gram of an order, those of the hypothesis are no errors. One
  // segment leaves such an order out either way; sums over segments would count them.
  for (std::size_t n = 0; n < kChrfOrders; ++n)
    if (counts.reference[n] == 0) counts.hypothesis[n] = 0;
  return counts;
}

double chrfFromCounts(const std::array<double, kChrfOrders>& hypothesis,
                      const std::array<double, kChrfOrders>& reference,
                      const std::array<double, kChrfOrders>& match) {
  constexpr double kBetaSquared = 4;
  double precision = 0, recall = 0;
  int orders = 0;
  for (std::size_t n = 0; n < kChrfOrders; ++n) {
    if (hypothesis[n] <= 0 || reference[n] <= 0) continue;  // shorter than the order
    precision += match[n] / hypothesis[n];
    recall += match[n] / reference[n];
    ++orders;
  }
  if (orders == 0 || precision + recall <= 0) return 0;
  precision /= orders;
  recall /= orders;
  return 100 * (1 + kBetaSquared) * precision * recall / (kBetaSquared * precision + recall);
}

double chrfFromCounts(const ChrfCounts& counts) {
  std::array<double, kChrfOrders> hypothesis{}, reference{}, match{};
  for (std::size_t n = 0; n < kChrfOrders; ++n) {
    hypothesis[n] = counts.hypothesis[n];
    reference[n] = counts.reference[n];
    match[n] = counts.match[n];
  }
  return chrfFromCounts(hypothesis, reference, match);
}

}  // namespace fathom
