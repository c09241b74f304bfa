// SPDX-License-Identifier: Apache-2.0
#include "core/base/numbers/random_stream.h"

#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/files/hash.h"

namespace fathom {

namespace {
std::uint64_t splitMix(std::uint64_t& state) {
  std::uint64_t value = (state += 0x9E3779B97F4A7C15ull);
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ull;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBull;
  return value ^ (value >> 31);
}
std::uint64_t rotateLeft(std::uint64_t value, int by) {
  return (value << by) | (value >> (64 - by));
}
}  // namespace

std::uint64_t streamSeed(std::uint64_t seed, std::string_view name,
                         std::initializer_list<std::int64_t> counters) {
  std::uint64_t state = stableHash(name, seed);
  for (const std::int64_t counter : counters) {
    state ^= static_cast<std::uint64_t>(counter) * 0xD1B54A32D192ED03ull;
    state = splitMix(state);
  }
  return state;
}

RandomStream::RandomStream(std::uint64_t seed) {
  for (std::uint64_t& word : m_state) word = splitMix(seed);
}

std::uint64_t RandomStream::next() {
  const std::uint64_t result = rotateLeft(m_state[1] * 5, 7) * 9;
  const std::uint64_t shifted = m_state[1] << 17;
  m_state[2] ^= m_state[0];
  m_state[3] ^= m_state[1];
  m_state[1] ^= m_state[2];
  m_state[0] ^= m_state[3];
  m_state[2] ^= shifted;
  m_state[3] = rotateLeft(m_state[3], 45);
  return result;
}

double RandomStream::uniform() {
  return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  if (bound < 2) return 0;
  const std::uint64_t limit = -bound % bound;  // values under it would favour small results
  while (true) {
    const std::uint64_t value = next();
    if (value >= limit) return value % bound;
  }
}

double RandomStream::normal() {
  if (m_hasSpare) {
    m_hasSpare = false;
    return m_spare;
  }
  double u = 0, v = 0, square = 0;
  do {
    u = 2 * uniform() - 1;
    v = 2 * uniform() - 1;
    square = u * u + v * v;
  } while (square >= 1 || square == 0);
  const double factor = std::sqrt(-2 * std::log(square) / square);
  m_spare = v * factor;
  m_hasSpare = true;
  return u * factor;
}

std::vector<std::int64_t> RandomStream::permutation(std::int64_t count) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (std::int64_t i = count - 1; i > 0; --i) {
    const auto j = static_cast<std::size_t>(below(static_cast<std::uint64_t>(i) + 1));
    std::swap(order[static_cast<std::size_t>(i)], order[j]);
  }
  return order;
}

}  // namespace fathom
