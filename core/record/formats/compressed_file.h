// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/errors/result.h"

namespace fathom {

// A stream of bytes out of a file that may be packed: what it is is told by its first bytes (gzip, zstd), not
// by its name. Constant memory.
class PackedReader {
 public:
  static Result<std::unique_ptr<PackedReader>> open(const std::string& path);
  virtual ~PackedReader() = default;
  // Up to `count` bytes; 0 only at the end. Data error for a damaged or cut stream.
  virtual Result<std::size_t> read(char* into, std::size_t count) = 0;
  // Bytes of the packed file used so far.
  std::uint64_t packedBytes() const { return m_packed; }

 protected:
  std::uint64_t m_packed = 0;
};

// The other way; the packing follows the ending of the name: .zst, .gz, .tgz, anything else is not packed.
// The file appears under its name only at finish() (written, flushed, renamed); without it nothing stays.
class PackedWriter {
 public:
  static Result<std::unique_ptr<PackedWriter>> create(const std::string& path);
  virtual ~PackedWriter() = default;
  virtual Status write(std::string_view bytes) = 0;
  virtual Status finish() = 0;
};

}  // namespace fathom
