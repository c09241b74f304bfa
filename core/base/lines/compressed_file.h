// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/errors/result.h"

namespace fathom {

// Damage of a packed stream, for readers that say it in words of their own.
struct PackedFault {
  enum class Kind {
    EndsEarly,
    NotPacked,  // what stands behind the packed data is something else
    Damaged,
  };
  Kind kind = Kind::Damaged;
  // Of the packed file, from 1: where something else begins, or what is cut off (gzip).
  std::uint64_t byte = 0;
  std::string words;  // the library's own, if it has any
  int code = 0;       // the library's
};

class PackedInput;

// A stream of bytes out of a file that may be packed: what it is is told by its first bytes (gzip, zstd), not
// by its name. Constant memory.
class PackedReader {
 public:
  static Result<std::unique_ptr<PackedReader>> open(const std::string& path);
  // The rest of standard input, `name` in errors: read as it comes.
  static Result<std::unique_ptr<PackedReader>> standardInput(const std::string& name);
  // Bytes that are in memory and stay there, of the file `path`.
  static Result<std::unique_ptr<PackedReader>> over(std::string_view bytes, const std::string& path);
  virtual ~PackedReader();
  // Up to `count` bytes; 0 only at the end. Data error for a damaged or cut stream.
  virtual Result<std::size_t> read(char* into, std::size_t count) = 0;
  // Damage that read() gave an error of.
  const std::optional<PackedFault>& fault() const { return m_fault; }
  // Bytes of the packed file used so far.
  std::uint64_t packedBytes() const;
  // Size of the file on the disk when it was opened; 0 for standard input.
  std::uint64_t fileBytes() const;
  // The first bytes of the file as it is on the disk, by which packings are known.
  std::string_view magic() const;
  // Adds up the SHA-256 of the file as it is on the disk. Only before the first read().
  void sumUp();
  // Only at the end of a stream that is summed up.
  std::string sha256();

 protected:
  explicit PackedReader(std::unique_ptr<PackedInput> in);
  PackedInput& in() { return *m_in; }
  Error failed(PackedFault fault, const Phrase& message);

 private:
  static Result<std::unique_ptr<PackedReader>> readerOf(std::unique_ptr<PackedInput> in);
  std::unique_ptr<PackedInput> m_in;
  std::optional<PackedFault> m_fault;
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
