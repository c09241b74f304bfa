// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/errors/result.h"
#include "core/base/files/input_file.h"

namespace fathom {

// Records of a .wandb file: LevelDB's log format behind a head of 7 bytes (":W&B", 0xE1 0xBE, 0), blocks of
// 32,768 bytes counted from the start of the file, chunks of u32 checksum (zlib's CRC-32 of type and payload,
// not masked), u16 length, u8 type (1 full, 2 first, 3 middle, 4 last). A chunk that is damaged is skipped
// and counted; a record whose end is not there yet is waited for.
class WandbLog {
 public:
  // `from`: position() of a reader of the same file.
  static Result<WandbLog> open(const std::string& path, std::uint64_t from);
  // The next record; false where there is no whole one yet.
  Result<bool> next(std::string& record);
  std::uint64_t position() const { return m_whole; }
  std::int64_t badChunks() const { return m_bad; }
  // Bytes behind the last whole record that are none yet.
  bool torn() const { return m_torn; }

 private:
  explicit WandbLog(RegularFile file) : m_file(std::move(file)) {}
  Result<std::size_t> bytesAt(std::uint64_t offset, char* to, std::size_t count);
  RegularFile m_file;
  std::string m_buffer, m_payload;
  std::uint64_t m_bufferAt = 0;
  std::uint64_t m_at = 0, m_whole = 0;
  std::int64_t m_bad = 0;
  bool m_torn = false;
};

}  // namespace fathom
