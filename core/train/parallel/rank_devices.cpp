// SPDX-License-Identifier: Apache-2.0
#include "core/train/parallel/rank_devices.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <vector>

#include "core/base/errors/error_key.h"

namespace fathom {

namespace {

constexpr const char* kDeviceKey = "device";

// Index of the first card that was wanted; nothing where it is no card.
std::optional<int> firstCard(const std::string& wanted, int cards) {
  if (wanted == "auto" && cards > 0) return 0;
  if (wanted == "cuda") return 0;
  constexpr std::string_view kCard = "cuda:";
  if (!wanted.starts_with(kCard)) return std::nullopt;
  int index = -1;
  const char* const end = wanted.data() + wanted.size();
  const auto [at, code] = std::from_chars(wanted.data() + kCard.size(), end, index);
  return code == std::errc() && at == end && index >= 0 ? std::optional(index) : std::nullopt;
}

// Slurm can show each task its own card alone.
bool hasOwnCard(const Ranks& ranks, int first, int cards) {
  return ranks.starter == Ranks::Starter::Slurm && first == 0 && cards == 1;
}

}  // namespace

Result<std::string> deviceOfRank(const std::string& wanted, const Ranks& ranks, int cards) {
  const std::optional<int> first = firstCard(wanted, cards);
  if (ranks.alone() || cards == 0 || !first) return wanted;
  if (hasOwnCard(ranks, *first, cards)) return std::string("cuda:0");
  if (*first <= cards - ranks.localSize) return "cuda:" + std::to_string(*first + ranks.localRank);
  const int there = std::max(0, cards - *first);
  return aboutKey(
      kDeviceKey,
      usageError(Phrase::tr("option 'device': %1 ranks of this machine need a CUDA device each, from cuda:%2 "
                            "on; there are %3")(ranks.localSize, *first, there),
                 Phrase::tr("take parallel.ranks=%1 at the most, or device=cpu")(std::max(1, there))));
}

void compareCards(GradientExchange& exchange, const std::string& card) {
  const std::vector<std::string> all = exchange.collect(card);
  exchange.gather({0.0});  // everybody has read before rank 0, at whose place they meet, may leave
  std::map<std::string, int> owners;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int rank = static_cast<int>(i);
    if (all[i].empty() != all.front().empty())
      throw Failure(aboutKey(
          kDeviceKey,
          usageError((all[i].empty()
                          ? Phrase::tr("option 'device': %1 computes on the processor, rank 0 on a card")
                          : Phrase::tr("option 'device': %1 computes on a card, rank 0 on the processor"))(
                         exchange.nameOf(rank)),
                     Phrase::tr("use device=cpu, or machines that all have cards"))));
    if (all[i].empty()) continue;
    const auto [owner, own] = owners.emplace(all[i], rank);
    if (!own)
      throw Failure(
          aboutKey(kDeviceKey, usageError(Phrase::tr("option 'device': %1 and %2 have the same card, %3")(
                                              exchange.nameOf(owner->second), exchange.nameOf(rank), all[i]),
                                          Phrase::tr("each rank needs a card of its own"))));
  }
}

Error withoutNccl(const std::string& device, const std::string& reason) {
  return aboutKey(kDeviceKey,
                  unavailableError(Phrase::tr("option 'device': ranks on %1 add their gradients by NCCL, "
                                              "which cannot be used: %2")(device, reason),
                                   Phrase::tr("use device=cpu, or one rank")));
}

}  // namespace fathom
