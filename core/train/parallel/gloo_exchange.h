// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/train/parallel/gradient_exchange.h"
#include "core/train/parallel/parallel_settings.h"
#include "core/train/parallel/ranks.h"

namespace fathom {

// Knowledge of the one who started the ranks.
struct StarterWatch {
  // Rank 0 serves the place where they meet: `port` is open. Called once, before the others are waited for.
  std::function<void(int port)> serving = [](int) {};
  // Words about a rank that is known to have ended, or nothing. Called now and then while something is waited
  // for, on the thread that waits.
  std::function<std::optional<std::string>()> ended = [] { return std::optional<std::string>(); };
};

// Joins the ranks by c10d's Gloo, as LibTorch has it: TCP, tensors of the processor. `ranks.port` 0: rank 0
// takes a free one. Throws Failure (bad address, port, interface) or RankLost once settings.timeout is over.
std::unique_ptr<GradientExchange> joinByGloo(const Ranks& ranks, const ParallelSettings& settings,
                                             const StarterWatch& watch);
// Whether this build has it: it needs Gloo's headers.
bool hasGloo();

}  // namespace fathom
