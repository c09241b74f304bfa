// SPDX-License-Identifier: Apache-2.0
// Batches of task "mlm": of its examples and of free text.
#include <algorithm>

#include "core/tasks/mlm/mlm_task.h"
#include "core/text/special_tokens.h"

namespace fathom {

namespace {

HostArray filled(HostDtype dtype, std::vector<std::int64_t> shape, std::int64_t value) {
  HostArray array(dtype, std::move(shape));
  std::fill(array.values<std::int64_t>().begin(), array.values<std::int64_t>().end(), value);
  return array;
}

// Tokens, segments, lengths and positions of rows; labels too when the examples have them.
HostBatch batchOf(std::span<const MlmExample> rows, std::int64_t firstId, std::int64_t pad, bool labelled) {
  const auto count = static_cast<std::int64_t>(rows.size());
  std::size_t width = 0, masked = 0;
  for (const MlmExample& row : rows) {
    width = std::max(width, row.tokens.size());
    masked += row.positions.size();
  }
  const auto T = static_cast<std::int64_t>(width);
  HostArray tokens = filled(HostDtype::I64, {count, T}, pad), segments(HostDtype::I64, {count, T});
  HostArray lengths(HostDtype::I64, {count}), next(HostDtype::I64, {count});
  HostArray positions(HostDtype::I64, {static_cast<std::int64_t>(masked)});
  HostArray labels(HostDtype::I64, {static_cast<std::int64_t>(masked)});
  HostBatch batch;
  std::size_t at = 0;
  for (std::int64_t r = 0; r < count; ++r) {
    const MlmExample& row = rows[static_cast<std::size_t>(r)];
    std::copy(row.tokens.begin(), row.tokens.end(), tokens.values<std::int64_t>().begin() + r * T);
    for (std::size_t t = static_cast<std::size_t>(row.firstLength); t < row.tokens.size(); ++t)
      segments.values<std::int64_t>()[static_cast<std::size_t>(r * T) + t] = 1;
    lengths.values<std::int64_t>()[static_cast<std::size_t>(r)] =
        static_cast<std::int64_t>(row.tokens.size());
    next.values<std::int64_t>()[static_cast<std::size_t>(r)] = row.randomNext ? 1 : 0;
    for (std::size_t m = 0; m < row.positions.size(); ++m, ++at) {
      positions.values<std::int64_t>()[at] = r * T + row.positions[m];
      if (labelled) labels.values<std::int64_t>()[at] = row.labels[m];
    }
    batch.examples.emplace_back(firstId + r);
  }
  batch.targetUnits = static_cast<std::int64_t>(masked);
  batch.paddedUnits = count * T;
  batch.arrays.emplace("tokens", std::move(tokens));
  batch.arrays.emplace("segments", std::move(segments));
  batch.arrays.emplace("lengths", std::move(lengths));
  batch.arrays.emplace("masked_positions", std::move(positions));
  if (!labelled) return batch;
  batch.arrays.emplace("masked_labels", std::move(labels));
  batch.arrays.emplace("next_labels", std::move(next));
  return batch;
}

}  // namespace

std::pair<std::int64_t, std::int64_t> MlmTask::batchRange(DataSplit split, std::int64_t batch) const {
  if (batch < 0 || batch >= batchCount(split))
    throw Failure(
        internalError("batch " + std::to_string(batch) + " of " + std::to_string(batchCount(split))));
  const std::int64_t begin = batch * m_options.sequences;
  return {begin, std::min(begin + m_options.sequences, exampleCount(split))};
}

HostBatch MlmTask::makeBatch(DataSplit split, std::int64_t batch) const {
  return makeBatchHead(split, batch, m_options.sequences);
}

HostBatch MlmTask::makeBatchHead(DataSplit split, std::int64_t batch, std::int64_t most) const {
  const auto [begin, whole] = batchRange(split, batch);
  const std::int64_t end = std::min(whole, begin + most);
  const auto rows = std::span(examples(split))
                        .subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  return batchOf(rows, begin, m_vocabulary.pad, true);
}

std::int64_t MlmTask::batchTargetUnits(DataSplit split, std::int64_t batch) const {
  const auto [begin, end] = batchRange(split, batch);
  std::int64_t units = 0;
  for (std::int64_t i = begin; i < end; ++i)
    units += static_cast<std::int64_t>(examples(split)[static_cast<std::size_t>(i)].labels.size());
  return units;
}

Result<std::vector<HostBatch>> MlmTask::batchesFromText(std::span<const std::string> lines,
                                                        TextFindings* findings) const {
  TextFindings found{"mlm.max_length", 0, 0, m_vocabulary.maskText, {}};
  std::vector<MlmExample> rows;
  const auto most = static_cast<std::size_t>(m_options.examples.maxLength - 1);
  for (const std::string& line : lines) {
    MlmExample row;
    row.tokens.push_back(static_cast<std::int32_t>(m_vocabulary.cls));
    const bool takesBlank = m_vocabulary.separators == 2;  // RoBERTa's <mask> stands for the blank too
    splitAtSpecialTokens(line, {{m_vocabulary.maskText, m_vocabulary.mask, takesBlank}},
                         [&](const TextPart& part) {
                           if (part.id >= 0) {
                             row.positions.push_back(static_cast<std::int32_t>(row.tokens.size()));
                             row.tokens.push_back(static_cast<std::int32_t>(part.id));
                             return;
                           }
                           for (const std::int64_t id : m_vocabulary.tokenizer->encode(part.text))
                             row.tokens.push_back(static_cast<std::int32_t>(id));
                         });
    if (row.tokens.size() > most) {
      row.tokens.resize(most);
      ++found.cut;
    }
    std::erase_if(row.positions,
                  [&](std::int32_t position) { return position >= static_cast<std::int32_t>(most); });
    if (row.positions.empty()) found.withoutBlank.push_back(static_cast<std::int64_t>(rows.size()));
    row.tokens.push_back(static_cast<std::int32_t>(m_vocabulary.sep));
    row.firstLength = static_cast<std::int32_t>(row.tokens.size());
    rows.push_back(std::move(row));
  }
  if (findings != nullptr) *findings = std::move(found);
  std::vector<HostBatch> batches;
  for (std::size_t begin = 0; begin < rows.size(); begin += static_cast<std::size_t>(m_options.sequences)) {
    const std::size_t count = std::min(rows.size() - begin, static_cast<std::size_t>(m_options.sequences));
    batches.push_back(batchOf(std::span<const MlmExample>(rows).subspan(begin, count),
                              static_cast<std::int64_t>(begin), m_vocabulary.pad, false));
  }
  return batches;
}

}  // namespace fathom
