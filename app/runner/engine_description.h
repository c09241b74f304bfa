// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/options/option_field.h"
#include "core/base/threads/stop_token.h"

namespace fathom {

struct EngineDevice {
  std::string id;     // "cpu", "cuda:0"
  std::string title;  // "CPU, 2 threads", "NVIDIA H100, 78 GiB"
  bool available = true;
  std::string reason;  // why not, when it is not
};

// Answer of `fathom-engine describe`. The JSON object has at least
//   "format": 1, "program": "fathom-engine", "version": "0.1.0",
//   "schema": {"fields": [...], "rules": [...]}             (OptionSchema::toJson)
//   "devices": [{"id", "title", "available", "reason"}]
// and whatever else the engine tells (tasks, models, residual schemes, libraries), kept in `json`.
struct EngineDescription {
  std::string path;  // of the engine
  std::string version;
  OptionSchema options;
  std::vector<EngineDevice> devices;
  Json json;
};

// Path of the engine: the environment variable FATHOM_ENGINE, else the setting engine/path of
// fathom/fathom.ini in the user's configuration folder, else fathom-engine beside this program. A resource
// error says where was looked.
Result<std::string> findEngine();
// That beside this program, whatever is set.
Result<std::string> engineBeside();

struct DescribeOptions {
  double seconds = 30;   // an engine that has not answered by then hangs
  bool refresh = false;  // ask even when the cache knows this binary (size and time of change)
  bool known = false;    // never ask: an error at once where the cache does not know this binary
};
// Asks the engine, or the cache. Errors: missing or not executable, crash at start, no answer in time, half
// an answer, another version than ours; each names the program and what to do. Any thread.
Result<EngineDescription> describeEngine(const std::string& enginePath, const DescribeOptions& options = {},
                                         const StopToken& stop = {});
// findEngine and describeEngine.
Result<EngineDescription> describeEngine(const DescribeOptions& options = {}, const StopToken& stop = {});
// Titles of options and their values (core/library/runs/short_names.h): the engine is asked once in a
// process; without one that answers soon nothing is called anything. Not in the GUI thread.
std::shared_ptr<const OptionSchema> askedOptionTitles();

Result<EngineDescription> engineDescriptionFromJson(const Json& json, const std::string& enginePath);

}  // namespace fathom
