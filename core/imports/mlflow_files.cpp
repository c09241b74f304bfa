// SPDX-License-Identifier: Apache-2.0
#include "core/imports/mlflow_files.h"

#include <sys/stat.h>

#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/base/json/json_reals.h"
#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"
#include "core/imports/csv_columns.h"
#include "core/imports/formats/yaml_options.h"
#include "core/imports/record_text.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostMeta = std::size_t{1} << 20, kMostParam = std::size_t{64} << 10;
constexpr std::size_t kLongestMetricLine = 4096;
constexpr int kDeepestStore = 3;  // a folder, mlruns, experiment, run
constexpr double kMillisecond = 1e-3, kQuiet = 60, kBetweenQuietLooks = 30;

constexpr std::array<const char*, 6> kStatusWords = {"",         "RUNNING", "SCHEDULED",
                                                     "FINISHED", "FAILED",  "KILLED"};

Json mapToJson(const std::map<std::string, std::string>& values) {
  Json json = Json::object();
  for (const auto& [key, value] : values) json[recordText(key)] = recordText(value);
  return json;
}

std::map<std::string, std::string> mapFromJson(const Json& json) {
  std::map<std::string, std::string> values;
  for (const auto& [key, value] : json.items())
    if (value.is_string()) values[ofRecord(key)] = ofRecord(value.get<std::string>());
  return values;
}

double steadySeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string stampOfText(const std::string& file) {
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0) return {};
  return std::to_string(info.st_ino) + ":" + std::to_string(info.st_size) + ":" +
         std::to_string(info.st_mtim.tv_sec) + "." + std::to_string(info.st_mtim.tv_nsec);
}

std::string wordOf(const Json& meta, const char* key) {
  const auto found = meta.find(key);
  return found == meta.end() || found->is_null() ? "" : asText(*found);
}

// The whole of a file; half of one ends without a line end.
Json metaIn(const std::string& folder) {
  const auto text = readFile(folder + "/meta.yaml", kMostMeta);
  if (!text.ok() || !text->ends_with('\n')) return {};
  auto meta = parseYamlOptions(*text, folder + "/meta.yaml");
  return meta.ok() ? std::move(meta).value() : Json();
}

bool isRunMeta(const Json& meta) {
  return meta.is_object() && (meta.contains("run_id") || meta.contains("run_uuid")) &&
         meta.contains("status");
}

}  // namespace

MlflowStatus mlflowStatus(const std::string& word) {
  for (std::size_t i = 1; i < kStatusWords.size(); ++i)
    if (word == kStatusWords[i] || word == std::to_string(i)) return static_cast<MlflowStatus>(i);
  return MlflowStatus::Unknown;
}

bool MlflowFacts::operator==(const MlflowFacts& other) const {
  const bool sameEnd = end == other.end || (std::isnan(end) && std::isnan(other.end));
  return sameEnd && name == other.name && experiment == other.experiment && status == other.status &&
         deleted == other.deleted && params == other.params && tags == other.tags;
}

Json MlflowFacts::state() const {
  return {{"name", recordText(name)},
          {"experiment", recordText(experiment)},
          {"status", kStatusWords[static_cast<std::size_t>(status)]},
          {"end", jsonReal(end)},
          {"deleted", deleted},
          {"params", mapToJson(params)},
          {"tags", mapToJson(tags)}};
}

void MlflowFacts::restore(const Json& state) {
  name = ofRecord(memberText(state, "name"));
  experiment = ofRecord(memberText(state, "experiment"));
  status = mlflowStatus(memberText(state, "status"));
  end = memberReal(state, "end", kNaN);
  deleted = memberFlag(state, "deleted", false);
  params = mapFromJson(memberObject(state, "params"));
  tags = mapFromJson(memberObject(state, "tags"));
}

bool isMlflowRun(const std::string& folder) {
  return fileExists(folder + "/meta.yaml") && isRunMeta(metaIn(folder));
}

namespace {

Status findRuns(const std::string& folder, int depth, const StopToken& stop, std::vector<std::string>& runs) {
  if (stop.stopRequested()) return interruptedError();
  const bool described = fileExists(folder + "/meta.yaml");
  if (described &&
      (folderExists(folder + "/metrics") || folderExists(folder + "/params") || isMlflowRun(folder))) {
    runs.push_back(folder);
    return {};
  }
  if (depth == kDeepestStore) return {};
  FATHOM_TRY(const auto entries, entriesIn(folder));
  for (const auto& entry : entries) {
    std::error_code code;
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.') || entry.symlink_status(code).type() != fs::file_type::directory || code)
      continue;
    FATHOM_CHECK(findRuns(entry.path().string(), depth + 1, stop, runs));
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> mlflowRunsIn(const std::string& folder, const StopToken& stop) {
  std::vector<std::string> runs;
  FATHOM_CHECK(findRuns(folder, 0, stop, runs));
  return runs;
}

bool MlflowRunFolder::changed(const std::string& file) {
  const std::string stamp = stampOfText(file);
  std::string& known = m_stamps[file];
  if (stamp.empty() || stamp == known) return false;
  known = stamp;
  return true;
}

void MlflowRunFolder::readMeta() {
  const Json meta = metaIn(m_folder);
  if (!isRunMeta(meta)) return;  // half written: it comes again
  m_told = true;
  if (const std::string name = wordOf(meta, "run_name"); !name.empty()) m_facts.name = name;
  m_facts.status = mlflowStatus(wordOf(meta, "status"));
  m_facts.end = memberReal(meta, "end_time", kNaN) * kMillisecond;
  m_facts.deleted = wordOf(meta, "lifecycle_stage") == "deleted";
}

// One file for each name, with '/' in a name as folders.
bool MlflowRunFolder::readTexts(const char* kind, std::map<std::string, std::string>& into) {
  const std::string folder = m_folder + "/" + kind;
  if (!folderExists(folder)) return false;
  const auto entries = treeBelow(folder);
  if (!entries.ok()) return false;
  bool any = false;
  for (const auto& entry : *entries) {
    std::error_code code;
    if (!entry.is_regular_file(code) || !changed(entry.path().string())) continue;
    const auto text = readFile(entry.path().string(), kMostParam);
    if (!text.ok()) continue;
    into[entry.path().lexically_relative(folder).string()] = *text;
    any = true;
  }
  return any;
}

Status MlflowRunFolder::takeLine(const std::string& metric, std::string_view line, const Take& take) {
  const auto words = splitAt(trimmed(line), ' ');
  const auto time = words.size() < 2 ? std::nullopt : numberFrom<double>(words[0]);
  const auto value =
      words.size() < 2 ? Result<std::optional<double>>(std::nullopt) : cellNumber(words[1], {});
  const auto step = words.size() < 3 ? std::optional<double>(kNaN) : numberFrom<double>(words[2]);
  if (time && value.ok() && *value && step) return take(metric, *time * kMillisecond, **value, *step);
  if (!trimmed(line).empty()) ++m_strange;
  return {};
}

Status MlflowRunFolder::readMetrics(const StopToken& stop, bool last, const Take& take, bool& came) {
  const std::string folder = m_folder + "/metrics";
  if (!folderExists(folder)) return {};
  FATHOM_TRY(const auto entries, treeBelow(folder));
  for (const auto& entry : entries) {
    std::error_code code;
    if (!entry.is_regular_file(code)) continue;
    const std::string name = entry.path().lexically_relative(folder).string();
    auto& file = m_metrics[name];
    if (file == nullptr) file = std::make_unique<GrownFile>(entry.path().string());
    const GrownFile::Change change = file->look();
    if (change == GrownFile::Change::Gone || (change == GrownFile::Change::Same && !last)) continue;
    if (change == GrownFile::Change::Replaced) {  // its points come again, as another attempt
      file->startOver();
      m_replaced = true;
    }
    came = came || change != GrownFile::Change::Same;
    if (m_replaced) continue;
    FATHOM_CHECK(file->lines(stop, last, kLongestMetricLine,
                             [&](std::string_view line) { return takeLine(name, line, take); }));
  }
  return {};
}

Status MlflowRunFolder::read(const StopToken& stop, bool last, const Take& take) {
  const double now = steadySeconds();
  if (m_came == 0) m_came = now;
  if (!last && now - m_came > kQuiet && now - m_looked < kBetweenQuietLooks) return {};
  m_looked = now;
  bool came = false;
  const MlflowFacts before = m_facts;
  if (changed(m_folder + "/meta.yaml")) readMeta();
  const std::string above = fs::path(m_folder).parent_path().string();
  if (changed(above + "/meta.yaml"))
    if (const Json meta = metaIn(above); meta.is_object()) m_facts.experiment = wordOf(meta, "name");
  readTexts("params", m_facts.params);
  readTexts("tags", m_facts.tags);
  // Points are of a run that has told what it is.
  if (m_told) FATHOM_CHECK(readMetrics(stop, last, take, came));
  if (came || !(m_facts == before)) m_came = now;
  return {};
}

Json MlflowRunFolder::state() const {
  Json json = {{"folder", recordText(m_folder)},
               {"facts", m_facts.state()},
               {"told", m_told},
               {"strange", m_strange},
               {"metrics", Json::object()}};
  for (const auto& [name, file] : m_metrics) json["metrics"][recordText(name)] = file->state();
  return json;
}

void MlflowRunFolder::restore(const Json& state) {
  m_facts.restore(memberObject(state, "facts"));
  m_told = memberFlag(state, "told", false);
  m_strange = memberInteger(state, "strange");
  for (const auto& [name, file] : memberObject(state, "metrics").items()) {
    auto& known = m_metrics[ofRecord(name)];
    known = std::make_unique<GrownFile>(m_folder + "/metrics/" + ofRecord(name));
    known->restore(file);
  }
}

}  // namespace fathom
