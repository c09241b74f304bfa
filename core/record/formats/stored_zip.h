// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// One member of a zip archive; `begin` is the offset of its bytes in the file.
struct ZipMember {
  std::string name;
  std::uint64_t begin = 0, size = 0;
  std::uint32_t crc = 0;
};

// The directory of a zip archive in which every member is stored, read from the central directory and checked
// against each local header (docs/reliability.md §5): no compression, no encryption, no duplicate or odd
// names, every member inside the file, none overlapping. `fd` stays the caller's. Errors name `path`.
Result<std::vector<ZipMember>> readStoredZip(int fd, const std::string& path);

// The bytes of a member; refused when it is larger than `maxBytes` or its CRC-32 does not match.
Result<std::string> readZipMember(int fd, const ZipMember& member, const std::string& path,
                                  std::uint64_t maxBytes);

// Gives the bytes of a member in pieces with the place of each inside it: constant memory. What was given
// holds only when the result is ok, for the CRC-32 is compared at the end.
using ZipPiece = std::function<void(std::uint64_t at, std::string_view bytes)>;
Status streamZipMember(int fd, const ZipMember& member, const std::string& path, const ZipPiece& take);

}  // namespace fathom
