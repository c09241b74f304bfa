// SPDX-License-Identifier: Apache-2.0
#include "core/train/parallel/process_meeting.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <thread>

#include "core/train/parallel/gloo_exchange.h"

namespace fathom {

namespace {

constexpr const char* kThreadsVariable = "OMP_NUM_THREADS";

// Without a wish each rank takes its share of the cores.
void shareCores(int ranks) {
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  ::setenv(kThreadsVariable, std::to_string(std::max(1u, cores / static_cast<unsigned>(ranks))).c_str(), 0);
}

}  // namespace

ProcessMeeting::ProcessMeeting(Ranks ranks) : m_ranks(std::move(ranks)) {
  if (m_ranks.starter == Ranks::Starter::Ourselves) endWithStarter();
}

Ranks ProcessMeeting::planned(const ParallelSettings& settings) const {
  if (!m_ranks.alone() || settings.ranks == 1) return m_ranks;
  Ranks ours;
  ours.starter = Ranks::Starter::Ourselves;
  ours.size = ours.localSize = static_cast<int>(settings.ranks);
  ours.address = "127.0.0.1";
  return ours;
}

std::unique_ptr<GradientExchange> ProcessMeeting::meet(const ParallelSettings& settings,
                                                       const std::string& folder) {
  if (!m_ranks.alone()) return joinByGloo(m_ranks, settings, {});
  const Ranks ours = planned(settings);
  shareCores(ours.size);
  StarterWatch watch;
  watch.serving = [this, size = ours.size, folder](int port) { m_started.start(size, port, folder).value(); };
  watch.ended = [this] { return m_started.ended(); };
  return joinByGloo(ours, settings, watch);
}

}  // namespace fathom
