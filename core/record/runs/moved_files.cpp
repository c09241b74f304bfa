// SPDX-License-Identifier: Apache-2.0
#include "core/record/runs/moved_files.h"
#include "core/base/files/path_facts.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/base/files/hash.h"
#include "core/base/files/path_look.h"
#include "core/record/runs/project_folder.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

struct DataFile {
  fs::path path;
  std::string sha256;
  std::uint64_t bytes = 0;
};

// Data that the run was trained on, smallest first: one file is enough to know where the project was.
std::vector<DataFile> dataOf(const std::string& runPath) {
  std::vector<DataFile> files;
  const auto identity = RunFolder(runPath).identity();
  if (!identity.ok() || !identity->provenance.is_object()) return files;
  for (const Json& item : identity->provenance.value("data", Json::array()))
    if (item.is_object())
      files.push_back(
          {item.value("path", ""), item.value("sha256", ""), item.value("bytes", std::uint64_t{0})});
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
  return files;
}

// A path that cannot be looked at counts as there.
bool isGone(const std::string& path) {
  const auto there = isThere(path);
  return there.ok() && !*there;
}

bool isTheSame(const fs::path& found, const DataFile& wanted) {
  std::error_code code;
  if (!fs::is_regular_file(found, code) || fs::file_size(found, code) != wanted.bytes) return false;
  const auto hash = sha256OfFile(found.string());
  return hash.ok() && *hash == wanted.sha256;
}

// Place of the project when the run was configured, or empty.
fs::path formerProject(const std::string& runPath, const fs::path& project) {
  for (const DataFile& file : dataOf(runPath)) {
    if (!file.path.is_absolute() || !isGone(file.path)) continue;
    fs::path root = file.path.root_path();
    for (const fs::path& part : file.path.relative_path()) {
      if (isTheSame(project / file.path.lexically_relative(root), file)) return root;
      root /= part;
    }
  }
  return {};
}

}  // namespace

void findMovedFiles(Json& options, const std::string& runPath, const std::string& project) {
  std::vector<Json*> missing;
  for (auto& [key, value] : options.items()) {
    if (!value.is_string()) continue;
    const fs::path path = value.get<std::string>();
    if (path.is_absolute() && isGone(path)) missing.push_back(&value);
  }
  if (missing.empty() || project.empty()) return;
  const fs::path former = formerProject(runPath, project);
  if (former.empty()) return;
  for (Json* value : missing) {
    const fs::path tail = fs::path(value->get<std::string>()).lexically_relative(former);
    if (tail.empty() || *tail.begin() == "..") continue;
    if (const fs::path moved = project / tail; fileExists(moved)) *value = moved.string();
  }
}

void findMovedFiles(Json& options, const std::string& runPath) {
  std::error_code code;
  fs::path run = fs::absolute(runPath, code).lexically_normal();
  if (!run.has_filename()) run = run.parent_path();
  const fs::path runs = run.parent_path();
  if (runs.filename() == kRunsName) findMovedFiles(options, runPath, runs.parent_path().string());
}

}  // namespace fathom
