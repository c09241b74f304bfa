// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/glue/glue_results.h"

#include <algorithm>
#include <iterator>

#include "core/tasks/glue/glue_metrics.h"
#include "core/tasks/glue/glue_rules.h"

namespace fathom {

namespace {

// Tables of one's own come after GLUE's.
constexpr GlueKind kPrinted[] = {GlueKind::Mnli, GlueKind::Qqp,  GlueKind::Qnli,
                                 GlueKind::Sst2, GlueKind::Cola, GlueKind::Stsb,
                                 GlueKind::Mrpc, GlueKind::Rte,  GlueKind::Table};
constexpr int kLinesOfKind = 10;

std::string titleOfKind(GlueKind kind) {
  return std::find_if(std::begin(kGlueKinds), std::end(kGlueKinds),
                      [kind](const EnumWord<GlueKind>& each) { return each.value == kind; })
      ->title;
}

// "train.tsv" says nothing: the folder then.
std::string nameOfTable(const std::string& path) {
  std::string name = path;
  while (name.ends_with('/')) name.pop_back();
  const auto last = [&name] { return name.substr(name.rfind('/') + 1); };
  std::string stem = last().substr(0, last().find('.'));
  if (stem != "train" || name.find('/') == std::string::npos) return stem;
  name.resize(name.rfind('/'));
  return last();
}

}  // namespace

std::vector<ResultLine> glueResultLines(const Json& options) {
  const GlueKind kind = valueOf(kGlueKinds, options.value("glue.task", kGlueKinds[0].word));
  const auto printed = std::find(std::begin(kPrinted), std::end(kPrinted), kind);
  const int place = kLinesOfKind * static_cast<int>(printed - std::begin(kPrinted));
  if (kind == GlueKind::Mnli)
    return {{"mnli_m", "MNLI-m", "valid.accuracy", place},
            {"mnli_mm", "MNLI-nm", "valid.accuracy_mm", place + 1}};
  GlueRule rule = glueRule(kind);
  std::string entry = wordOf(kGlueKinds, kind);
  std::string title = titleOfKind(kind);
  if (kind == GlueKind::Table) {
    title = nameOfTable(options.value("data.train", ""));
    entry += ":" + options.value("data.train", "");
    rule.metrics = {glueMetricIds(options.value("glue.label_kind", "") == "number").front()};
  }
  std::vector<ResultLine> lines;
  for (const std::string& id : rule.metrics) {
    const GlueMetric& metric = glueMetric(id);
    const bool alone = rule.metrics.size() == 1 && &metric == &glueMetricTable().front();
    lines.push_back({entry, alone ? title : title + " " + metric.suffix, metric.scalar.id,
                     place + static_cast<int>(lines.size())});
  }
  return lines;
}

}  // namespace fathom
