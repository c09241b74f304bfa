// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>

#include "core/base/path_facts.h"
#include "core/record/csv_reader.h"
#include "core/record/run_import.h"
#include "core/record/tfrecord_reader.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxTags = 10'000;

class TensorboardCollector {
 public:
  Status read(const std::string& path, const std::string& prefix, const StopToken& stop) {
    FATHOM_TRY(const auto reader, TfrecordReader::open(path));
    std::string record;
    TensorboardEvent event;
    std::int64_t records = 0, strange = 0;
    while (true) {
      if (stop.stopRequested()) return interruptedError();
      FATHOM_TRY(const bool more, reader->next(record));
      if (!more) break;
      ++records;
      if (!parseTensorboardEvent(record, event)) {
        ++strange;
        continue;
      }
      m_other += event.otherValues;
      for (const TensorboardScalar& scalar : event.scalars) FATHOM_CHECK(add(prefix, scalar, event, path));
    }
    if (records == 0 && reader->lengthDamaged()) return dataErrorAt(path, 0, "not a TensorBoard event file");
    const auto warn = [&](bool when, const std::string& what) {
      if (when) m_warnings.push_back(path + ": " + what);
    };
    warn(reader->lengthDamaged(), "a damaged length; what follows it could not be read");
    warn(reader->badRecords() > 0, std::to_string(reader->badRecords()) + " damaged records skipped");
    warn(strange > 0, std::to_string(strange) + " records are not events");
    return {};
  }

  ImportedRun finish() {
    ImportedRun run;
    run.format = "tensorboard";
    run.warnings = std::move(m_warnings);
    if (m_other > 0)
      run.warnings.push_back(std::to_string(m_other) + " histograms, images and tensors passed over");
    if (m_superseded > 0)
      run.warnings.push_back(std::to_string(m_superseded) +
                             " points superseded by a restart at an earlier step");
    double first = std::numeric_limits<double>::infinity();
    for (const auto& series : m_series) {
      for (const double time : series.time) first = std::min(first, time);
    }
    for (auto& series : m_series) {
      for (double& time : series.time) time -= first;
    }
    if (!m_series.empty()) run.startTime = first;
    run.series = std::move(m_series);
    return run;
  }

 private:
  Status add(const std::string& prefix, const TensorboardScalar& scalar, const TensorboardEvent& event,
             const std::string& path) {
    if (scalar.tag.empty() || scalar.tag.size() > 1000 || !validUtf8(scalar.tag))
      return dataErrorAt(path, 0, "a tag is empty, longer than 1,000 bytes or not UTF-8");
    const auto [it, added] = m_index.try_emplace(prefix + std::string(scalar.tag), m_series.size());
    if (added) {
      if (m_series.size() >= kMaxTags) return dataErrorAt(path, 0, "more than 10,000 tags");
      m_series.emplace_back().metric = it->first;
    }
    ScalarSeries& series = m_series[it->second];
    // A restart goes back: what it repeats gives way, as in TensorBoard.
    while (!series.step.empty() && series.step.back() >= static_cast<double>(event.step)) {
      for (auto* column : {&series.step, &series.time, &series.epoch, &series.tokens, &series.value})
        column->pop_back();
      ++m_superseded;
    }
    series.step.push_back(static_cast<double>(event.step));
    series.time.push_back(event.wallTime);
    series.epoch.push_back(0);
    series.tokens.push_back(0);
    series.value.push_back(scalar.value);
    return {};
  }

  std::vector<ScalarSeries> m_series;
  std::map<std::string, std::size_t> m_index;
  std::vector<std::string> m_warnings;
  std::int64_t m_other = 0, m_superseded = 0;
};

}  // namespace

Result<ImportedRun> readTensorboardRun(const std::string& path, const StopToken& stop) {
  TensorboardCollector collector;
  std::error_code code;
  if (!fs::is_directory(path, code)) {
    FATHOM_CHECK(collector.read(path, "", stop));
    return collector.finish();
  }
  std::vector<std::pair<std::string, std::string>> files;  // prefix, path
  for (const auto& entry : listTree(path, code)) {
    if (!entry.is_regular_file(code) ||
        entry.path().filename().string().find("tfevents") == std::string::npos)
      continue;
    const std::string parent = entry.path().parent_path().lexically_relative(path).string();
    files.emplace_back(parent == "." ? "" : parent + "/", entry.path().string());
  }
  if (files.empty()) return dataErrorAt(path, 0, "no TensorBoard event file (…tfevents…) in this folder");
  std::sort(files.begin(), files.end());  // the names hold the start time
  for (const auto& [prefix, file] : files) FATHOM_CHECK(collector.read(file, prefix, stop));
  return collector.finish();
}

}  // namespace fathom
