// SPDX-License-Identifier: Apache-2.0
#include "support_fixtures.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "core/base/lines/line_reader.h"
#include "core/record/formats/safetensors_file.h"

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
  if (const char* named = std::getenv("FATHOM_DATA")) return existing(named);
  return existing(std::string(FATHOM_SHARED_DIR) + "/data");
}

std::string dataPath(const std::string& inside) {
  return dataFolder().empty() ? std::string() : existing(dataFolder() + "/" + inside);
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

std::map<std::string, int> areas() {
  std::map<std::string, int> result;
  if (folder().empty() || existing(folder() + "/index.json").empty()) return result;
  const Json index = readJson(folder() + "/index.json");
  for (const Json& entry : index.at("cases")) ++result[entry.at("area").get<std::string>()];
  return result;
}

std::string skipped(const std::string& why) {
  return (std::getenv("FATHOM_FIXTURES_PART") != nullptr ? "" : "SKIPPED-ALL ") + why;
}

std::string absence(const std::vector<std::string>& areas) {
  std::string names;
  for (const std::string& area : areas) {
    if (!cases(area).empty()) return {};
    names += (names.empty() ? "" : ", ") + area;
  }
  return skipped("no case of " + names);
}

namespace {
std::set<std::pair<std::string, std::string>>& readSoFar() {
  static std::set<std::pair<std::string, std::string>> read;
  return read;
}
}  // namespace

void noteRead(const std::string& file, const std::string& array) {
  readSoFar().insert({file, array});
}

std::string unreadArraysOf(const std::string& file) {
  std::string left;
  const SafetensorsFile tensors = SafetensorsFile::open(file).value();
  for (const TensorEntry& entry : tensors.entries()) {
    if (readSoFar().contains({file, entry.name})) continue;
    left += "\nno test has read " + entry.name + " of " + file;
    std::fprintf(stderr, "no test has read %s of %s\n", entry.name.c_str(),
                 file.c_str());  // QtTest cuts long texts
  }
  return left;
}

std::string unreadArrays(const std::string& area, const std::function<bool(const Json&)>& taken) {
  std::string left;
  for (const Case& one : cases(area)) {
    const std::string json = one.file(".json");
    if (taken && (json.empty() || !taken(readJson(json)))) continue;
    for (const std::string& file : one.files)
      if (file.ends_with(".safetensors")) left += unreadArraysOf(file);
  }
  return left;
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
  // Whoever goes through them compares something.
  if (rows.empty()) throw std::runtime_error(path + " has no lines");
  return rows;
}

}  // namespace fathom::fixtures
