// SPDX-License-Identifier: Apache-2.0
#include "core/spider/grammar/table_order.h"

#include <cstddef>
#include <optional>
#include <set>

namespace fathom {

namespace {

// CPython's set of small integers (3.6 to 3.12, Objects/setobject.c): open addressing, up to nine neighbours,
// then the perturbed step; grown fourfold when three fifths are taken.
class PythonSet {
 public:
  void add(int key) {
    std::optional<int>& slot = slotOf(m_slots, key);
    if (slot) return;
    slot = key;
    ++m_used;
    if (m_used * 5 < (m_slots.size() - 1) * 3) return;
    std::size_t size = kSmallest;
    while (size <= m_used * 4) size *= 2;
    std::vector<std::optional<int>> larger(size);
    for (const auto& old : m_slots)
      if (old) slotOf(larger, *old) = old;
    m_slots = std::move(larger);
  }
  const std::vector<std::optional<int>>& slots() const { return m_slots; }

 private:
  static constexpr std::size_t kSmallest = 8, kNeighbours = 9;

  // Slot of the key, or the free one where it would go.
  static std::optional<int>& slotOf(std::vector<std::optional<int>>& slots, int key) {
    const std::size_t mask = slots.size() - 1;
    // The hash of an integer is the integer, but that of -1 is -2.
    auto perturb = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(key == -1 ? -2 : key));
    std::size_t at = perturb & mask;
    for (;;) {
      const std::size_t last = at + kNeighbours <= mask ? at + kNeighbours : at;
      for (std::size_t i = at; i <= last; ++i)
        if (!slots[i] || *slots[i] == key) return slots[i];
      perturb >>= 5;
      at = (at * 5 + 1 + perturb) & mask;
    }
  }

  std::vector<std::optional<int>> m_slots = std::vector<std::optional<int>>(kSmallest);
  std::size_t m_used = 0;
};

}  // namespace

std::vector<int> orderedTables(std::span<const int> visited, TableOrder order) {
  std::vector<int> tables;
  if (order == TableOrder::Ascending) {
    const std::set<int> rising(visited.begin(), visited.end());
    for (const int table : rising)
      if (table >= 0) tables.push_back(table);
    return tables;
  }
  PythonSet set;
  for (const int table : visited) set.add(table);
  for (const auto& slot : set.slots())
    if (slot && *slot >= 0) tables.push_back(*slot);
  return tables;
}

}  // namespace fathom
