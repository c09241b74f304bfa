// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fathom {

// The way in which a path of a run is followed (docs/places.md, "Over ssh").
enum class RunPathKind {
  Never,     // locks, wishes, sockets, what is being written
  Grows,     // appended to: sent from where the copy ends
  Replaced,  // renamed into its place: sent whole when it is another one
  Finished,  // a folder that appears by a rename and stays as it is: sent once
  Inside     // a folder with others of these in it
};

// `path` is relative to the run. Checkpoints, and the files that they share, are Never where they are not
// wished for.
RunPathKind runPathKind(std::string_view path, bool folder, bool checkpoints);

// Checkpoints that a copy gets: the best by score takes the place of the best before.
enum class CheckpointWish { None, Best, All };
// In the checkpoints' folder of a copy: the name of the one that is there as the best.
inline constexpr const char* kBestMark = ".best";

// The bytes before an offset, as two sides compare them: CRC-32C of the last 4 KiB.
inline constexpr std::uint64_t kComparedBytes = 4096;
// std::nullopt where the file is shorter or cannot be read.
std::optional<std::uint32_t> sumBefore(const std::string& path, std::uint64_t offset);
// CRC-32C of a whole file of up to `most` bytes; nothing for a larger one.
std::optional<std::uint32_t> sumOfFile(const std::string& path, std::uint64_t most = std::uint64_t{64} << 20);
// True of what checkpoints share: it is named by its content, and may be large.
bool isSharedFile(std::string_view path);

}  // namespace fathom
