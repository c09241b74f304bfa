// SPDX-License-Identifier: Apache-2.0
#include "core/objectives/sql_batch_inputs.h"

#include <sstream>
#include <string>

#include "core/base/errors/error.h"

namespace fathom {

namespace {

const DeviceBatch::Ragged& raggedOf(const DeviceBatch& batch, const char* name) {
  const auto found = batch.raggeds.find(name);
  if (found == batch.raggeds.end())
    throw Failure(internalError("batch without ragged array '" + std::string(name) + "'"));
  return found->second;
}

std::vector<std::int64_t> rowCounts(const DeviceBatch::Ragged& ragged) {
  const torch::Tensor offsets = ragged.offsets.contiguous();
  const auto* at = offsets.const_data_ptr<std::int64_t>();
  std::vector<std::int64_t> counts;
  for (std::int64_t b = 0; b + 1 < offsets.numel(); ++b) counts.push_back(at[b + 1] - at[b]);
  return counts;
}

}  // namespace

SqlInputs inputsOf(const DeviceBatch& batch) {
  const auto onHost = [&](const char* name) { return raggedOf(batch, name).values.contiguous(); };
  SqlInputs inputs;
  inputs.words = rowCounts(raggedOf(batch, "word_spans"));
  inputs.columns = rowCounts(raggedOf(batch, "column_table"));
  inputs.tables = rowCounts(raggedOf(batch, "item_spans"));
  for (std::size_t b = 0; b < inputs.tables.size(); ++b) inputs.tables[b] -= inputs.columns[b];
  inputs.wordSpans = onHost("word_spans");
  inputs.itemSpans = onHost("item_spans");
  inputs.columnTables = onHost("column_table");
  if (batch.raggeds.contains("relations")) inputs.relations = onHost("relations");
  return inputs;
}

std::vector<std::vector<GrammarAction>> goldOf(const DeviceBatch& batch) {
  const DeviceBatch::Ragged& ragged = raggedOf(batch, "actions");
  const torch::Tensor values = ragged.values.to(torch::kInt64).contiguous();
  const auto* next = values.const_data_ptr<std::int64_t>();
  std::vector<std::vector<GrammarAction>> gold;
  for (const std::int64_t count : rowCounts(ragged)) {
    gold.emplace_back(next, next + count);
    next += count;
  }
  return gold;
}

std::vector<std::vector<std::string>> questionsOf(const DeviceBatch& batch) {
  std::vector<std::vector<std::string>> questions(static_cast<std::size_t>(batch.rows()));
  if (!batch.raggeds.contains("question")) return questions;
  const DeviceBatch::Ragged& ragged = raggedOf(batch, "question");
  const torch::Tensor bytes = ragged.values.contiguous();
  const char* next = reinterpret_cast<const char*>(bytes.const_data_ptr<std::uint8_t>());
  std::size_t row = 0;
  for (const std::int64_t count : rowCounts(ragged)) {
    std::istringstream lines(std::string(next, static_cast<std::size_t>(count)));
    for (std::string token; std::getline(lines, token);) questions[row].push_back(token);
    next += count;
    ++row;
  }
  return questions;
}

}  // namespace fathom
