// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "app/bench/bench_line.h"
#include "app/bench/host_bench.h"
#include "app/runs/run_json.h"
#include "app/text_table.h"
#include "core/base/options/field_builder.h"
#include "core/base/text/text_list.h"

namespace fathom {

namespace {

double middleOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

void addTimes(TextTable& table, Json& json, const char* what, const std::vector<double>& seconds) {
  const double worst = seconds.empty() ? 0 : seconds.back();
  table.addRow(
      {std::string(what) + ", s: median, worst", shownNumber(middleOf(seconds)) + "  " + shownNumber(worst)});
  json[what] = {{"median", middleOf(seconds)}, {"worst", worst}};
}

std::string rateText(const std::vector<double>& seconds, double megabytes) {
  return shownNumber(megabytes / middleOf(seconds)) + " MB/s";
}

Result<CommandOutput> benchOfHost(const CommandContext& context, Progress& progress, const StopToken& stop) {
  const double load = systemLoad();
  HostBenchSize size;
  size.runs = static_cast<int>(context.options.integer("runs"));
  size.events = static_cast<int>(context.options.integer("events"));
  size.rounds = static_cast<int>(context.options.integer("rounds"));
  size.idleSeconds = context.options.real("idle");
  size.megabytes = context.options.real("megabytes");
  FATHOM_TRY(const HostBench bench, benchHost(size, progress, stop));
  CommandOutput output;
  output.json = {{"format", 1}, {"bench", "host"}, {"load", load}, {"runs", size.runs}};
  TextTable table({"host", ""});
  addTimes(table, output.json, "written to arrived", bench.arrived);
  addTimes(table, output.json, "written to drawn", bench.drawn);
  table.addRow({"idle, here: % of a core", shownNumber(100 * bench.client)});
  table.addRow({"idle, there: % of a core", shownNumber(100 * bench.host)});
  table.addRow({"idle: bytes a second of ssh", shownNumber(bench.bytes)});
  output.json["idle"] = {{"here", bench.client}, {"there", bench.host}, {"bytes", bench.bytes}};
  table.addRow(
      {"catching up " + shownNumber(bench.megabytes) + " MB", rateText(bench.ours, bench.megabytes)});
  table.addRow({"sftp", bench.sftp.empty()
                            ? "absent: " + bench.sftpMissing
                            : rateText(bench.sftp, bench.megabytes) + "; ours reaches " +
                                  shownNumber(middleOf(bench.sftp) / middleOf(bench.ours)) + " of it"});
  output.json["catch_up"] = {{"megabytes", bench.megabytes}, {"ours", bench.ours}, {"sftp", bench.sftp}};
  output.text = table.text() + loadText(load);
  return output;
}

}  // namespace

Command hostLineEntry() {
  return {.id = "host",
          .title = "Runs of a host",
          .description =
              "Over a real sshd of this user on the loopback: from an event's write there until its "
              "curve is drawn here, what a connection costs at rest, and catching up against sftp.",
          .group = "Benches",
          .fields = {integerField("runs", "Runs", "Runs that write some three events a second.", 50)
                         .between(1, 1000),
                     integerField("events", "Events", "Events that are followed.", 100).between(5, 10'000),
                     realField("idle", "Idle seconds", "How long nothing happens.", 20).between(1, 600),
                     realField("megabytes", "Megabytes", "Size of the log that is caught up with.", 100)
                         .between(1, 10'000),
                     roundsField()},
          .needsProject = false,
          .program = kBenchProgram,
          .needsPainter = true,
          .run = benchOfHost};
}

}  // namespace fathom
