// SPDX-License-Identifier: Apache-2.0
// What the readers of imported_run.h share, and the run folder that becomes of it.
#include "core/record/import/imported_run.h"
#include "core/record/import/foreign_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json_members.h"
#include "core/base/json/phrase_json.h"
#include "core/base/options/metric_kinds.h"
#include "core/base/text/utf8.h"
#include "core/record/events/event_log.h"
#include "core/record/formats/compressed_file.h"
#include "core/record/import/foreign_metrics.h"
#include "core/record/runs/run_config.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

constexpr std::size_t kMaxMetrics = 10'000, kMaxMetricName = 1000;
constexpr double kMaxStep = 9007199254740992.0;  // 2^53: every whole number below has a double
// Room for the head of an event and its checksum.
constexpr std::size_t kMetricsOfALine = kMaxEventBytes - 512;

std::array<std::vector<double>*, 5> columnsOf(ScalarSeries& series) {
  return {&series.step, &series.time, &series.epoch, &series.tokens, &series.value};
}

// No position is infinite: such a field tells nothing.
double knownPosition(double position) {
  return std::isfinite(position) ? position : kNaN;
}

// One point on its way into the log; they are sorted by step, training before validation, as they came.
struct EventPoint {
  double step;
  std::uint32_t series, index;
  bool validation;
};

std::vector<EventPoint> pointsInOrder(const ImportedRun& run) {
  std::vector<EventPoint> points;
  std::size_t count = 0;
  for (const ScalarSeries& series : run.series) count += series.value.size();
  points.reserve(count);
  for (std::uint32_t s = 0; s < run.series.size(); ++s) {
    const ScalarSeries& series = run.series[s];
    const bool validation = isValidationMetric(series.metric);
    for (std::uint32_t i = 0; i < series.value.size(); ++i)
      points.push_back({series.step[i], s, i, validation});
  }
  std::stable_sort(points.begin(), points.end(), [](const EventPoint& a, const EventPoint& b) {
    return a.step != b.step ? a.step < b.step : a.validation < b.validation;
  });
  return points;
}

// Collects events and gives them to the file in large pieces.
class EventLines {
 public:
  EventLines(PackedWriter& out, double startTime) : m_out(out), m_start(startTime) {}

  std::string begin(double time, const char* kind) {
    const bool timed = std::isfinite(time);
    return "{\"v\":" + std::to_string(kEventVersion) + ",\"seq\":" + std::to_string(m_seq++) +
           ",\"t\":" + jsonNumber(timed ? m_start + time : m_start) + (timed ? "" : ",\"clock\":false") +
           ",\"k\":\"" + kind + "\"";
  }
  Status add(std::string line) {
    closeEventLine(line);
    m_buffer += line;
    if (m_buffer.size() < (1u << 20)) return {};
    return flush();
  }
  Status flush() {
    FATHOM_CHECK(m_out.write(m_buffer));
    m_buffer.clear();
    return {};
  }

 private:
  PackedWriter& m_out;
  double m_start;
  std::int64_t m_seq = 0;
  std::string m_buffer;
};

// All points of a step and kind, points[begin, end), in as many lines as they need.
Status addStep(EventLines& lines, const ImportedRun& run, const std::vector<std::string>& names,
               const std::vector<EventPoint>& points, std::size_t begin, std::size_t end) {
  double time = kNaN, epoch = kNaN, tokens = kNaN;
  const double* rate = nullptr;
  for (std::size_t i = begin; i < end; ++i) {
    const ScalarSeries& series = run.series[points[i].series];
    const std::uint32_t at = points[i].index;
    time = std::fmax(time, series.time[at]);  // the one that is known
    epoch = std::fmax(epoch, series.epoch[at]);
    tokens = std::fmax(tokens, series.tokens[at]);
    if (series.metric == "lr") rate = &series.value[at];
  }
  std::size_t next = begin;
  do {
    std::string metrics;
    for (; next < end; ++next) {
      const EventPoint& point = points[next];
      const ScalarSeries& series = run.series[point.series];
      if (series.metric == "lr") continue;
      const std::string item = names[point.series] + ":" + jsonNumber(series.value[point.index]);
      if (metrics.size() + item.size() > kMetricsOfALine) break;
      metrics += (metrics.empty() ? "" : ",") + item;
    }
    std::string line = lines.begin(time, points[begin].validation ? "validation" : "step");
    line += ",\"step\":" + jsonNumber(points[begin].step) + ",\"epoch\":" + jsonNumber(epoch) +
            ",\"tokens\":" + jsonNumber(tokens);
    if (rate != nullptr) line += ",\"lr\":" + jsonNumber(*std::exchange(rate, nullptr));  // told once
    FATHOM_CHECK(lines.add(line + ",\"m\":{" + metrics + "}"));
  } while (next < end);
  return {};
}

Status writeEvents(const std::string& path, const ImportedRun& run, double& lastStep) {
  FATHOM_TRY(const auto out, PackedWriter::create(path));
  EventLines lines(*out, run.startTime);
  FATHOM_CHECK(lines.add(lines.begin(0, "run_started") +
                         ",\"attempt\":1,\"resumed_from\":\"\",\"bit_exact\":false,\"device\":\"\","
                         "\"threads\":0,\"total_updates\":-1"));
  std::vector<std::string> names;
  for (const ScalarSeries& series : run.series)
    names.push_back(Json(series.metric).dump(-1, ' ', false, Json::error_handler_t::replace));
  const std::vector<EventPoint> points = pointsInOrder(run);
  for (std::size_t begin = 0; begin < points.size();) {
    std::size_t end = begin;
    while (end < points.size() && points[end].step == points[begin].step &&
           points[end].validation == points[begin].validation)
      ++end;
    FATHOM_CHECK(addStep(lines, run, names, points, begin, end));
    lastStep = points[begin].step;
    begin = end;
  }
  FATHOM_CHECK(lines.flush());
  return out->finish();
}

}  // namespace

void ImportedSeries::giveTo(ImportedRun& run) {
  if (m_superseded > 0)
    run.warnings.push_back(Phrase::tr("%1 points superseded by a restart at an earlier step")(m_superseded));
  run.series = take();
}

Status ImportedSeries::add(const std::string& metric, const Axes& axes, double value, bool superseding) {
  const auto known = m_index.find(metric);
  const std::size_t place = known == m_index.end() ? m_series.size() : known->second;
  if (known == m_index.end()) {
    if (metric.empty() || metric.size() > kMaxMetricName || !validUtf8(metric))
      return dataErrorAt(m_path, 0,
                         Phrase::tr("the name of a metric is empty, longer than 1,000 bytes or not UTF-8"));
    if (m_series.size() >= kMaxMetrics) return dataErrorAt(m_path, 0, Phrase::tr("more than 10,000 metrics"));
    m_index.emplace(metric, place);
    m_series.emplace_back().metric = metric;
  }
  ScalarSeries& series = m_series[place];
  while (superseding && !series.step.empty() && series.step.back() >= axes.step) {
    for (auto* column : columnsOf(series)) column->pop_back();
    ++m_superseded;
    --m_points;
  }
  if (++m_points > kMaxImportedPoints)
    return dataErrorAt(m_path, 0, Phrase::tr("more than %1 points")(kMaxImportedPoints),
                       Phrase::tr("log fewer updates, or import it in parts"));
  series.step.push_back(axes.step);
  series.time.push_back(axes.time);
  series.epoch.push_back(axes.epoch);
  series.tokens.push_back(axes.tokens);
  series.value.push_back(value);
  return {};
}

std::string plainText(std::string text) {
  if (validUtf8(text)) return text;
  for (char& c : text)
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  return text;
}

void settleImportedRun(ImportedRun& run) {
  std::int64_t strange = 0, repeated = 0;
  for (ScalarSeries& series : run.series) {
    std::vector<std::size_t> order;
    order.reserve(series.step.size());
    for (std::size_t i = 0; i < series.step.size(); ++i) {
      if (series.step[i] >= 0 && series.step[i] <= kMaxStep)
        order.push_back(i);
      else
        ++strange;
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return series.step[a] < series.step[b]; });
    std::size_t kept = 0;
    for (const std::size_t i : order) {
      if (kept > 0 && series.step[order[kept - 1]] == series.step[i]) {
        order[kept - 1] = i;
        ++repeated;
      } else {
        order[kept++] = i;
      }
    }
    order.resize(kept);
    for (auto* column : columnsOf(series)) {
      std::vector<double> settled;
      settled.reserve(kept);
      for (const std::size_t i : order)
        settled.push_back(column == &series.value ? (*column)[i] : knownPosition((*column)[i]));
      *column = std::move(settled);
    }
  }
  std::erase_if(run.series, [](const ScalarSeries& series) { return series.value.empty(); });
  if (strange > 0)
    run.warnings.push_back(
        Phrase::tr("%1 points are left out: their step is no number from 0 to 2^53")(strange));
  if (repeated > 0)
    run.warnings.push_back(
        Phrase::tr("%1 points come at a step that their metric had already: the last one stays")(repeated));
}

Status writeImportedRun(const std::string& path, const ImportedRun& run, const std::string& name,
                        const std::string& uuid, const std::string& source) {
  RunIdentity identity;
  identity.uuid = uuid;
  identity.name = plainText(name);
  identity.provenance = {{"imported_from", plainText(std::filesystem::path(source).filename().string())},
                         {"format", run.format},
                         {"imported", isoTimeNow()}};
  writePhrases(identity.provenance, "warnings", run.warnings);
  if (!run.name.empty()) identity.provenance["run"] = plainText(run.name);
  std::vector<std::string> names;
  for (const ScalarSeries& series : run.series) names.push_back(series.metric);
  identity.metrics = foreignMetrics(names);
  FATHOM_TRY(const RunFolder folder, RunFolder::create(path, identity));
  RunConfig config;
  config.name = identity.name;
  config.options = run.options;
  FATHOM_TRY(const int attempt, folder.beginAttempt(runConfigToJson(config)));
  double lastStep = 0;
  FATHOM_CHECK(writeEvents(folder.eventsPath(attempt), run, lastStep));
  RunOutcome outcome;
  outcome.state = RunState::Finished;
  outcome.step = outcome.lastFiniteStep = static_cast<std::int64_t>(lastStep);
  outcome.message = Phrase::tr("imported from %1")(run.format);
  outcome.details["imported_from"] = run.format;
  return folder.writeOutcome(attempt, outcome);
}

std::string importOrigin(const Json& provenance) {
  const std::string from = memberText(provenance, "imported_from");
  if (!from.empty()) return memberText(provenance, "format") + " " + from;
  const std::string writer = memberText(memberObject(provenance, "writer"), "program");
  const std::string group = broughtNotes(provenance).group;
  return writer.empty() || group.empty() ? writer : writer + " " + group;
}

}  // namespace fathom
