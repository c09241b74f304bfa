// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json/json.h"
#include "core/base/numbers/not_a_number.h"
#include "core/base/threads/stop_token.h"
#include "core/imports/grown_file.h"

namespace fathom {

// MLflow's words for a run; in its files they are the numbers 1 to 5.
enum class MlflowStatus { Unknown, Running, Scheduled, Finished, Failed, Killed };
MlflowStatus mlflowStatus(const std::string& word);

// All that MLflow says of a run beside its points.
struct MlflowFacts {
  std::string name, experiment;
  MlflowStatus status = MlflowStatus::Unknown;
  double end = kNaN;  // seconds since 1970
  bool deleted = false;
  std::map<std::string, std::string> params, tags;
  bool operator==(const MlflowFacts& other) const;
  Json state() const;
  void restore(const Json& state);
};

// A run in MLflow's file store: mlruns/<experiment>/<run>, with meta.yaml, metrics/, params/ and tags/.
class MlflowRunFolder {
 public:
  explicit MlflowRunFolder(std::string folder) : m_folder(std::move(folder)) {}
  // A line of a metric: "ms value step"; NaN where an old line has no step.
  using Take = std::function<Status(const std::string& metric, double time, double value, double step)>;
  // What came. Files are looked at again after half a minute where nothing has come for a minute.
  Status read(const StopToken& stop, bool last, const Take& take);
  const MlflowFacts& facts() const { return m_facts; }
  // meta.yaml is there, and whole.
  bool told() const { return m_told; }
  // A metric was written anew in its place; what comes of the run next is another attempt.
  bool takeReplaced() { return std::exchange(m_replaced, false); }
  std::int64_t strange() const { return m_strange; }  // lines that are not understood
  Json state() const;
  void restore(const Json& state);

 private:
  bool changed(const std::string& file);
  void readMeta();
  bool readTexts(const char* kind, std::map<std::string, std::string>& into);
  Status readMetrics(const StopToken& stop, bool last, const Take& take, bool& came);
  Status takeLine(const std::string& metric, std::string_view line, const Take& take);
  std::string m_folder;
  MlflowFacts m_facts;
  std::map<std::string, std::string> m_stamps;  // of files that are read whole
  std::map<std::string, std::unique_ptr<GrownFile>> m_metrics;
  std::int64_t m_strange = 0;
  double m_came = 0, m_looked = 0;
  bool m_told = false, m_replaced = false;
};

// Is a folder a run of a file store?
bool isMlflowRun(const std::string& folder);
// The runs in a store, an experiment or a run, or in the store `mlruns` of a folder; what was deleted is not
// there.
Result<std::vector<std::string>> mlflowRunsIn(const std::string& folder, const StopToken& stop);

}  // namespace fathom
