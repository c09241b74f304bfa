// SPDX-License-Identifier: Apache-2.0
#include "core/record/runs/shared_cache.h"

#include <filesystem>

#include "core/base/files/path_facts.h"
#include "core/record/runs/project_folder.h"

namespace fathom {

std::string sharedCachePath(const std::string& runPath) {
  const std::filesystem::path run = std::filesystem::path(runPath).lexically_normal();
  const std::filesystem::path folder = run.filename().empty() ? run.parent_path() : run;
  const std::filesystem::path runs = folder.parent_path();
  const bool inProject =
      runs.filename() == kRunsName && fileExists((runs.parent_path() / kLibraryName).string());
  return ((inProject ? runs.parent_path() : folder) / kCacheName).string();
}

}  // namespace fathom
