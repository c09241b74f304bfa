// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "app/bench/bench_line.h"
#include "app/bench/foreign_bench.h"
#include "app/runs/run_json.h"
#include "app/text_table.h"
#include "core/base/text/text_list.h"

namespace fathom {

namespace {

double bestOf(const std::vector<double>& seconds) {
  return seconds.empty() ? 0 : *std::min_element(seconds.begin(), seconds.end());
}

void addPeer(TextTable& table, const char* who, const std::vector<double>& seconds,
             const std::string& missing, double ours) {
  const std::string words = missing.empty() ? joined(seconds, " ", shownNumber) + "; ours takes " +
                                                  shownNumber(ours / bestOf(seconds)) + " of its best"
                                            : "absent: " + missing;
  table.addRow({who, words});
}

void addReading(TextTable& table, Json& json, const ReadTimes& times, int runs) {
  const double ours = bestOf(times.ours);
  table.addRow({"TensorBoard, " + std::to_string(runs) + " runs, " + std::to_string(times.points) +
                    " points, " + shownNumber(times.megabytes) + " MB: reading, s",
                joined(times.ours, " ", shownNumber)});
  table.addRow({"import-run, whole process, s", joined(times.whole, " ", shownNumber)});
  addPeer(table, "EventAccumulator, s", times.accumulator, times.accumulatorMissing, ours);
  addPeer(table, "TensorBoard's data server, s", times.fast, times.fastMissing, ours);
  json["reading"] = {{"runs", runs},
                     {"points", times.points},
                     {"megabytes", times.megabytes},
                     {"ours", times.ours},
                     {"import-run", times.whole},
                     {"EventAccumulator", times.accumulator},
                     {"data server", times.fast}};
}

void addLimits(TextTable& table, Json& json, const ReaderLimits& limits) {
  table.addRow({"20 steps of 20,000 scalars, s", shownNumber(limits.wideStep)});
  table.addRow({"1,000 sub-folders in the preview, s", shownNumber(limits.manyFolders)});
  table.addRow({".wandb of " + shownNumber(limits.wandbMegabytes) + " MB, MB/s",
                shownNumber(limits.wandbMegabytes / limits.wandb)});
  table.addRow({"200 followed sources that rest, % of a core", shownNumber(100 * limits.idleShare)});
  json["limits"] = {{"wide_seconds", limits.wideStep},
                    {"folders_seconds", limits.manyFolders},
                    {"wandb_seconds", limits.wandb},
                    {"wandb_megabytes", limits.wandbMegabytes},
                    {"idle_share", limits.idleShare}};
}

void addLogging(TextTable& table, Json& json, const LogTimes& times) {
  Json writers = Json::object();
  for (const LogCost& cost : times.writers) {
    const std::string what = cost.writer == "floor" ? "floor: as much Python that writes nothing"
                                                    : cost.writer + ": a call with five scalars";
    table.addRow({what + ", µs (median, 99.9 %)",
                  cost.missing.empty() ? shownNumber(cost.median) + "  " + shownNumber(cost.worst)
                                       : "absent: " + cost.missing});
    if (cost.missing.empty()) writers[cost.writer] = {{"median_us", cost.median}, {"p999_us", cost.worst}};
  }
  table.addRow({"a small training without and with fathom.py, s (spread without)",
                shownNumber(times.plain) + "  " + shownNumber(times.logged) + "  (" +
                    shownNumber(100 * times.noise) + " %)"});
  json["logging"] = {
      {"writers", writers}, {"plain", times.plain}, {"logged", times.logged}, {"noise", times.noise}};
}

void addCapture(TextTable& table, Json& json, const std::vector<CaptureCost>& costs) {
  json["capture"] = Json::array();
  for (const CaptureCost& cost : costs) {
    const std::string what = "a look into attention, " + std::to_string(cost.tokens) + " tokens: ";
    if (!cost.missing.empty()) {
      table.addRow({what, "absent: " + cost.missing});
      continue;
    }
    table.addRow({what + "plain, eager, fathom.capture, of an eighth of the rows, s",
                  joined(std::vector{cost.plain, cost.eager, cost.all, cost.eighth}, "  ", shownNumber) +
                      "; capture takes " + shownNumber(cost.all / cost.plain) + " and " +
                      shownNumber(cost.eighth / cost.plain) + " of a plain pass"});
    table.addRow({what + "floor (a plain pass, the rows of all layers and their sums alone), s",
                  shownNumber(cost.floor) + "; " + shownNumber(cost.floor / cost.plain) +
                      " of a plain pass, capture takes " + shownNumber(cost.all / cost.floor) + " of it"});
    table.addRow({what + "MB above a plain pass, eager and fathom.capture",
                  shownNumber(cost.eagerMegabytes) + "  " + shownNumber(cost.allMegabytes)});
    json["capture"].push_back({{"tokens", cost.tokens},
                               {"plain", cost.plain},
                               {"eager", cost.eager},
                               {"all", cost.all},
                               {"eighth", cost.eighth},
                               {"floor", cost.floor},
                               {"eager_megabytes", cost.eagerMegabytes},
                               {"all_megabytes", cost.allMegabytes}});
  }
}

Result<CommandOutput> benchForeign(const CommandContext& context, Progress& progress, const StopToken& stop) {
  const int runs = static_cast<int>(context.options.integer("runs"));
  const int rounds = static_cast<int>(context.options.integer("rounds"));
  const double load = systemLoad();
  progress.begin("measuring", "parts", 4);
  FATHOM_TRY(const ReadTimes reading, benchEventRuns(runs, context.options.integer("points"), rounds, stop));
  progress.report(1);
  FATHOM_TRY(const ReaderLimits limits, benchReaderLimits(context.options.real("idle"), stop));
  progress.report(2);
  FATHOM_TRY(const LogTimes logging,
             benchLogging(static_cast<int>(context.options.integer("steps")), rounds, stop));
  progress.report(3);
  FATHOM_TRY(const auto captures, benchCapture(stop));
  progress.finish();
  CommandOutput output;
  output.json = {{"format", 1}, {"bench", "foreign"}, {"load", load}};
  TextTable table({"foreign", ""});
  addReading(table, output.json, reading, runs);
  addLimits(table, output.json, limits);
  addLogging(table, output.json, logging);
  addCapture(table, output.json, captures);
  output.text = table.text() + loadText(load);
  return output;
}

}  // namespace

Command foreignLineEntry() {
  return {
      .id = "foreign",
      .title = "Sources of other programs",
      .description =
          "Reading and following what other programs log, and logging from Python, against theirs.",
      .group = "Benches",
      .fields =
          {integerField("runs", "Runs", "Runs of TensorBoard that are read.", 40).between(1, 1000),
           integerField("points", "Points", "Numbers of each of them.", 20'000).between(10, 500'000),
           integerField("steps", "Steps", "Calls of each writer.", 5'000).between(1000, 1e6),
           realField("idle", "Idle seconds", "How long sources that rest are followed.", 5).between(0.5, 600),
           roundsField()},
      .needsProject = false,
      .program = kBenchProgram,
      .run = benchForeign};
}

}  // namespace fathom
