// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <map>

#include "core/kernels/mask_bits.h"

namespace fathom {

// Seeds of masks that lie on a device, for work that it does again with others (core/train/graphs): while one
// lives, whoever draws a mask takes its seed from there. One in a process, for backward passes run on threads
// of LibTorch.
class HandedSeeds {
 public:
  // int64 [n, 2] of the device: low and high word of each, as seedWords() gives them.
  explicit HandedSeeds(torch::Tensor table);
  ~HandedSeeds();
  HandedSeeds(const HandedSeeds&) = delete;
  HandedSeeds& operator=(const HandedSeeds&) = delete;
  // The next row of the table holds this seed.
  void add(std::uint64_t seed);
  torch::Tensor find(std::uint64_t seed) const;

 private:
  torch::Tensor m_table;
  std::map<std::uint64_t, std::int64_t> m_rows;
  std::int64_t m_count = 0;
};

// Where the device has the words of a seed, int64 [2]; undefined: nowhere.
torch::Tensor handedSeed(std::uint64_t seed);

// The rule of a mask as a kernel takes it: its seed by value, or from where the device has it.
MaskRule deviceMask(double p, std::uint64_t seed);

}  // namespace fathom
