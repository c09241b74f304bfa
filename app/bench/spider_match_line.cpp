// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/bench_line.h"
#include "app/bench/spider_match_bench.h"
#include "app/predictions/spider_inputs.h"
#include "app/runs/run_json.h"
#include "app/text_table.h"
#include "core/base/text/text_list.h"

namespace fathom {

namespace {

Result<CommandOutput> benchSpider(const CommandContext& context, Progress& progress, const StopToken& stop) {
  SpiderMatchBench bench;
  bench.rounds = static_cast<int>(context.options.integer("rounds"));
  const SpiderSources sources = spiderSources(context);
  if (sources.predictions.size() > 1) return usageError("spider-match takes one file of --predictions");
  bench.gold = sources.gold;
  bench.predictions = sources.predictions.front().path;
  bench.tables = sources.tables;
  bench.databases = sources.databases;
  const double loadBefore = systemLoad();
  FATHOM_TRY(const SpiderMatchTimes times, benchSpiderMatch(bench, progress, stop));
  CommandOutput output;
  output.json = {{"format", 1},
                 {"bench", "spider-match"},
                 {"load", loadBefore},
                 {"examples", times.examples},
                 {"right", times.right},
                 {"peer", times.peer.empty() ? "absent" : times.peer},
                 {"milliseconds",
                  {{"process", times.ours},
                   {"scoring", times.ourScoring},
                   {"peer process", times.peers},
                   {"peer scoring", times.peerScoring}}}};
  TextTable table({"spider-match", "ms"});
  table.addRow({"whole process", joined(times.ours, " ", shownNumber)});
  table.addRow({"reading and scoring", joined(times.ourScoring, " ", shownNumber)});
  if (times.peer.empty()) {
    output.text = "peer absent: packaging/bench-peers.sh fetches it\n";
  } else {
    table.addRow({"peer, whole process", joined(times.peers, " ", shownNumber)});
    table.addRow({"peer, scoring", joined(times.peerScoring, " ", shownNumber)});
    output.json["ratio"] = times.ratio;
    output.json["ratios"] = {times.lowest, times.highest};
    output.text = "the same scores: " + std::to_string(times.right) + " of " +
                  std::to_string(times.examples) + " right; whole process " + shownNumber(times.ratio) +
                  " times as fast (" + shownNumber(times.lowest) + " to " + shownNumber(times.highest) +
                  ")\n";
  }
  output.text = table.text() + output.text + loadText(loadBefore);
  return output;
}

}  // namespace

Command spiderMatchLineEntry() {
  return {.id = "spider-match",
          .title = "Spider exact match",
          .description = "Spider's exact match, whole processes, against its evaluation script.",
          .group = "Benches",
          .fields = joinedFields({{roundsField()}, spiderFields(true)}),
          .required = {"gold", "predictions", "tables", "databases"},
          .needsProject = false,
          .program = kBenchProgram,
          .run = benchSpider};
}

}  // namespace fathom
