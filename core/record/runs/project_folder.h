// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

namespace fathom {

inline constexpr const char* kLibraryName = "library.sqlite";  // a folder with it is a project
inline constexpr const char* kRunsName = "runs";
inline constexpr const char* kAnalysesName = "analyses";      // of a run, too
inline constexpr const char* kCacheName = "cache";            // of a run outside of a project, too
inline constexpr const char* kExecutionsName = "executions";  // in the project's cache

// Paths of the parts of a project (docs/project_files.md §1), there or not.
class ProjectFolder {
 public:
  explicit ProjectFolder(std::string path) : m_path(std::move(path)) {}
  std::string libraryPath() const { return m_path + "/" + kLibraryName; }
  std::string indexPath() const { return m_path + "/index.sqlite"; }
  std::string runsPath() const { return m_path + "/" + kRunsName; }
  std::string queuePath() const { return m_path + "/queue"; }
  std::string trashPath() const { return m_path + "/trash"; }
  std::string cachePath() const { return m_path + "/" + kCacheName; }
  // Folder of the results of queries that reviews executed: a part of what can be made again.
  std::string executionsPath() const { return cachePath() + "/" + kExecutionsName; }
  // Folder of analyses of a run whose own folder cannot be written to.
  std::string analysesPath(const std::string& runUuid) const {
    return m_path + "/" + kAnalysesName + "/" + runUuid;
  }

 private:
  std::string m_path;
};

}  // namespace fathom
