// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/errors/result.h"
#include "core/train/parallel/gradient_exchange.h"
#include "core/train/parallel/ranks.h"

namespace fathom {

// The device of one rank where option "device" is `wanted` and the machine shows `cards` of them. On cards
// each rank of a machine has its own, in the order of the ranks, from the one that was wanted on. The error
// names both numbers. Whatever names no card is given back as it is.
Result<std::string> deviceOfRank(const std::string& wanted, const Ranks& ranks, int cards);

// A card for itself alone: `card` tells it from all others of its machine, "" is the processor. Throws
// Failure on all ranks alike where two have the same one, or some compute on the processor. Waits for all
// ranks.
void compareCards(GradientExchange& exchange, const std::string& card);

// Several ranks on `device` have no NCCL, because of `reason`.
Error withoutNccl(const std::string& device, const std::string& reason);

}  // namespace fathom
