// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace fathom {

// chrF2 as sacreBLEU computes it (Popović; character order 6, beta 2, white space left out, no words).
inline constexpr std::size_t kChrfOrders = 6;

// Counts that it needs from a segment; sums of them are the corpus. N-grams of the hypothesis count in the
// orders of which the reference has any.
struct ChrfCounts {
  std::array<std::int32_t, kChrfOrders> hypothesis{}, reference{}, match{};
};
// 0 … 100.
double chrfFromCounts(const std::array<double, kChrfOrders>& hypothesis,
                      const std::array<double, kChrfOrders>& reference,
                      const std::array<double, kChrfOrders>& match);
double chrfFromCounts(const ChrfCounts& counts);

// Keeps its buffers, so one per thread. Well-formed UTF-8.
class ChrfCounter {
 public:
  ChrfCounter();
  ~ChrfCounter();
  ChrfCounts count(std::string_view hypothesis, std::string_view reference);

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace fathom
