// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// All that lies below a folder, listed again only when something may have come or gone: a folder is written
// to then, and its time says so. Each half minute it is listed all the same, for file systems that do not
// keep that time.
class FolderTree {
 public:
  using Entries = std::vector<std::filesystem::directory_entry>;
  explicit FolderTree(std::string path) : m_path(std::move(path)) {}
  // As treeBelow() has it; nothing where that is what was given last.
  Result<std::optional<Entries>> changed();

 private:
  using Clock = std::chrono::steady_clock;
  struct Listed {
    std::string path;
    std::int64_t written = -1, changed = -1;  // nanoseconds since 1970, -1 where it cannot be looked at
    std::uint64_t inode = 0;
    bool operator==(const Listed&) const = default;
  };
  static Listed lookAt(std::string path);
  bool isAsListed() const;
  std::string m_path;
  std::vector<Listed> m_folders;  // empty: it has to be listed
  Clock::time_point m_until;      // when it is listed in any case
};

}  // namespace fathom
