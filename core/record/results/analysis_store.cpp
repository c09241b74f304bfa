// SPDX-License-Identifier: Apache-2.0
#include "core/record/results/analysis_store.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <span>

#include "core/base/errors/error_key.h"
#include "core/base/errors/error_words.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_fields.h"
#include "core/record/formats/array_file.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

constexpr int kFormat = 2;
constexpr const char *kRequestFile = "/request.json", *kResultFile = "/result.json";

Result<AnalysisRequest> readRequest(const std::string& path) {
  FATHOM_TRY(const Json request, readJsonFile(path + kRequestFile));
  return analysisRequestFromJson(request, path + kRequestFile);
}

// The result with its arrays replaced by the names of the files they went into.
Result<Json> withFiles(const std::string& folder, const Json& value) {
  if (value.is_object() && value.contains("f4") && value["f4"].is_binary()) {
    const std::string file = value.at("file").get<std::string>();
    const Json::binary_t& bytes = value["f4"].get_binary();
    std::vector<float> numbers(bytes.size() / sizeof(float));
    std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(float));
    FATHOM_CHECK(writeArrayFile(folder + "/" + file, value.at("shape").get<std::vector<std::int64_t>>(),
                                std::span<const float>(numbers)));
    return Json(file);
  }
  if (!value.is_structured()) return value;
  Json copy = value;
  for (auto item = copy.begin(); item != copy.end(); ++item) {
    FATHOM_TRY(Json part, withFiles(folder, *item));
    *item = std::move(part);
  }
  return copy;
}

Status writeAside(const std::string& folder, const AnalysisRequest& request, const Json& result) {
  FATHOM_CHECK(makeOneFolder(folder));
  FATHOM_CHECK(writeFileAtomically(folder + kRequestFile, request.toJson().dump(1) + "\n"));
  FATHOM_TRY(const Json stored, withFiles(folder, result));
  FATHOM_CHECK(writeFileAtomically(folder + kResultFile, stored.dump() + "\n"));
  return syncFolder(folder);
}

}  // namespace

template <typename Io>
void jsonMembers(Io& io, AnalysisRequest& request) {
  io("analysis", request.analysis)("version", request.version)("checkpoint", request.checkpoint);
  io("checkpoint_hash", request.checkpointHash)("split", request.split)("options", request.options);
  io("run_options", request.runOptions);
}

Json AnalysisRequest::toJson() const {
  Json json = {{"format", kFormat}};
  json.update(jsonOf(*this));
  return json;
}

std::string AnalysisRequest::key() const {
  return sha256Hex(toJson().dump()).substr(0, 16);
}

Json analysisOptions(const OptionValues& options) {
  Json all = options.effective();
  for (const OptionField& field : options.schema().fields())
    if (!options.active(field.key)) all[field.key] = field.defaultValue;
  return all;
}

Result<AnalysisRequest> analysisRequestFromJson(const Json& json, const std::string& file) {
  try {
    if (json.at("format").get<int>() > kFormat)
      return dataErrorAt(file, 0, Phrase::tr("was written by a newer Fathom"), Phrase::tr("update Fathom"));
    AnalysisRequest request;
    readJson(json, request);
    if (json.contains("examples")) request.options["examples"] = json["examples"].get<std::int64_t>();
    return request;
  } catch (const Json::exception& e) {
    return dataErrorAt(file, 0, Phrase::tr("is not the request of an analysis: %1")(e.what()));
  }
}

Result<std::optional<StoredAnalysis>> findAnalysis(
    const std::string& root, const AnalysisRequest& request,
    const std::function<bool(const AnalysisRequest& earlier)>& holds) {
  AnalysisRequest wanted = request;
  for (; wanted.version > 0; --wanted.version) {
    if (wanted.version != request.version && (!holds || !holds(wanted))) continue;
    const std::string path = root + "/" + wanted.analysis + "/" + wanted.key();
    if (!fileExists(path)) continue;
    FATHOM_TRY(StoredAnalysis stored, readAnalysis(path));
    return std::optional<StoredAnalysis>(std::move(stored));
  }
  return std::optional<StoredAnalysis>();
}

Result<StoredAnalysis> readAnalysis(const std::string& path) {
  StoredAnalysis stored;
  stored.path = path;
  auto request = readRequest(path);
  auto result = readJsonFile(path + kResultFile);
  if (!request.ok() || !result.ok()) {
    return withHint(request.ok() ? result.error() : request.error(),
                    Phrase::tr("delete the folder %1 and compute the analysis again")(path));
  }
  stored.request = std::move(*request);
  stored.result = std::move(*result);
  return stored;
}

Result<std::string> analysisHash(const std::string& path) {
  std::vector<std::string> files;
  FATHOM_TRY(const auto items, contentsOf(path));
  for (const fs::directory_entry& item : items) {
    const std::string name = item.path().filename().string();
    if (name != "request.json") files.push_back(name);
  }
  std::sort(files.begin(), files.end());
  std::string all;
  for (const std::string& name : files) {
    FATHOM_TRY(const std::string hash, sha256OfFile(path + "/" + name));
    all += hash + "  " + name + "\n";
  }
  return sha256Hex(all);
}

Result<std::vector<StoredRequest>> listAnalysisRequests(const std::string& root,
                                                        const std::string& analysis) {
  std::vector<std::pair<fs::file_time_type, StoredRequest>> found;
  FATHOM_TRY(const auto items, entriesIn(root + "/" + analysis));
  for (const auto& item : items) {
    if (item.path().extension() == kUnfinishedEnd) continue;
    auto request = readRequest(item.path().string());
    std::error_code code;
    if (request)
      found.emplace_back(fs::last_write_time(item.path(), code),
                         StoredRequest{item.path().string(), std::move(*request)});
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second.path < b.second.path;
  });
  std::vector<StoredRequest> list;
  for (auto& [time, stored] : found) list.push_back(std::move(stored));
  return list;
}

Result<std::string> replaceAnalysis(const std::string& root, const AnalysisRequest& request,
                                    const Json& result) {
  const std::string path = root + "/" + request.analysis + "/" + request.key();
  const std::string aside = path + "-" + makeUuid() + kUnfinishedEnd;
  if (fileExists(path)) FATHOM_CHECK(renamePath(path, aside));
  auto stored = storeAnalysis(root, request, result);
  std::error_code ignored;
  if (!stored.ok() && fileExists(aside)) fs::rename(aside, path, ignored);
  if (fileExists(aside)) fs::remove_all(aside, ignored);
  return stored;
}

Result<std::string> storeAnalysis(const std::string& root, const AnalysisRequest& request,
                                  const Json& result) {
  const std::string parent = root + "/" + request.analysis, path = parent + "/" + request.key();
  const std::string aside = path + "-" + makeUuid() + kUnfinishedEnd;
  // Neither the run nor what it lies in: whoever deleted it meanwhile does not get it back.
  FATHOM_CHECK(makeOneFolder(root));
  FATHOM_CHECK(makeOneFolder(parent));
  Status written = writeAside(aside, request, result);
  // Somebody may have been quicker: a folder with files in it is not replaced by rename.
  if (written && !fileExists(path)) written = renamePath(aside, path);
  std::error_code ignored;
  if (fs::exists(aside, ignored)) fs::remove_all(aside, ignored);
  if (!fileExists(path) && !written) return written.error();
  FATHOM_CHECK(syncFolder(parent));
  return path;
}

}  // namespace fathom
