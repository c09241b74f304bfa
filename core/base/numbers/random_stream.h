// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace fathom {

// Seeds are pure functions of what they are for, so nothing depends on call order and a deeper net has the
// same first layers: streamSeed(run seed, parameter name), streamSeed(seed, "dropout", {update, microBatch,
// site}).
std::uint64_t streamSeed(std::uint64_t seed, std::string_view name,
                         std::initializer_list<std::int64_t> counters = {});

// A small counter-seeded generator (xoshiro256**): same numbers on every platform. Not for cryptography.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed);
  std::uint64_t next();
  double uniform();                                           // [0, 1), 53 bits
  std::uint64_t below(std::uint64_t bound);                   // uniform in [0, bound), unbiased
  double normal();                                            // standard normal (polar method, pair cached)
  std::vector<std::int64_t> permutation(std::int64_t count);  // Fisher-Yates

 private:
  std::uint64_t m_state[4];
  double m_spare = 0;
  bool m_hasSpare = false;
};

}  // namespace fathom
