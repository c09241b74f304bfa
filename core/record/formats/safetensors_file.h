// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// dtype names as in the format: F64 F32 F16 BF16 I64 I32 I16 I8 U8 BOOL.
struct TensorEntry {
  std::string name;
  std::string dtype;
  std::vector<std::int64_t> shape;
  std::size_t begin = 0, end = 0;  // byte range in the data part
};
std::size_t dtypeBytes(const std::string& dtype);  // 0 = unknown
double halfToDouble(std::uint16_t bits);           // IEEE binary16

// A validated header over an open file; bytes are read on demand with pread (docs/reliability.md §5).
class SafetensorsFile {
 public:
  static Result<SafetensorsFile> open(const std::string& path);
  const std::vector<TensorEntry>& entries() const { return m_entries; }
  const TensorEntry* find(const std::string& name) const;  // nullptr where there is none
  const std::map<std::string, std::string>& metadata() const { return m_metadata; }
  Status read(const TensorEntry& entry, void* into) const;  // exactly end-begin bytes
  // `count` numbers of a real-valued tensor (F64, F32, F16, BF16) from number `first` on, in C order.
  // Internal error for numbers outside of it.
  Result<std::vector<float>> readReals(const TensorEntry& entry, std::int64_t first,
                                       std::int64_t count) const;

  SafetensorsFile(SafetensorsFile&&) noexcept;
  SafetensorsFile& operator=(SafetensorsFile&&) noexcept;
  ~SafetensorsFile();

 private:
  SafetensorsFile() = default;
  int m_fd = -1;
  std::string m_path;
  std::size_t m_dataStart = 0;
  std::vector<TensorEntry> m_entries;
  std::map<std::string, std::string> m_metadata;
};

// One tensor to write; `data` is borrowed until the call returns.
struct TensorView {
  std::string name;
  std::string dtype;
  std::vector<std::int64_t> shape;
  const void* data = nullptr;
};
// Writes to a temporary name and renames (docs/reliability.md §2). Returns the SHA-256 of the file.
Result<std::string> writeSafetensors(const std::string& path, const std::vector<TensorView>& tensors,
                                     const std::map<std::string, std::string>& metadata);

}  // namespace fathom
