// SPDX-License-Identifier: Apache-2.0
#include "core/record/events/system_samples.h"

#include <algorithm>
#include <cmath>

#include "core/base/files/path_facts.h"
#include "core/record/events/retreats.h"

namespace fathom {

const SystemSeries* RunSystem::find(std::string_view name) const {
  const auto found =
      std::find_if(series.begin(), series.end(), [&](const SystemSeries& each) { return each.name == name; });
  return found == series.end() ? nullptr : &*found;
}

SystemSamples::SystemSamples(std::string runPath) : m_run(std::move(runPath)) {}

void SystemSamples::take(double seconds, std::string_view name, double value, double time) {
  if (!std::isfinite(value) || !std::isfinite(seconds)) return;
  auto found = m_places.find(name);
  if (found == m_places.end()) {
    found = m_places.emplace(std::string(name), m_samples.series.size()).first;
    m_samples.series.push_back({std::string(name), {}, {}});
    m_times.emplace_back();
  }
  SystemSeries& series = m_samples.series[found->second];
  series.seconds.push_back(series.seconds.empty() ? seconds : std::max(seconds, series.seconds.back()));
  series.values.push_back(value);
  m_times[found->second].push_back(time);
  ++m_values;
}

// The time of the run goes on where what is left ends.
void SystemSamples::giveWay(const LoadSpan& span) {
  std::vector<SystemSeries> left;
  std::vector<std::vector<double>> leftTimes;
  m_places.clear();
  m_end = 0;
  for (std::size_t at = 0; at < m_samples.series.size(); ++at) {
    const SystemSeries& before = m_samples.series[at];
    SystemSeries series{before.name, {}, {}};
    std::vector<double> times;
    for (std::size_t i = 0; i < before.values.size(); ++i) {
      const double time = m_times[at][i];
      if (time >= span.from && time <= span.to) continue;
      series.seconds.push_back(before.seconds[i]);
      series.values.push_back(before.values[i]);
      times.push_back(time);
    }
    if (times.empty()) continue;
    m_end = std::max(m_end, series.seconds.back());
    m_places.emplace(series.name, left.size());
    left.push_back(std::move(series));
    leftTimes.push_back(std::move(times));
  }
  m_samples.series = std::move(left);
  m_times = std::move(leftTimes);
  m_start = m_end;
  m_clock = RunClock();
  ++m_values;
}

Status SystemSamples::pollAttempt(int attempt) {
  if (attempt != m_attempt) {
    m_badBefore = m_samples.badLines;
    m_reader = std::make_unique<SystemReader>(systemStreamPath(m_run, attempt));
    m_clock = RunClock();
    m_start = m_end;
    m_attempt = attempt;
  }
  const auto at = [this](double time) { return m_end = m_start + m_clock.at(time); };
  const Status read = m_reader->poll({[&](double time, const MachineFacts& facts) {
                                        (void)at(time);
                                        m_samples.machine = facts;
                                      },
                                      [&](double time, const auto& values) {
                                        const double seconds = at(time);
                                        for (const auto& [name, value] : values)
                                          take(seconds, name, value, time);
                                      },
                                      [&](const LoadSpan& span) { giveWay(span); }});
  m_samples.badLines = m_badBefore + m_reader->badLines();
  return read;
}

Status SystemSamples::takePoints() {
  m_pointsRead = true;
  const auto visited = visitRunScalars(m_run.path(), [this](const ScalarRow& row) -> Status {
    for (const auto& [name, value] : row.values)
      if (name.starts_with(system_name::kPrefix)) take(row.seconds, name, value, row.clock);
    return {};
  });
  return visited.ok() ? Status() : Status(visited.error());
}

bool SystemSamples::poll() {
  const std::int64_t before = m_values;
  const MachineFacts known = m_samples.machine;
  const bool whole = !m_samples.problem;
  const auto take = [this](const Status& read) {
    if (!read.ok() && !m_samples.problem) m_samples.problem = read.error();
  };
  for (const int attempt : m_run.attempts())
    if (attempt >= m_attempt) take(pollAttempt(attempt));
  if (m_samples.series.empty() && !m_pointsRead && isForeignRun(m_run)) take(takePoints());
  const MachineFacts& now = m_samples.machine;
  return m_values != before || now.neededBytes != known.neededBytes || now.cores != known.cores ||
         (whole && m_samples.problem);
}

RunSystem readRunSystem(const std::string& runPath) {
  SystemSamples samples(runPath);
  (void)samples.poll();
  return samples.samples();
}

double measuredMemory(const RunSystem& system, bool onCard) {
  double ofRun = 0, ofCard = 0;
  for (const SystemSeries& series : system.series) {
    const double most = *std::max_element(series.values.begin(), series.values.end());
    const bool card = series.name.starts_with(system_name::kCard);
    const bool host = series.name == system_name::kProcessPeak || series.name == system_name::kProcessMemory;
    if (onCard ? card && series.name.ends_with("_process_memory") : host) ofRun = std::max(ofRun, most);
    if (card && series.name.ends_with("_memory")) ofCard = std::max(ofCard, most);
  }
  return onCard && ofRun == 0 ? ofCard : ofRun;
}

SystemSeries thinned(const SystemSeries& series, std::size_t most) {
  const std::size_t count = series.values.size();
  if (count <= most || most < 2) return series;
  SystemSeries result{series.name, {}, {}};
  const std::size_t stretches = most / 2;
  for (std::size_t i = 0; i < stretches; ++i) {
    const auto begin = series.values.begin() + static_cast<std::ptrdiff_t>(count * i / stretches);
    const auto end = series.values.begin() + static_cast<std::ptrdiff_t>(count * (i + 1) / stretches);
    auto [low, high] = std::minmax_element(begin, end);
    if (low > high) std::swap(low, high);
    for (const auto& point : {low, high}) {
      const auto index = static_cast<std::size_t>(point - series.values.begin());
      result.seconds.push_back(series.seconds[index]);
      result.values.push_back(*point);
      if (low == high) break;
    }
  }
  return result;
}

}  // namespace fathom
