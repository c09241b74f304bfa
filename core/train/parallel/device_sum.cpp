// SPDX-License-Identifier: Apache-2.0
#include "core/train/parallel/device_sum.h"

#include <ATen/Functions.h>

#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <utility>

#include "core/base/threads/error_boundary.h"
#include "core/base/threads/thread_start.h"
#include "core/train/parallel/store_thread.h"

namespace fathom {

DeviceSum::DeviceSum(const NcclTable& table, const NcclPlace& place, bool ordered)
    : m_table(table), m_size(place.size), m_ordered(ordered), m_group(table.join(&place)) {
  if (m_group == nullptr) throw std::runtime_error(m_table.failure());
}

// On a thread of its own: where a card or a network hangs NCCL does not come back from giving up, either. The
// tensors are then NCCL's.
DeviceSum::~DeviceSum() {
  constexpr std::chrono::seconds kPatience{5};
  struct Ending {
    std::vector<Begun> begun;
    std::promise<void> ended;
  };
  const auto ending = std::make_shared<Ending>();
  const bool broken = m_broken || !m_begun.empty();
  ending->begun = std::move(m_begun);
  std::future<void> ended = ending->ended.get_future();
  const auto leave = [ending, broken, group = m_group, end = m_table.leave] {
    static_cast<void>(errorThrownBy([&] { end(group, broken ? 1 : 0); }));
    ending->ended.set_value();
  };
  std::thread leaver;
  if (errorThrownBy([&] { leaver = startThread(leave); })) return;  // the process is about to end
  if (ended.wait_for(kPatience) == std::future_status::ready)
    leaver.join();
  else
    abandonThread(std::move(leaver));
}

void DeviceSum::check(int outcome) const {
  if (outcome != 0) throw std::runtime_error(m_table.failure());
}

void DeviceSum::add(const torch::Tensor& flat) {
  const at::NoGradGuard noGrad;
  m_begun.push_back({flat, m_ordered ? at::empty({m_size * flat.numel()}, flat.options()) : torch::Tensor()});
  const Begun& one = m_begun.back();
  check(m_ordered ? m_table.collect(m_group, &one.flat, &one.all) : m_table.add(m_group, &one.flat));
}

bool DeviceSum::done() {
  const int outcome = m_table.done(m_group);
  if (outcome < 0) throw std::runtime_error(m_table.failure());
  return outcome > 0;
}

void DeviceSum::take() {
  const at::NoGradGuard noGrad;
  check(m_table.follow(m_group));
  for (Begun& one : m_begun) {
    if (!one.all.defined()) continue;
    const std::int64_t count = one.flat.numel();
    one.flat.copy_(one.all.narrow(0, 0, count));
    for (int rank = 1; rank < m_size; ++rank) one.flat.add_(one.all.narrow(0, rank * count, count));
  }
  m_begun.clear();
}

}  // namespace fathom
