// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/nmt/nmt_part.h"

#include <algorithm>

#include "core/tasks/length_statistics.h"
#include "core/tasks/part_phase.h"

namespace fathom {

namespace {

// Ids with the end mark; true when something was cut off.
bool encodeOne(const Tokenizer& tokenizer, std::string_view text, std::int64_t maxLength, bool cut,
               std::vector<std::int32_t>& ids) {
  const auto encoded = tokenizer.encode(text);
  ids.assign(encoded.begin(), encoded.end());
  const auto most = static_cast<std::size_t>(maxLength - 1);
  const bool tooLong = cut && ids.size() > most;
  if (tooLong) ids.resize(most);
  ids.push_back(static_cast<std::int32_t>(tokenizer.special().eos));
  return tooLong;
}

double unknownShare(const TokenColumn& ids, const Tokenizer& tokenizer) {
  std::int64_t unknown = 0, all = 0;
  for (std::int64_t i = 0; i < ids.size(); ++i) {
    unknown += std::count(ids[i].begin(), ids[i].end(), static_cast<std::int32_t>(tokenizer.special().unk));
    all += static_cast<std::int64_t>(ids[i].size());
  }
  return all == 0 ? 0 : static_cast<double>(unknown) / static_cast<double>(all);
}

std::int64_t widest(const TokenColumn& ids, const std::vector<std::int64_t>& pairs) {
  std::size_t width = 0;
  for (const std::int64_t pair : pairs) width = std::max(width, ids[pair].size());
  return static_cast<std::int64_t>(width);
}

// [rows, width] filled with `pad`.
HostArray padded(std::int64_t rows, std::int64_t width, std::int64_t pad) {
  HostArray array(HostDtype::I64, {rows, width});
  std::fill(array.values<std::int64_t>().begin(), array.values<std::int64_t>().end(), pad);
  return array;
}

void addSource(HostBatch& batch, const TokenColumn& ids, const std::vector<std::int64_t>& pairs,
               std::int64_t pad) {
  const auto rows = static_cast<std::int64_t>(pairs.size());
  const std::int64_t width = widest(ids, pairs);
  HostArray tokens = padded(rows, width, pad);
  HostArray lengths(HostDtype::I64, {rows});
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto sentence = ids[pairs[static_cast<std::size_t>(row)]];
    const auto length = static_cast<std::int64_t>(sentence.size());
    std::copy(sentence.begin(), sentence.end(),
              tokens.values<std::int64_t>().begin() + (row + 1) * width - length);
    lengths.values<std::int64_t>()[static_cast<std::size_t>(row)] = length;
  }
  batch.paddedUnits = std::max(batch.paddedUnits, rows * width);
  batch.arrays.emplace("source", std::move(tokens));
  batch.arrays.emplace("source_lengths", std::move(lengths));
}

void addTarget(HostBatch& batch, const TokenColumn& ids, const std::vector<std::int64_t>& pairs,
               const SpecialIds& special) {
  const auto rows = static_cast<std::int64_t>(pairs.size());
  const std::int64_t width = widest(ids, pairs);
  HostArray tokens = padded(rows, width, special.pad), previous = padded(rows, width, special.pad);
  HostArray lengths(HostDtype::I64, {rows});
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto sentence = ids[pairs[static_cast<std::size_t>(row)]];
    std::copy(sentence.begin(), sentence.end(), tokens.values<std::int64_t>().begin() + row * width);
    const auto first = previous.values<std::int64_t>().begin() + row * width;
    *first = special.eos;
    std::copy(sentence.begin(), sentence.end() - 1, first + 1);
    lengths.values<std::int64_t>()[static_cast<std::size_t>(row)] =
        static_cast<std::int64_t>(sentence.size());
    batch.targetUnits += static_cast<std::int64_t>(sentence.size());
  }
  batch.paddedUnits = std::max(batch.paddedUnits, rows * width);
  batch.arrays.emplace("target", std::move(tokens));
  batch.arrays.emplace("prev_target", std::move(previous));
  batch.arrays.emplace("target_lengths", std::move(lengths));
}

}  // namespace

NmtPart partOf(const ParallelText& text, const std::vector<std::int64_t>& pairs) {
  NmtPart part;
  for (const std::int64_t pair : pairs) {
    part.source.add(text.source[pair]);
    part.target.add(text.target[pair]);
    part.lines.push_back(text.lines[static_cast<std::size_t>(pair)]);
  }
  return part;
}

NmtPart partOf(ParallelText&& text) {
  NmtPart part;
  part.source = std::move(text.source);
  part.target = std::move(text.target);
  part.lines = std::move(text.lines);
  return part;
}

Status encodePart(NmtPart& part, const NmtVocabulary& vocabulary, std::int64_t maxLength, bool cut,
                  const std::string& name, const TaskSetup& setup) {
  if (setup.progress != nullptr)
    setup.progress->begin(partPhase(name, Phrase::tr("cutting train pairs into tokens"),
                                    Phrase::tr("cutting validation pairs into tokens"),
                                    Phrase::tr("cutting test pairs into tokens")),
                          Phrase::tr("pairs").english, static_cast<double>(part.size()));
  std::vector<std::int32_t> ids;
  for (std::int64_t i = 0; i < part.size(); ++i) {
    part.cutSource += encodeOne(*vocabulary.source, part.source[i], maxLength, cut, ids) ? 1 : 0;
    part.sourceIds.add(ids);
    part.cutTarget += encodeOne(*vocabulary.target, part.target[i], maxLength, cut, ids) ? 1 : 0;
    part.targetIds.add(ids);
    if ((i & 0x3FF) != 0) continue;
    if (setup.stop.stopRequested()) return interruptedError();
    if (setup.progress != nullptr) setup.progress->report(static_cast<double>(i));
  }
  if (setup.progress != nullptr) setup.progress->finish();
  return {};
}

void batchPart(NmtPart& part, const TokenBatching& batching, std::vector<std::int64_t> permutation) {
  part.plan = planBatches(part.sourceIds.lengths(), part.targetIds.lengths(), permutation, batching);
  for (const auto& batch : part.plan.batches) {
    std::int64_t tokens = 0;
    for (const std::int64_t pair : batch) tokens += static_cast<std::int64_t>(part.targetIds[pair].size());
    part.targetTokens.push_back(tokens);
  }
}

HostBatch makeNmtBatch(const TokenColumn& source, const TokenColumn* target,
                       const std::vector<std::int64_t>& pairs, const SpecialIds& sourceSpecial,
                       const SpecialIds& targetSpecial) {
  HostBatch batch;
  for (const std::int64_t pair : pairs) batch.examples.emplace_back(pair);
  addSource(batch, source, pairs, sourceSpecial.pad);
  if (target != nullptr) addTarget(batch, *target, pairs, targetSpecial);
  return batch;
}

Json partStatistics(const NmtPart& part, const NmtVocabulary& vocabulary) {
  Json dropped = Json::array();
  for (const std::int64_t pair : part.plan.dropped)
    if (dropped.size() < 5) dropped.push_back(part.lines[static_cast<std::size_t>(pair)]);
  std::int64_t padded = 0, tokens = 0;
  for (const auto& batch : part.plan.batches) {
    const std::int64_t width = std::max(widest(part.sourceIds, batch), widest(part.targetIds, batch));
    padded += width * static_cast<std::int64_t>(batch.size());
  }
  for (const std::int64_t count : part.targetTokens) tokens += count;
  const auto batches = static_cast<double>(part.plan.batches.size());
  return {{"pairs", part.size()},
          {"source_lengths", lengthStatisticsJson(lengthStatistics(part.sourceIds.lengths()))},
          {"target_lengths", lengthStatisticsJson(lengthStatistics(part.targetIds.lengths()))},
          {"unknown_source", unknownShare(part.sourceIds, *vocabulary.source)},
          {"unknown_target", unknownShare(part.targetIds, *vocabulary.target)},
          {"dropped_too_long", part.plan.dropped.size()},
          {"dropped_lines", std::move(dropped)},
          {"cut_source", part.cutSource},
          {"cut_target", part.cutTarget},
          {"batches",
           {{"count", part.plan.batches.size()},
            {"target_tokens", tokens},
            {"mean_target_tokens", batches > 0 ? static_cast<double>(tokens) / batches : 0.0},
            {"padded_tokens", padded},
            {"over_limit", part.plan.overLimit.size()}}}};
}

}  // namespace fathom
