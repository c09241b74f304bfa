// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/record/formats/compressed_file.h"

namespace fathom {

// TFRecord framing (TensorFlow, core/lib/io/record_writer): u64 length, masked CRC-32C of it, bytes, masked
// CRC-32C of them; little-endian. A torn last record is the end; a record whose bytes are wrong is skipped
// and counted; behind a damaged length nothing can be found, so reading stops there and says so.
class TfrecordReader {
 public:
  static Result<std::unique_ptr<TfrecordReader>> open(const std::string& path);
  // Over bytes in memory, for tests.
  static std::unique_ptr<TfrecordReader> over(std::string bytes);
  // The next record; false at the end.
  Result<bool> next(std::string& record);
  std::int64_t badRecords() const { return m_bad; }
  bool lengthDamaged() const { return m_lengthDamaged; }

 private:
  TfrecordReader() = default;
  Result<std::size_t> fill(char* into, std::size_t count);
  std::unique_ptr<PackedReader> m_in;  // or m_memory
  std::string m_memory;
  std::size_t m_at = 0;
  std::int64_t m_bad = 0;
  bool m_lengthDamaged = false;
};

std::uint32_t maskedCrc32c(std::string_view bytes);

// A scalar of one TensorBoard event.
struct TensorboardScalar {
  std::string_view tag;  // into the record
  double value = 0;
};
struct TensorboardEvent {
  double wallTime = 0;
  std::int64_t step = 0;
  std::vector<TensorboardScalar> scalars;  // simple_value and one-element float tensors
  std::vector<std::string_view> hparams;   // what the hparams plugin wrote, see tensorboard_hparams.h
  int otherValues = 0;                     // histograms, images, larger tensors
};
// The few fields of tensorflow.Event that matter, read straight from protobuf's wire format; everything else
// is skipped by its wire type. False when the bytes are not such a message.
bool parseTensorboardEvent(std::string_view record, TensorboardEvent& event);

}  // namespace fathom
