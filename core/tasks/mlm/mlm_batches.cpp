// SPDX-License-Identifier: Apache-2.0
// Batches of task "mlm": of its examples and of free text.
#include <algorithm>

#include "core/tasks/example_lists.h"
#include "core/tasks/mlm/mlm_task.h"
#include "core/text/special_tokens.h"

namespace fathom {

namespace {

HostArray filled(HostDtype dtype, std::vector<std::int64_t> shape, std::int64_t value) {
  HostArray array(dtype, std::move(shape));
  std::fill(array.values<std::int64_t>().begin(), array.values<std::int64_t>().end(), value);
  return array;
}

// Tokens, segments, lengths and positions of some of `rows`; labels too when the examples have them.
HostBatch batchOf(const std::vector<MlmExample>& rows, std::span<const ExampleId> chosen, std::int64_t pad,
                  bool labelled) {
  const auto count = static_cast<std::int64_t>(chosen.size());
  const auto rowAt = [&](std::int64_t r) -> const MlmExample& {
    return rows[static_cast<std::size_t>(chosen[static_cast<std::size_t>(r)].value)];
  };
  std::size_t width = 0, masked = 0;
  for (std::int64_t r = 0; r < count; ++r) {
    width = std::max(width, rowAt(r).tokens.size());
    masked += rowAt(r).positions.size();
  }
  const auto T = static_cast<std::int64_t>(width);
  HostArray tokens = filled(HostDtype::I64, {count, T}, pad), segments(HostDtype::I64, {count, T});
  HostArray lengths(HostDtype::I64, {count}), next(HostDtype::I64, {count});
  HostArray positions(HostDtype::I64, {static_cast<std::int64_t>(masked)});
  HostArray labels(HostDtype::I64, {static_cast<std::int64_t>(masked)});
  HostBatch batch;
  std::size_t at = 0;
  for (std::int64_t r = 0; r < count; ++r) {
    const MlmExample& row = rowAt(r);
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
    batch.examples.push_back(chosen[static_cast<std::size_t>(r)]);
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

// The examples [begin, end).
std::vector<ExampleId> examplesBetween(std::int64_t begin, std::int64_t end) {
  std::vector<ExampleId> examples;
  for (std::int64_t i = begin; i < end; ++i) examples.emplace_back(i);
  return examples;
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
  const auto [begin, end] = batchRange(split, batch);
  return makeBatchOf(split, examplesBetween(begin, end));
}

std::vector<ExampleId> MlmTask::batchedExamples(DataSplit split) const {
  return examplesBetween(0, exampleCount(split));
}

std::vector<std::vector<ExampleId>> MlmTask::planExamples(DataSplit,
                                                          const std::vector<ExampleId>& chosen) const {
  return batchesOf(chosen, m_options.sequences);
}

HostBatch MlmTask::makeBatchOf(DataSplit split, std::span<const ExampleId> chosen) const {
  for (const ExampleId example : chosen)
    if (example.value < 0 || example.value >= exampleCount(split))
      throw Failure(internalError("example " + std::to_string(example.value) + " of " +
                                  std::to_string(exampleCount(split))));
  return batchOf(examples(split), chosen, m_vocabulary.pad, true);
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
  const auto all = static_cast<std::int64_t>(rows.size());
  for (std::int64_t begin = 0; begin < all; begin += m_options.sequences)
    batches.push_back(batchOf(rows, examplesBetween(begin, std::min(begin + m_options.sequences, all)),
                              m_vocabulary.pad, false));
  return batches;
}

}  // namespace fathom
