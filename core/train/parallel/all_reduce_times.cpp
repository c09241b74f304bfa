// SPDX-License-Identifier: Apache-2.0
#include "core/train/parallel/all_reduce_times.h"

#include <ATen/Functions.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "core/base/threads/error_boundary.h"
#include "core/base/threads/thread_start.h"
#include "core/train/parallel/gloo_exchange.h"

namespace fathom {

namespace {

constexpr std::int64_t kFew = 4, kMany = 1 << 21;  // numbers
constexpr int kOfFew = 50, kOfMany = 9;            // all-reduces

// Between the first call and the end of the last one of all ranks.
double medianSeconds(GradientExchange& exchange, std::int64_t numbers, int times) {
  const torch::Tensor flat = at::zeros({numbers}, at::kFloat);
  std::vector<double> each;
  for (int i = 0; i <= times; ++i) {  // the first one opens what is opened once
    exchange.gather({0.0});
    const auto began = std::chrono::steady_clock::now();
    exchange.launch(flat);
    exchange.finish();
    if (i > 0)
      each.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  }
  std::nth_element(each.begin(), each.begin() + times / 2, each.end());
  return each[static_cast<std::size_t>(times / 2)];
}

std::unique_ptr<GradientExchange> joinHere(int rank, int port, const StarterWatch& watch) {
  Ranks ranks;
  ranks.starter = Ranks::Starter::Ourselves;
  ranks.rank = ranks.localRank = rank;
  ranks.size = ranks.localSize = 2;
  ranks.address = "127.0.0.1";
  ranks.port = port;
  ParallelSettings settings;
  settings.interface = "lo";
  settings.timeout = 10;
  return joinByGloo(ranks, settings, watch);
}

}  // namespace

AllReduceTimes timeAllReduce(GradientExchange& exchange) {
  AllReduceTimes times;
  times.ranks = exchange.size();
  times.bytes = static_cast<double>(kMany) * sizeof(float);
  times.ofFew = medianSeconds(exchange, kFew, kOfFew);
  times.ofMany = medianSeconds(exchange, kMany, kOfMany);
  return times;
}

Result<AllReduceTimes> timeAllReduceHere() {
  std::thread second;
  StarterWatch watch;
  watch.serving = [&](int port) {
    second = startThread([port] {
      // Its end is noticed by the first.
      (void)errorThrownBy([port] {
        const auto exchange = joinHere(1, port, {});
        timeAllReduce(*exchange);
      });
    });
  };
  AllReduceTimes times;
  const auto error = errorThrownBy([&] {
    const auto exchange = joinHere(0, 0, watch);
    times = timeAllReduce(*exchange);
  });
  if (second.joinable()) second.join();
  if (error) return *error;
  return times;
}

}  // namespace fathom
