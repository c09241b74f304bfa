// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/base/json/json.h"

namespace fathom {

// Data of runs on this host, by their content: <root>/data/<sha256>/<name>. What is there is never sent
// again.
class StoredData {
 public:
  struct Place {
    std::string path;        // where it is; "" = not here yet
    std::uint64_t have = 0;  // bytes of it that came over an earlier connection
  };
  explicit StoredData(std::string root) : m_folder(std::move(root) + "/data") {}
  // The file of this content: at `path` itself where this host has the same, else stored under `name`.
  Result<Place> find(const std::string& sha256, std::uint64_t bytes, const std::string& name,
                     const std::string& path);
  // The next piece of a file; its path with the last one. A piece behind what is there is not taken: `have`
  // says where to go on. Data error where the whole has another sum: all of
  // it is sent again then.
  Result<Place> put(const std::string& sha256, std::uint64_t bytes, const std::string& name, std::uint64_t at,
                    std::string_view piece);
  // A folder of stored files: relative name → sha256; `sha256` is that of the list. Its path.
  Result<std::string> folder(const std::string& sha256, const std::string& name,
                             const std::map<std::string, std::string>& files);

 private:
  std::string partPath(const std::string& sha256) const;
  bool isStored(const std::string& sha256, std::uint64_t bytes) const;
  Result<Place> named(const std::string& sha256, std::uint64_t bytes, const std::string& name) const;
  Result<Place> complete(const std::string& sha256, std::uint64_t bytes, const std::string& name);
  std::string m_folder;
  std::map<std::string, std::string> m_sums;  // of files of this host, by path, size and time
};

}  // namespace fathom
