// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/bench_line.h"
#include "app/bench/figure_peer_bench.h"
#include "app/runs/run_json.h"
#include "app/text_table.h"

namespace fathom {

namespace {

Json lineJson(const FigureBenchLine& line) {
  return {{"first", line.first},
          {"redraw", line.median},
          {"slowest", line.worst},
          {"processor", line.processor},
          {"pdf", line.pdf}};
}

std::vector<std::string> lineRow(const std::string& what, const FigureBenchLine& line) {
  return {what,
          shownNumber(line.first),
          shownNumber(line.median),
          shownNumber(line.worst),
          shownNumber(line.processor),
          shownNumber(line.pdf)};
}

Result<CommandOutput> benchDrawing(const CommandContext& context, Progress& progress, const StopToken& stop) {
  const double loadBefore = systemLoad();
  FigurePeerBench bench;
  bench.rounds = static_cast<int>(context.options.integer("rounds"));
  bench.usualCalls = context.options.flag("usual-calls");
  FATHOM_TRY(const FigurePeerTimes times, benchFigurePeer(bench, progress, stop));
  CommandOutput output;
  output.json = {{"format", 1},
                 {"bench", "figures"},
                 {"load", loadBefore},
                 {"peer", times.peer.empty() ? "absent" : times.peer},
                 {"milliseconds", Json::object()}};
  TextTable table({"figures, ms", "first", "redraw", "slowest redraw", "processor time of a redraw", "PDF"});
  for (const FigureTimes& figure : times.figures) {
    Json& json = output.json["milliseconds"][figure.what] = lineJson(figure.ours);
    table.addRow(lineRow(figure.what, figure.ours));
    if (!figure.peer) continue;
    json["peer"] = lineJson(*figure.peer);
    json["ratio"] = figure.redrawRatio;
    json["ratios"] = {figure.lowest, figure.highest};
    json["pdf_ratio"] = figure.pdfRatio;
    table.addRow(lineRow("  " + times.peer, *figure.peer));
    if (figure.usualPeer) {
      json["usual_calls"] = lineJson(*figure.usualPeer);
      table.addRow(lineRow("  its usual calls", *figure.usualPeer));
    }
    output.text += figure.what + ": redrawn " + shownNumber(figure.redrawRatio) + " times as fast (" +
                   shownNumber(figure.lowest) + " to " + shownNumber(figure.highest) + "), PDF " +
                   shownNumber(figure.pdfRatio) + " times\n";
  }
  if (times.peer.empty()) output.text = "peer absent: packaging/bench-peers.sh fetches it\n";
  output.text = table.text() + output.text + loadText(loadBefore);
  return output;
}

}  // namespace

Command figuresLineEntry() {
  return {.id = "figures",
          .title = "Large figures",
          .description = "Large figures drawn and exported, against matplotlib.",
          .group = "Benches",
          .fields = {roundsField(), flagField("usual-calls", "Usual calls",
                                              "matplotlib also with the calls of its documentation; slow.")},
          .needsProject = false,
          .program = kBenchProgram,
          .needsPainter = true,
          .run = benchDrawing};
}

}  // namespace fathom
