// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/nn/models/encoder_model.h"
#include "core/objectives/objective.h"

namespace fathom {

// States of a frozen encoder, computed once for every row of pieces and kept in 16 bits under the content of
// the row: whoever reads the same row under the same weights gets the same states, in whichever run, part or
// epoch (docs/text_to_sql.md §8). One thread.
class EncoderFeatures {
 public:
  // The encoder's states of rows, [B * T, width], without a graph.
  using Encode = std::function<torch::Tensor(const TextBatch& rows)>;

  // Features of all rows of the task (of request.only, where it names batches): reads them in `cachePath`,
  // else computes them if request.make allows, and stores them for the next run. `encoder` names weights and
  // form of the encoder (frozenEncoderHash). A disk that is full is told through request.say. Throws Failure.
  void prepare(const Task& task, const std::string& encoder, const Encode& encode,
               const PrepareRequest& request, const torch::TensorOptions& tensors);

  // Takes over what `other` has prepared under the same name of the encoder. False, taking nothing, where it
  // has prepared nothing or under another one.
  bool takeFrom(const EncoderFeatures& other, const std::string& encoder);

  // States as they come, rounded like those that are kept.
  static torch::Tensor computed(const TextBatch& rows, const Encode& encode,
                                const torch::TensorOptions& tensors);
  // States of the rows of a batch, [B * T, width] as `tensors` says: those that are kept, the others
  // computed. All are rounded to 16 bits, so that it does not matter which; what padding holds does not
  // count.
  torch::Tensor states(const TextBatch& rows, const Encode& encode,
                       const torch::TensorOptions& tensors) const;

  std::int64_t bytes() const { return m_states.defined() ? static_cast<std::int64_t>(m_states.nbytes()) : 0; }
  std::int64_t rows() const { return static_cast<std::int64_t>(m_places.size()); }

 private:
  using Key = std::array<std::int64_t, 2>;
  struct Place {
    std::int64_t first = 0, count = 0;
  };
  struct Row {
    DataSplit split = DataSplit::Train;
    Key key{};
    std::int64_t length = 0;
    std::vector<std::int64_t> tokens, segments;  // without padding; segments may be empty
  };
  static std::vector<Row> rowsOf(const TextBatch& batch);
  static std::vector<Row> rowsOf(const Task& task, const StopToken& stop);
  static std::vector<Row> rowsOf(std::span<const HostBatch* const> batches);
  static TextBatch textOf(std::span<const Row> rows, const torch::Device& device);
  bool read(const std::string& file, const std::vector<Row>& rows);
  void compute(std::vector<Row> rows, const Encode& encode, const PrepareRequest& request,
               const torch::Device& device);
  Status write(const std::string& file) const;

  std::string m_encoder;  // whose states are kept
  std::map<Key, Place> m_places;
  torch::Tensor m_states;  // [pieces, width] half, on the CPU
};

// Rows of pieces of a batch with "tokens", "segments" [B, T] and "lengths" [B].
TextBatch pieceRows(const DeviceBatch& batch);
// Numbers of such a batch that decide how it is computed: whether a row has padding, and whether one has
// nothing else.
PassFacts paddingFacts(const DeviceBatch& batch);

// SHA-256 of everything that decides the states: parameters that do not learn, and the encoder's options.
std::string frozenEncoderHash(const Model& model, const OptionValues& options);

}  // namespace fathom
