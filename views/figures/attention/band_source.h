// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/analysis_entry.h"
#include "core/analysis/attention/attention_maps.h"
#include "core/record/formats/array_file.h"

namespace fathom {

// One attention of one run, and the numbers of its part, which stay in their file.
struct BandSource {
  ProbedResult probed;
  AttentionMatrix matrix;
  LongPlaces places;
  std::string part;
  std::int64_t example = 0;
  std::optional<ArrayPart> array;
  bool ofLong() const { return matrix.band.has_value(); }
  int queries() const { return static_cast<int>(matrix.queries.size()); }
  int keys() const { return static_cast<int>(matrix.keys.size()); }
  int longs() const { return static_cast<int>(places.sentence.size()); }
  int globals() const { return keys() - longs(); }
  std::string selection(int layer, int head) const;
};

// Which queries and, of global queries, which long tokens are shown.
struct BandView {
  int firstQuery = 0, queries = 0, firstLong = 0, longs = 0;
  std::optional<int> followed;  // global token
};

// Options of attention_maps that are those of bands alone.
inline constexpr const char *kBandFrom = "from", *kBandQueries = "queries", *kBandFollow = "follow";

// Bands of every run of `source`, by the options of attention_maps. Usage error for a run of one stream and
// for a part that is not kept, data error for files that do not fit each other.
Result<std::vector<BandSource>> bandSources(AnalysisSource& source, const OptionValues& options);
// View that the options show of it; usage error for a global token that does not exist or stands for nothing.
Result<BandView> bandViewOf(const BandSource& source, const OptionValues& options);
// Usage error for a head that there is not, or whose layer is not kept.
Status checkBandHead(const BandSource& source, int layer, int head);
// All columns of rows of one head.
Result<std::vector<float>> bandRows(const BandSource& source, int layer, int head, int query, int count);
// The long tokens that belong to a global one, first and count; count 0 where none does.
std::pair<int, int> tokensOfGlobal(const LongPlaces& places, int global);

}  // namespace fathom
