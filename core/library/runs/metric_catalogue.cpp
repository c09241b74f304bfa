// SPDX-License-Identifier: Apache-2.0
#include "core/library/runs/metric_catalogue.h"

#include <algorithm>

#include "core/base/options/metric_kinds.h"

namespace fathom {

namespace {

const Metric* ofProgram(const std::string& id) {
  static const std::map<std::string, const Metric*> kById = [] {
    std::map<std::string, const Metric*> byId;
    for (const Metric& metric : programMetrics()) byId.emplace(metric.id, &metric);
    return byId;
  }();
  const auto found = kById.find(id);
  return found == kById.end() ? nullptr : found->second;
}

Metric completed(Metric metric) {
  const Metric* known = ofProgram(metric.id);
  if (!metric.title.empty() || known == nullptr) return metric;
  Metric whole = *known;
  whole.unit.clear();
  whole.stepMetric = metric.stepMetric;
  return whole;
}

}  // namespace

void MetricCatalogue::add(const Metrics& kept) {
  for (const Metric& metric : unknownMetrics(kept)) {
    const auto [known, fresh] = m_kept.try_emplace(metric.id, metric);
    if (!fresh) known->second = commonMetric(known->second, metric);
    if (!metric.stepMetric.empty()) m_stepMetrics.insert(metric.stepMetric);
  }
}

std::vector<std::string> MetricCatalogue::stepMetrics() const {
  return {m_stepMetrics.begin(), m_stepMetrics.end()};
}

void MetricCatalogue::addOfProgram(const std::string& id) {
  const auto known = m_kept.find(id);
  const Metric* declared = ofProgram(id);
  if (known != m_kept.end() && declared != nullptr) known->second = commonMetric(known->second, *declared);
}

std::vector<std::string> MetricCatalogue::kept() const {
  std::vector<std::string> ids;
  for (const auto& [id, metric] : m_kept) ids.push_back(id);
  return ids;
}

const Metric* MetricCatalogue::find(const std::string& id) const {
  const auto kept = m_kept.find(id);
  return kept != m_kept.end() ? &kept->second : ofProgram(id);
}

Metric MetricCatalogue::of(const std::string& id) const {
  const Metric* known = find(id);
  Metric metric = known != nullptr ? *known : Metric{};
  metric.id = id;
  if (metric.title.empty()) metric.title = id;
  if (metric.shortTitle.empty()) metric.shortTitle = metric.title;
  return metric;
}

MetricDirection MetricCatalogue::direction(const std::string& id) const {
  const Metric* known = find(id);
  return known == nullptr ? MetricDirection::None : known->direction;
}

std::vector<std::string> MetricCatalogue::headlines(const std::vector<std::string>& ids) const {
  std::vector<std::pair<int, std::string>> ranked;
  for (const std::string& id : ids)
    if (const Metric* known = find(id); known != nullptr && known->headline > 0)
      ranked.emplace_back(known->headline, id);
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> sorted;
  for (auto& [rank, id] : ranked) sorted.push_back(std::move(id));
  return sorted;
}

std::string MetricCatalogue::leading(const std::vector<std::string>& ids) const {
  const std::vector<std::string> first = headlines(ids);
  if (!first.empty()) return first.front();
  return ids.empty() ? std::string() : ids.front();
}

Metrics unknownMetrics(const Metrics& kept) {
  Metrics unknown;
  for (const Metric& metric : kept) {
    const Metric whole = completed(metric);
    const Metric* known = ofProgram(whole.id);
    if (known == nullptr || !(*known == whole)) unknown.push_back(whole);
  }
  return unknown;
}

}  // namespace fathom
