// SPDX-License-Identifier: Apache-2.0
#include "core/record/moved_files.h"

#include <filesystem>

namespace fathom {

namespace fs = std::filesystem;

namespace {

bool isThere(const fs::path& path) {
  std::error_code code;
  return fs::exists(path, code);
}

// The longest tail of the path that exists below the project; empty: none.
fs::path below(const fs::path& project, const fs::path& path) {
  fs::path tail = path.relative_path();
  while (!tail.empty()) {
    if (const fs::path moved = project / tail; isThere(moved)) return moved;
    fs::path shorter;
    for (auto part = std::next(tail.begin()); part != tail.end(); ++part) shorter /= *part;
    tail = shorter;
  }
  return {};
}

}  // namespace

void findMovedFiles(Json& options, const std::string& project) {
  if (project.empty()) return;
  for (const auto& [key, value] : options.items()) {
    if (!value.is_string()) continue;
    const fs::path path = value.get<std::string>();
    if (!path.is_absolute() || isThere(path)) continue;
    if (const fs::path moved = below(project, path); !moved.empty()) value = moved.string();
  }
}

std::string projectOfRun(const std::string& runPath) {
  std::error_code code;
  fs::path run = fs::absolute(runPath, code).lexically_normal();
  if (!run.has_filename()) run = run.parent_path();
  const fs::path runs = run.parent_path();
  return runs.filename() == "runs" ? runs.parent_path().string() : std::string();
}

}  // namespace fathom
