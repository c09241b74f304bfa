// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/base/options/metric.h"

namespace fathom {

// Facts about the metrics of some runs: those kept with them, then those this program declares
// (programMetrics), then the id itself, which is not compared. The one place where a metric's words, ranks
// and directions are looked up.
class MetricCatalogue {
 public:
  MetricCatalogue() = default;
  explicit MetricCatalogue(const Metrics& kept) { add(kept); }
  // Adds what another run kept (RunIdentity::metrics). Where runs differ, the part that is true of all counts
  // (commonMetric), else the first one's words. A declaration without a title, as importers write them, adds
  // what the program does not say itself, and takes its unit away: nobody knows that.
  void add(const Metrics& kept);
  // Another run has values of this metric and keeps nothing of it: they are what the program declares.
  void addOfProgram(const std::string& id);
  // Ids of the metrics that some run kept otherwise than the program declares them.
  std::vector<std::string> kept() const;
  // Complete: there are always a title and a short title.
  Metric of(const std::string& id) const;
  MetricDirection direction(const std::string& id) const;
  // Ids of the metrics that some run declares as the axis of others, in alphabetical order.
  std::vector<std::string> stepMetrics() const;
  // The ids of these that may be singled out, the one that says most first.
  std::vector<std::string> headlines(const std::vector<std::string>& ids) const;
  // The one of these that says most, else the first of them; "" where there is none.
  std::string leading(const std::vector<std::string>& ids) const;

 private:
  const Metric* find(const std::string& id) const;
  std::map<std::string, Metric> m_kept;  // by id; complete, only what the program declares otherwise
  std::set<std::string> m_stepMetrics;
};

// Without what the program declares in the same way: all of it for a run of this version.
Metrics unknownMetrics(const Metrics& kept);

}  // namespace fathom
