// SPDX-License-Identifier: Apache-2.0
#include "support_fixtures.h"

#include <cstdlib>
#include <filesystem>

#include "core/tasks/line_reader.h"

namespace fathom::fixtures {

namespace {

std::string existing(const std::string& path) {
  return std::filesystem::exists(path) ? path : std::string();
}

// Fixture files are ours: limits only keep a mistake from filling the memory.
constexpr std::int64_t kLongestLine = std::int64_t{1} << 28;

}  // namespace

std::string folder() {
  if (const char* named = std::getenv("FATHOM_FIXTURES")) return existing(named);
  const std::string shared = existing(std::string(FATHOM_SHARED_DIR) + "/fixtures");
  return shared.empty() ? existing(std::string(FATHOM_SOURCE_DIR) + "/tests/fixtures") : shared;
}

std::string dataFolder() {
  return existing(std::string(FATHOM_SHARED_DIR) + "/data");
}

std::string Case::file(const std::string& ending) const {
  for (const std::string& path : files)
    if (path.ends_with(ending)) return path;
  return {};
}

std::vector<Case> cases(const std::string& area) {
  std::vector<Case> result;
  if (folder().empty() || existing(folder() + "/index.json").empty()) return result;
  const Json index = readJson(folder() + "/index.json");
  for (const Json& entry : index.at("cases")) {
    if (entry.at("area").get<std::string>() != area) continue;
    Case found{entry.at("case").get<std::string>(), {}};
    for (const Json& file : entry.at("files"))
      found.files.push_back(folder() + "/" + file.get<std::string>());
    result.push_back(std::move(found));
  }
  return result;
}

std::vector<std::string> readLines(const std::string& path) {
  LineReader reader = LineReader::open(path, kLongestLine).value();
  std::vector<std::string> lines;
  LineReader::Line line;
  while (reader.next(line).value()) lines.emplace_back(line.text);
  return lines;
}

Json readJson(const std::string& path) {
  std::string text;
  for (const std::string& line : readLines(path)) text += line + "\n";
  JsonLimits limits;
  limits.allowDuplicateKeys = true;
  return parseJson(text, path, limits).value();
}

std::vector<Json> readJsonLines(const std::string& path) {
  std::vector<Json> rows;
  for (const std::string& line : readLines(path))
    if (!line.empty()) rows.push_back(parseJson(line, path).value());
  return rows;
}

}  // namespace fathom::fixtures
