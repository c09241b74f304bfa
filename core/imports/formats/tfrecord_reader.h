// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/files/input_file.h"
#include "core/base/lines/compressed_file.h"

namespace fathom {

// TFRecord framing (TensorFlow, core/lib/io/record_writer): u64 length, masked CRC-32C of it, bytes, masked
// CRC-32C of them; little-endian. A torn last record is the end; a record whose bytes are wrong is skipped
// and counted; behind a damaged length nothing can be found, so reading stops there and says so.
class TfrecordReader {
 public:
  // `from`: where a reader of the same file left off; a packed file is read from its beginning alone.
  // `sum` is that of what stands before.
  static Result<std::unique_ptr<TfrecordReader>> open(const std::string& path, std::uint64_t from = 0,
                                                      std::uint32_t sum = 0);
  // Over bytes in memory, for tests.
  static std::unique_ptr<TfrecordReader> over(std::string bytes);
  // The next record; false at the end.
  Result<bool> next(std::string& record);
  bool packed() const { return m_in != nullptr; }
  std::int64_t badRecords() const { return m_bad; }
  bool lengthDamaged() const { return m_lengthDamaged; }
  // Behind the last whole record, and bytes of a torn one that stand there.
  std::uint64_t position() const { return m_position; }
  // CRC-32C of all bytes before that.
  std::uint32_t sum() const { return m_sum; }
  std::uint64_t tornBytes() const { return m_torn; }

 private:
  TfrecordReader() = default;
  Result<std::size_t> fill(char* into, std::size_t count);
  std::unique_ptr<PackedReader> m_in;  // or m_file, or m_memory
  std::optional<RegularFile> m_file;
  std::string m_memory;  // of a file a part of it
  std::size_t m_at = 0;
  std::uint64_t m_offset = 0, m_position = 0, m_torn = 0;
  std::uint32_t m_sum = 0;
  std::int64_t m_bad = 0;
  bool m_lengthDamaged = false;
};

std::uint32_t maskedCrc32c(std::string_view bytes);

// One value of a summary. Views point into the record.
struct TensorboardValue {
  std::string_view tag, plugin, content;  // metadata stands with the first value of a tag alone
  std::string_view kind;                  // "scalar", "tensor", "histogram", "image", "audio", ""
  std::string_view bytes;                 // of a histogram
  bool one = false;                       // a tensor of exactly one number, or a scalar
  double number = 0;
  std::vector<std::string_view> strings;  // of a tensor of texts
  std::vector<double> numbers;            // of a small tensor of more numbers
};
struct TensorboardEvent {
  double wallTime = 0;
  std::int64_t step = 0;
  bool sessionStart = false;  // the run is started again: what has this step or a later one gives way
  std::vector<TensorboardValue> values;
};
// The few fields of tensorflow.Event that matter, read straight from protobuf's wire format; everything else
// is skipped by its wire type. False when the bytes are not such a message.
bool parseTensorboardEvent(std::string_view record, TensorboardEvent& event);

}  // namespace fathom
