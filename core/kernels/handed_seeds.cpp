// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/handed_seeds.h"

#include <atomic>
#include <utility>

#include "core/kernels/device_address.h"

namespace fathom {

namespace {
std::atomic<const HandedSeeds*> seedsNow = nullptr;
}

HandedSeeds::HandedSeeds(torch::Tensor table) : m_table(std::move(table)) {
  seedsNow = this;
}
HandedSeeds::~HandedSeeds() {
  seedsNow = nullptr;
}

void HandedSeeds::add(std::uint64_t seed) {
  m_rows.emplace(seed, m_count++);
}

torch::Tensor HandedSeeds::find(std::uint64_t seed) const {
  const auto row = m_rows.find(seed);
  return row != m_rows.end() ? m_table.select(0, row->second) : torch::Tensor();
}

torch::Tensor handedSeed(std::uint64_t seed) {
  const HandedSeeds* seeds = seedsNow.load();
  return seeds != nullptr ? seeds->find(seed) : torch::Tensor();
}

MaskRule deviceMask(double p, std::uint64_t seed) {
  MaskRule rule(p, seed);
  rule.handed = static_cast<const std::int64_t*>(deviceAddress(handedSeed(seed)));
  return rule;
}

}  // namespace fathom
