// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/options/option_field.h"

namespace fathom {

// Everything that a stored analysis of a checkpoint depends on (docs/project_files.md §5): equal requests
// have equal results, so that each is computed once.
struct AnalysisRequest {
  std::string analysis;    // id of the probe
  int version = 1;         // of the probe
  std::string checkpoint;  // name; "init" = the weights before the first update
  // SHA-256 of its manifest; "" for "init" and for a state that was analysed while the run was trained and
  // not saved: its name, "<attempt>-<update>", is its own.
  std::string checkpointHash;
  std::string split = "validation";
  Json options = Json::object();     // of the probe, all of them (analysisOptions)
  Json runOptions = Json::object();  // of the run: --set on top of what was recorded

  Json toJson() const;
  std::string key() const;  // 16 hex digits: name of the folder
};
// Options of a request: all of them, one without effect at its default, so that it makes no other request.
Json analysisOptions(const OptionValues& options);
// Format 1 had the number of examples beside the options.
Result<AnalysisRequest> analysisRequestFromJson(const Json& json, const std::string& file);

// <root>/<analysis>/<key>/{request.json,result.json}; `root` is RunFolder::analysesPath(), or a folder of the
// project for runs that cannot be written to.
struct StoredAnalysis {
  std::string path;
  AnalysisRequest request;
  Json result;
};
// std::nullopt when it was never computed; a data error when it is damaged. `holds`: true if a result
// of an earlier version of the analysis would be the same; without it none is looked for.
Result<std::optional<StoredAnalysis>> findAnalysis(
    const std::string& root, const AnalysisRequest& request,
    const std::function<bool(const AnalysisRequest& earlier)>& holds = {});
// A result that is there, not read yet.
struct StoredRequest {
  std::string path;
  AnalysisRequest request;
};
// Requests of all finished results of one analysis, oldest first; unreadable ones are left out.
Result<std::vector<StoredRequest>> listAnalysisRequests(const std::string& root, const std::string& analysis);
// Data error naming the file that is missing or damaged.
Result<StoredAnalysis> readAnalysis(const std::string& path);
// SHA-256 of the numbers of a stored result: result.json and its array files, by name and content.
Result<std::string> analysisHash(const std::string& path);
// An object {"file", "shape", "f4"} in the result, its numbers as binary, becomes the array file of that name
// beside result.json, which keeps the name. Written aside and renamed: it is there whole or not at all.
// Returns its folder. What another process stored meanwhile under the same request stays.
Result<std::string> storeAnalysis(const std::string& root, const AnalysisRequest& request,
                                  const Json& result);
// The same, in place of what is stored under that request already.
Result<std::string> replaceAnalysis(const std::string& root, const AnalysisRequest& request,
                                    const Json& result);

}  // namespace fathom
