// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sample_data.h"

#include <algorithm>
#include <filesystem>

#include "core/tasks/nmt/nmt_sample.h"

namespace fathom {

namespace {

constexpr std::uint64_t kSampleSeed = 1;
constexpr const char* kTrainKey = "data.train";

}  // namespace

bool usesSampleData(const std::string& preset) {
  return preset.rfind("sample_", 0) == 0;
}

Json sampleDataFiles(const std::string& project) {
  Json files = Json::object();
  for (const std::string part : {"train", "validation", "test"})
    files["data." + part] = project + "/data/" + part + ".tsv";
  return files;
}

Status writeSampleData(const std::string& project) {
  return writeNmtSample(project + "/data", kSampleSeed);
}

Status makeSampleData(const std::string& project, const OptionValues& values) {
  const Json files = sampleDataFiles(project);
  if (project.empty() || !values.schema().find(kTrainKey) ||
      values.text(kTrainKey) != files[kTrainKey].get<std::string>())
    return {};
  const bool any = std::any_of(files.begin(), files.end(), [](const Json& file) {
    std::error_code code;
    return std::filesystem::exists(file.get<std::string>(), code);
  });
  return any ? Status() : writeSampleData(project);
}

}  // namespace fathom
