// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/tasks/host_batch.h"
#include "core/tasks/nmt/nmt_options.h"
#include "core/tasks/nmt/nmt_vocabulary.h"
#include "core/tasks/nmt/parallel_reader.h"
#include "core/tasks/nmt/token_batching.h"
#include "core/tasks/token_column.h"

namespace fathom {

// One side of the split, ready to be batched. Pairs are numbered from 0; that number is the example id.
struct NmtPart {
  TextColumn source, target;
  std::vector<std::int64_t> lines;   // line in the file
  TokenColumn sourceIds, targetIds;  // with the end mark
  BatchPlan plan;
  std::vector<std::int64_t> targetTokens;     // [batches]
  std::int64_t cutSource = 0, cutTarget = 0;  // pairs cut to the longest allowed length (validation, test)

  std::int64_t size() const { return source.size(); }
};

// The pairs of `text` with the given indices.
NmtPart partOf(const ParallelText& text, const std::vector<std::int64_t>& pairs);
NmtPart partOf(ParallelText&& text);

// Fills the ids. `cut`: longer sentences are cut to `maxLength` tokens (and counted) instead of being kept
// whole.
Status encodePart(NmtPart& part, const NmtVocabulary& vocabulary, std::int64_t maxLength, bool cut,
                  const std::string& name, const TaskSetup& setup);
// Fills plan and targetTokens.
void batchPart(NmtPart& part, const TokenBatching& batching, std::vector<std::int64_t> permutation);

// The arrays of task nmt, see nmt_task.h. An empty `target` makes an input-only batch.
HostBatch makeNmtBatch(const TokenColumn& source, const TokenColumn* target,
                       const std::vector<std::int64_t>& pairs, const SpecialIds& sourceSpecial,
                       const SpecialIds& targetSpecial);

// {"pairs", "source_lengths", "target_lengths", "unknown_source", "unknown_target", "dropped_too_long",
//  "dropped_lines", "cut_source", "cut_target", "batches": {...}}
Json partStatistics(const NmtPart& part, const NmtVocabulary& vocabulary);

}  // namespace fathom
