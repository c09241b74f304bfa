// SPDX-License-Identifier: Apache-2.0
#include "core/library/metric_catalogue.h"

#include <algorithm>
#include <limits>

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
  if (metric.title.empty() && known != nullptr) return *known;
  return metric;
}

int rankOf(const Metric* metric) {
  return metric == nullptr || metric->headline <= 0 ? std::numeric_limits<int>::max() : metric->headline;
}

}  // namespace

void MetricCatalogue::add(const Metrics& kept) {
  for (const Metric& metric : unknownMetrics(kept)) m_kept.try_emplace(metric.id, metric);
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

std::string MetricCatalogue::headline(const std::vector<std::string>& ids) const {
  std::string best;
  int rank = std::numeric_limits<int>::max();
  for (const std::string& id : ids) {
    const int own = rankOf(find(id));
    if (own >= rank) continue;
    rank = own;
    best = id;
  }
  return best;
}

std::vector<std::string> MetricCatalogue::headlines(Order order) const {
  std::vector<std::string> ids;
  for (const Metric& metric : programMetrics())
    if (of(metric.id).headline > 0) ids.push_back(metric.id);
  for (const auto& [id, metric] : m_kept)
    if (metric.headline > 0 && ofProgram(id) == nullptr) ids.push_back(id);
  if (order == Order::ByRank)
    std::stable_sort(ids.begin(), ids.end(), [this](const std::string& a, const std::string& b) {
      return rankOf(find(a)) < rankOf(find(b));
    });
  return ids;
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
