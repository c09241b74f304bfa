// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/analysis_entry.h"
#include "core/base/errors/phrase.h"
#include "core/base/json/json.h"

namespace fathom {

// Predictions of what more ranks (docs/parallel.md) bring an update: a formula on three numbers, no
// measurement of a run.

// The network between ranks, as the ring of an all-reduce meets it.
struct RankLink {
  double latency = 0;    // seconds of one message
  double bandwidth = 0;  // bytes a second
};

// The time of an all-reduce of `bytes` by a ring: 2 (N − 1)/N · bytes/bandwidth + 2 (N − 1) · latency.
double allReduceSeconds(const RankLink& link, double bytes, std::int64_t ranks);
// The link on which all-reduces over `ranks` (2 at least) of few and of `bytes` bytes take so long.
RankLink linkOf(std::int64_t ranks, double secondsOfFew, double bytes, double seconds);

// An update as one process does it.
struct RankWork {
  double seconds = 0;        // the whole of it
  std::int64_t batches = 1;  // training.accumulation
  double gradientBytes = 0;
  double hidden = 0;  // seconds of an all-reduce that pass behind the backward pass
  double step = 0;    // seconds of clipping and the optimiser, which every rank takes whole
};

inline constexpr double kGoodEfficiency = 0.8;
inline constexpr std::int64_t kMostPredictedRanks = 512;

struct RankPrediction {
  std::int64_t ranks = 1;
  double seconds = 0;        // an update
  double efficiency = 1;     // time of one process ÷ (ranks · seconds)
  std::int64_t batches = 1;  // the fewest of an update, a multiple of the ranks, with a good efficiency
};
RankPrediction predictedRanks(const RankWork& work, const RankLink& link, std::int64_t ranks);
// For 1, 2, 4, … 512 ranks.
std::vector<RankPrediction> predictedCurve(const RankWork& work, const RankLink& link);
// The fewest ranks, up to 512, whose efficiency is not good; nothing where it always is.
std::optional<RankPrediction> firstBelowGood(const RankWork& work, const RankLink& link);

// A link with the name that people know it by.
struct NamedLink {
  Phrase name;
  RankLink link;
  bool measured = false;  // else a speed on paper
};
// 10 and 100 Gbit/s, of which nine tenths arrive, 30 µs a message.
std::vector<NamedLink> usualLinks();

// The member "ranks" of a dry run (docs/dry_run.md §5); `asked`: their number as the options have it.
Json rankOutlookToJson(const RankWork& work, std::int64_t asked, const std::vector<NamedLink>& links);
// A few words for the first link, and what they hide for all of them; empty where the report has no such
// member, or one process is asked for.
struct RankWords {
  Phrase summary, details;
};
RankWords rankWords(const Json& report);

// Median of the seconds between two updates of a curve; 0: it has none.
double secondsAnUpdate(const RunCurve& curve);

}  // namespace fathom
