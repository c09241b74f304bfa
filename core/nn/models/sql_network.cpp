// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/sql_network.h"

#include "core/base/errors/error.h"
#include "core/nn/device_upload.h"

namespace fathom {

namespace {

using Counts = std::vector<std::int64_t>;

// Spans within the rows of examples as spans of all rows.
torch::Tensor shiftedSpans(const torch::Tensor& spans, const Counts& counts, const Counts& first) {
  Counts shift;
  for (std::size_t b = 0; b < counts.size(); ++b)
    shift.insert(shift.end(), static_cast<std::size_t>(counts[b]), first[b]);
  return spans + at::tensor(shift, torch::TensorOptions(torch::kInt64)).unsqueeze(1);
}

Counts itemCounts(const SqlInputs& inputs) {
  Counts items = inputs.columns;
  for (std::size_t b = 0; b < items.size(); ++b) items[b] += inputs.tables[b];
  return items;
}

// Rows of items as the stack has them, columns before tables.
Counts columnsFirst(const SqlInputs& inputs) {
  Counts order;
  std::int64_t first = 0;
  for (std::size_t b = 0; b < inputs.columns.size(); ++b) {
    const std::int64_t tables = inputs.tables[b], columns = inputs.columns[b];
    for (std::int64_t c = 0; c < columns; ++c) order.push_back(first + tables + c);
    for (std::int64_t t = 0; t < tables; ++t) order.push_back(first + t);
    first += tables + columns;
  }
  return order;
}

}  // namespace

SqlNetwork::SqlNetwork(ParameterStore& store, const SqlNetworkSetup& setup, const OptionValues& options)
    : m_setup(setup), m_relations(attentionEntry(setup.layers.attention).relations) {
  const std::int64_t d = setup.layers.setup.width;
  m_setup.decoder.memory = d;
  m_items = std::make_unique<ItemVectors>(store, "item_lstm", setup.inputs, d);
  const std::vector<FeaturePart> parts = {{"question", setup.inputs, setup.questionDropout},
                                          {"schema", d, setup.schemaDropout}};
  m_layers = std::make_unique<ExtraLayers>(store, parts, setup.layers, options);
  m_decoder = std::make_unique<GrammarDecoder>(store, m_setup.decoder);
}

ExtraLayers::RaggedFeatures SqlNetwork::features(const torch::Tensor& states, const Counts& firstPieces,
                                                 const SqlInputs& inputs) const {
  const Counts items = itemCounts(inputs);
  const torch::Tensor words =
      spanMeans(states, shiftedSpans(inputs.wordSpans, inputs.words, firstPieces), m_setup.emptyWords);
  const torch::Tensor schema = (*m_items)(states, shiftedSpans(inputs.itemSpans, items, firstPieces));
  const torch::Tensor ordered = schema.index_select(0, uploaded(columnsFirst(inputs), states.device()));
  return {{words, ordered}, {inputs.words, items}, m_relations ? inputs.relations : torch::Tensor()};
}

ExtraLayers::PackedRows SqlNetwork::projected(const torch::Tensor& states, const Counts& firstPieces,
                                              const SqlInputs& inputs, const StepContext& context) const {
  return m_layers->projectedRows(features(states, firstPieces, inputs), context);
}

SqlEncoding SqlNetwork::encode(const torch::Tensor& states, const Counts& firstPieces,
                               const SqlInputs& inputs, const StepContext& context) const {
  ExtraLayers::PackedRows stream = m_layers->forward(features(states, firstPieces, inputs), context);
  const torch::Tensor tables = inputs.columnTables.contiguous();
  const auto* table = tables.const_data_ptr<std::int64_t>();
  Counts ofColumns, ofTables;
  std::int64_t first = 0;
  for (std::size_t b = 0; b < inputs.words.size(); ++b) {
    const std::int64_t columns = first + inputs.words[b], own = columns + inputs.columns[b];
    for (std::int64_t c = 0; c < inputs.columns[b]; ++c, ++table) {
      if (*table < 0 || *table >= inputs.tables[b])
        throw Failure(internalError("a column of a batch names table " + std::to_string(*table) + " of " +
                                    std::to_string(inputs.tables[b])));
      ofColumns.push_back(columns + c);
      ofTables.push_back(own + *table);
    }
    first = own + inputs.tables[b];
  }
  const torch::Device device = states.device();
  DeviceUpload upload(device);
  const torch::Tensor own = upload.add(at::tensor(ofColumns, torch::kInt64)),
                      theirs = upload.add(at::tensor(ofTables, torch::kInt64));
  upload.send();
  torch::Tensor columns = stream.rows.index_select(0, own) + stream.rows.index_select(0, theirs);
  return {std::move(stream.rows), std::move(stream.packing), std::move(columns), inputs.columns};
}

DecoderMemory SqlNetwork::prepare(const SqlEncoding& encoding) const {
  return m_decoder->prepare(encoding.memory, encoding.packing, encoding.columns, encoding.columnCounts);
}

DecoderLoss SqlNetwork::loss(const SqlEncoding& encoding,
                             const std::vector<std::vector<GrammarAction>>& actions,
                             const StepContext& context) const {
  const DerivationPlan plan = derivationPlan(actions, encoding.columnCounts, encoding.memory.device());
  return m_decoder->loss(prepare(encoding), plan, context);
}

}  // namespace fathom
