// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/json/json.h"

namespace fathom {

// Which values of a metric are the better ones; None: they are not compared.
enum class MetricDirection { None, Lower, Higher };
// Is `a` better than `b`? Never where values are not compared.
bool isBetter(MetricDirection direction, double a, double b);

// Description of a scalar of a run, declared once, beside the task, objective or loop that reports it. The
// engine describes it, a run keeps what its own engine declared (run.json), and MetricCatalogue
// (core/library/runs/metric_catalogue.h) answers everybody who prints, ranks or compares one.
struct Metric {
  std::string id;          // its name in events, options and --json: "valid.bleu"
  std::string title;       // in full, as axes say it, without the unit: "validation BLEU"
  std::string shortTitle;  // in tables, menus and small panels: "BLEU"; "" = the title
  std::string unit;        // "nats per token"; "" = none, or it is in the title
  MetricDirection direction = MetricDirection::None;
  int headline = 0;   // 1 says most about a run, then 2, ...; 0 is never singled out
  int decimals = -1;  // digits after the point in tables of results; -1 = as the value asks for
  // Metric of the same run over whose values this one is drawn (W&B's define_metric); "" = none.
  std::string stepMetric = {};
  bool operator==(const Metric&) const = default;
};
using Metrics = std::vector<Metric>;
// Short forms for declaring them: {id, title, short title, unit, direction, headline, decimals}.
inline constexpr MetricDirection kLowerIsBetter = MetricDirection::Lower,
                                 kHigherIsBetter = MetricDirection::Higher;
inline constexpr const char* kNatsPerToken = "nats per token";

// Null if it is not among them.
const Metric* findMetric(const Metrics& metrics, std::string_view id);
// "validation nll (nats per token)", "validation BLEU".
Phrase titleWithUnit(const Metric& metric);

// [{"id","title","short_title","unit","direction":"lower|higher","headline","decimals","step_metric"}]: empty
// ones are left out. Reading passes over what is no declaration: a run of another version may say more.
Json metricsToJson(const Metrics& metrics);
Metrics metricsFromJson(const Json& json);

// Every metric that this program declares, in the order in which curves are first shown. Defined by
// core/tasks (run_metrics.h), which whoever calls it links.
const Metrics& programMetrics();

}  // namespace fathom
