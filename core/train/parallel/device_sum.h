// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <vector>

#include "core/train/parallel/nccl_plugin.h"

namespace fathom {

// Gradients that lie on cards on their way to their sum over all ranks. Calls that fail throw
// std::runtime_error with NCCL's words. One thread at a time.
class DeviceSum {
 public:
  // Waits for all ranks. `table` lives on; `ordered`: they are added in the order of the ranks.
  DeviceSum(const NcclTable& table, const NcclPlace& place, bool ordered);
  // Gives up what was begun and not taken; waits a few seconds for NCCL, which is then left alone.
  ~DeviceSum();
  DeviceSum(const DeviceSum&) = delete;
  DeviceSum& operator=(const DeviceSum&) = delete;

  // Begins to add `flat` [n] in place, behind what this thread has asked of the card.
  void add(const torch::Tensor& flat);
  // True once all that was begun is done; never waits.
  bool done();
  // The sums are in their tensors for what this thread asks of the card from now on. All must be done.
  void take();
  // The others are gone: nobody is waited for any more.
  void breakOff() { m_broken = true; }

 private:
  struct Begun {
    torch::Tensor flat;
    torch::Tensor all;  // [size * n] of every rank, where they are added in order
  };
  void check(int outcome) const;

  const NcclTable& m_table;
  int m_size;
  bool m_ordered, m_broken = false;
  void* m_group;
  std::vector<Begun> m_begun;
};

}  // namespace fathom
