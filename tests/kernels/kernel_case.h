// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/kernels/mask_bits.h"
#include "core/kernels/number_format.h"

namespace fathom::kernel_cases {

// Random shapes and numbers of one case, printed with its seed where it fails.
using Random = std::mt19937_64;

inline std::int64_t between(Random& random, std::int64_t least, std::int64_t most) {
  return least + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most - least + 1));
}

inline std::vector<double> randomNumbers(Random& random, std::int64_t count, double spread = 1) {
  std::normal_distribution<double> normal(0, spread);
  std::vector<double> numbers(static_cast<std::size_t>(count));
  for (double& number : numbers) number = normal(random);
  return numbers;
}

// A buffer as kernels see it: numbers rounded to its format; a fresh one holds NaN.
template <typename T>
std::vector<T> rounded(const std::vector<double>& numbers) {
  std::vector<T> out(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) out[i] = narrowed<T>(static_cast<Wide<T>>(numbers[i]));
  return out;
}
template <typename T>
std::vector<T> unwritten(std::int64_t count) {
  return rounded<T>(std::vector<double>(static_cast<std::size_t>(count), std::nan("")));
}
template <typename T>
std::vector<double> exact(const std::vector<T>& numbers) {
  std::vector<double> out(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) out[i] = static_cast<double>(widened(numbers[i]));
  return out;
}

// As the bits of its numbers, so that NaN equals itself.
template <typename T>
std::string bytesOf(const std::vector<T>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

template <typename T>
constexpr NumberFormat kFormat = NumberFormat::Float32;
template <>
inline constexpr NumberFormat kFormat<BFloat16> = NumberFormat::BFloat16;
template <>
inline constexpr NumberFormat kFormat<double> = NumberFormat::Float64;

// Relative to the largest number that is expected, at least to 1.
template <typename T>
constexpr double kTolerance = 2e-5;
template <>
inline constexpr double kTolerance<BFloat16> = 2e-2;
template <>
inline constexpr double kTolerance<double> = 1e-12;

// What went wrong is printed; largest differences are kept for the last line of a family.
class Verdict {
 public:
  void require(bool holds, const std::string& what) {
    ++m_checks;
    if (holds) return;
    ++m_failures;
    std::printf("FAILED %s\n", what.c_str());
  }
  template <typename T>
  void close(const std::vector<T>& got, const std::vector<double>& expected, const std::string& what) {
    double largest = 0, scale = 1;
    for (const double number : expected) scale = std::max(scale, std::fabs(number));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double difference = std::fabs(static_cast<double>(widened(got[i])) - expected[i]);
      largest = difference > largest || std::isnan(difference) ? difference : largest;
      if (std::isnan(largest)) break;
    }
    if (!(largest / scale <= m_largest)) m_largest = largest / scale;
    require(got.size() == expected.size() && largest <= kTolerance<T> * scale,
            what + ": differs by " + std::to_string(largest) + " of " + std::to_string(scale));
  }
  void sameBits(const std::string& one, const std::string& other, const std::string& what) {
    require(one == other, what + ": other bits");
  }
  int failures() const { return m_failures; }
  int checks() const { return m_checks; }
  double largest() const { return m_largest; }

 private:
  int m_checks = 0, m_failures = 0;
  double m_largest = 0;
};

// The mask for a call, whose seed the call has by turns itself or in memory (MaskRule::handed); then the one
// that it has itself is another.
MaskRule seededByTurns(const MaskRule& mask);

// Runs the kernels twice, in different orders of blocks and threads; both results are looked at as bytes,
// which are the same, so that one of them is compared with formulas (`judged`).
void inTwoOrders(Verdict& verdict, const std::string& what,
                 const std::function<std::string(bool judged)>& run);

// False where a sanitizer judges (N at most 1): float32 alone and no differences, which look at values and
// not at rules.
bool everyFormat();

// Cases of a family: fixed odd shapes, then `count` random ones from `seed`.
void dropoutCases(Verdict& verdict, std::uint64_t seed, int count);
void normCases(Verdict& verdict, std::uint64_t seed, int count);
void chainCases(Verdict& verdict, std::uint64_t seed, int count);
void relationCases(Verdict& verdict, std::uint64_t seed, int count);

}  // namespace fathom::kernel_cases
