// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/bench_line.h"
#include "app/bench/page_drag_bench.h"
#include "app/bench/window_bench.h"
#include "app/runs/run_json.h"
#include "app/text_table.h"
#include "core/base/text/text_list.h"

namespace fathom {

namespace {

double middleOfSorted(const std::vector<double>& sorted) {
  return sorted.empty() ? 0 : sorted[sorted.size() / 2];
}

Result<CommandOutput> benchOfWindow(const CommandContext& context, Progress& progress,
                                    const StopToken& stop) {
  const double loadBefore = systemLoad();
  FATHOM_TRY(std::vector<WindowTime> times,
             benchWindow(static_cast<int>(context.options.integer("rounds")), progress, stop));
  FATHOM_TRY(WindowTime drag, benchPageDrag(progress, stop));
  times.push_back(std::move(drag));
  CommandOutput output;
  output.json = {{"format", 1}, {"bench", "window"}, {"load", loadBefore}, {"milliseconds", Json::object()}};
  TextTable table({"window", "painted ms", "of that, the processor", "bar", "slowest", "then away for"});
  std::vector<std::string> over;
  for (const WindowTime& time : times) {
    const double middle = middleOfSorted(time.processor);  // others may want the cores
    output.json["milliseconds"][time.id] = {
        {"painted", time.painted}, {"processor", time.processor}, {"bar", time.bar}, {"pause", time.pause}};
    table.addRow({time.what, shownNumber(middleOfSorted(time.painted)), shownNumber(middle),
                  shownNumber(time.bar), shownNumber(time.painted.back()), shownNumber(time.pause)});
    if (middle > time.bar) over.push_back(time.what + " takes " + shownNumber(middle) + " ms");
  }
  output.text = table.text() + loadText(loadBefore);
  if (!over.empty() && context.options.flag("check")) return dataError("over the bar: " + joined(over));
  return output;
}

}  // namespace

Command windowLineEntry() {
  return {.id = "window",
          .title = "The window under a hand",
          .description =
              "From an action until what it changes in sight is painted: theme, size of texts, "
              "language, keys in the form and in its search, a panel that is dragged over a page; and "
              "how long the window answers nothing afterwards.",
          .group = "Benches",
          .fields = {roundsField(), flagField("check", "Check the bars",
                                              "A median of processor time over its bar is an error.", false)},
          .needsProject = false,
          .program = kBenchProgram,
          .needsPainter = true,
          .run = benchOfWindow};
}

}  // namespace fathom
