// SPDX-License-Identifier: Apache-2.0
// A folder with sources that grow, and what a follower made of them.
#pragma once

#include <QTemporaryDir>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/imports/run_import.h"
#include "core/imports/source_follower.h"
#include "core/record/events/event_reader.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

// Lines "first<end>" to "last<end>".
inline std::string followedRows(int first, int last, const std::string& end) {
  std::string text;
  for (int step = first; step <= last; ++step) text += std::to_string(step) + end;
  return text;
}

inline bool warnsOf(const std::vector<Phrase>& warnings, const std::string& words) {
  return std::any_of(warnings.begin(), warnings.end(), [&](const Phrase& warning) {
    return warning.english().find(words) != std::string::npos;
  });
}

class Following {
 public:
  std::string path(const std::string& name) const { return m_dir.path().toStdString() + "/" + name; }
  std::string runsFolder() const { return path("runs"); }
  // Bytes behind what is there.
  std::string append(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::app | std::ios::binary) << bytes;
    return path(name);
  }
  // Another file in its place, as programs do that write aside and rename.
  std::string replace(const std::string& name, const std::string& bytes) const {
    std::filesystem::remove(path(name + ".aside"));
    append(name + ".aside", bytes);
    std::filesystem::rename(path(name + ".aside"), path(name));
    return path(name);
  }
  Result<std::unique_ptr<SourceFollower>> open(const std::string& source, ImportOptions options = {}) const {
    std::filesystem::create_directories(runsFolder());
    options.follow = true;
    return SourceFollower::open({path(source), runsFolder(), record(source), options});
  }
  std::string record(const std::string& source) const {
    return followRecord(m_dir.path().toStdString(), path(source));
  }
  // One look of a follower that is made for it.
  Result<SourceFollower::Growth> look(const std::string& source, const ImportOptions& options = {}) const {
    FATHOM_TRY(const auto follower, open(source, options));
    return follower->poll(StopToken());
  }
  std::vector<std::string> runs() const {
    std::vector<std::string> folders;
    for (const auto& entry : std::filesystem::directory_iterator(runsFolder()))
      folders.push_back(entry.path().string());
    std::sort(folders.begin(), folders.end());
    return folders;
  }
  // As an import, which leaves nothing beside the runs.
  std::vector<RunImport> import(const std::string& source) const {
    Progress progress;
    return importRuns(path(source), path("imported"), {}, progress, StopToken()).value().runs;
  }
  // Steps of a metric, of all runs; every event log is whole.
  std::vector<double> steps(const std::string& metric = "loss") const {
    std::vector<double> all;
    for (const std::string& run : runs()) {
      if (!RunFolder(run).exists()) return {-1};
      for (const int attempt : RunFolder(run).attempts()) {
        EventReader events(RunFolder(run).eventsPath(attempt));
        while (!events.poll(1 << 20).value().empty()) continue;
        if (events.badLines() > 0) return {-2};
      }
      const auto curves = readRunScalars(run).value();
      for (const ScalarSeries& curve : curves)
        if (curve.metric == metric) all.insert(all.end(), curve.step.begin(), curve.step.end());
    }
    std::sort(all.begin(), all.end());
    return all;
  }
  static std::vector<double> upTo(int last, int times = 1) {
    std::vector<double> all;
    for (int step = 1; step <= last; ++step) all.insert(all.end(), static_cast<std::size_t>(times), step);
    return all;
  }
  static std::size_t attempts(const std::string& run) { return RunFolder(run).attempts().size(); }

 private:
  QTemporaryDir m_dir;
};

// Lines {"run": "a", "step": 3, "loss": 1} of the steps [first, last], for each run.
inline std::string jsonLines(int first, int last, const std::vector<std::string>& runs = {""}) {
  std::string text;
  for (int step = first; step <= last; ++step)
    for (const std::string& run : runs) {
      if (!run.empty()) text += "{\"run\": \"" + run + "\", ";
      text += std::string(run.empty() ? "{" : "") + "\"step\": " + std::to_string(step) + ", \"loss\": 1}\n";
    }
  return text;
}

}  // namespace fathom
