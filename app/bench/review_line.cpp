// SPDX-License-Identifier: GPL-3.0-or-later
#include <string_view>

#include "app/bench/bench_line.h"
#include "app/bench/review_bench.h"
#include "app/predictions/spider_inputs.h"
#include "app/runs/run_json.h"
#include "app/text_table.h"
#include "core/base/errors/error_key.h"
#include "core/base/text/text_list.h"
#include "core/review/reviewed_sql.h"

namespace fathom {

namespace {

// Sources of Spider, which have to be given.
Result<SpiderSources> benchSources(const CommandContext& context) {
  for (const char* key : {"gold", "predictions", "tables"}) {
    const bool list = std::string_view(key) == "predictions";
    if (list ? !context.options.texts(key).empty() : !context.options.text(key).empty()) continue;
    return aboutKey(key, usageError(std::string("review without --kind needs --") + key));
  }
  return spiderSources(context);
}

Result<ReviewTimes> reviewTimes(const CommandContext& context, Progress& progress, const StopToken& stop) {
  const OptionValues& options = context.options;
  const auto count = [&options](const char* key) { return static_cast<int>(options.integer(key)); };
  const std::string kind = options.text("kind");
  if (kind.empty()) {
    ReviewBench bench;
    bench.rounds = count("rounds");
    if (count("models") > 0) bench.models = count("models");
    bench.rows = count("rows");
    FATHOM_TRY(const SpiderSources sources, benchSources(context));
    bench.sources = reviewSourcesOf(sources, categoryPresets().front().id);
    return benchReview(bench, progress, stop);
  }
  FATHOM_TRY(const ReviewKind* known, findReviewKind(kind));
  if (known->id == kSqlReviewId) {
    ReviewBench bench;
    bench.rounds = count("rounds");
    bench.models = count("models") > 0 ? count("models") : KindBench().models;
    bench.rows = count("rows");
    bench.openRows = true;
    bench.sources = reviewSourcesOf(spiderSources(context), categoryPresets().front().id);
    return benchReview(bench, progress, stop);
  }
  KindBench bench;
  bench.rounds = count("rounds");
  if (count("models") > 0) bench.models = count("models");
  bench.rows = count("rows");
  bench.sources.kind = known->id;
  bench.sources.gold = options.text("gold");
  for (const ReviewFile& file : known->files)
    if (options.schema().find(file.key) != nullptr)
      if (const std::string path = options.text(file.key); !path.empty())
        bench.sources.files[file.key] = path;
  for (const std::string& word : options.texts("predictions"))
    bench.sources.predictions.push_back(reviewPredictions(word));
  return benchKindReview(bench, progress, stop);
}

Result<CommandOutput> benchErrors(const CommandContext& context, Progress& progress, const StopToken& stop) {
  const double loadBefore = systemLoad();
  FATHOM_TRY(const ReviewTimes times, reviewTimes(context, progress, stop));
  const auto middle = [](const std::vector<double>& sorted) {
    return sorted.empty() ? 0 : sorted[sorted.size() / 2];
  };
  CommandOutput output;
  output.json = {{"format", 1},
                 {"bench", "review"},
                 {"kind", context.options.text("kind")},
                 {"load", loadBefore},
                 {"examples", times.examples},
                 {"models", times.models},
                 {"rows", times.rows},
                 {"milliseconds",
                  {{"open", times.open},
                   {"open_processor", times.openProcessor},
                   {"judge", times.judge},
                   {"keystroke", times.keystroke}}},
                 {"slowest_filter", times.slowest}};
  TextTable table({"review", "ms"});
  table.addRow({"open " + std::to_string(times.examples) + " x " + std::to_string(times.models),
                joined(times.open, " ", shownNumber)});
  table.addRow({"of that, the processor", joined(times.openProcessor, " ", shownNumber)});
  table.addRow({"set a category, median", shownNumber(middle(times.judge))});
  table.addRow({"set a category, slowest", shownNumber(times.judge.empty() ? 0 : times.judge.back())});
  const std::string rows = " at " + std::to_string(times.rows) + " rows";
  table.addRow({"filter key" + rows + ", median", shownNumber(middle(times.keystroke))});
  table.addRow({"filter key" + rows + ", slowest", shownNumber(times.keystroke.back())});
  if (times.pairs) {
    output.json["milliseconds"]["pairs"] = *times.pairs;
    table.addRow({"models in pairs, in the background", shownNumber(*times.pairs)});
  }
  output.text = table.text() + "slowest filter text: \"" + times.slowest + "\"\n" + loadText(loadBefore);
  return output;
}

}  // namespace

Command reviewLineEntry() {
  return {
      .id = "review",
      .title = "Errors workspace",
      .description = "The Errors workspace on a review: opening, keys of the filter, judging.",
      .group = "Benches",
      .fields = joinedFields(
          {{roundsField(),
            textField("kind", "Kind of review",
                      "A kind as the command review takes it; without --gold its predictions are made up. "
                      "Empty: Spider's files in the workspace's own panels."),
            integerField("models", "Models", "That many; 0 is 8 of Spider, 10 of a kind.", 0).between(0, 64),
            integerField("rows", "Rows", "Examples of the table that is filtered.", 10'000)
                .between(10, 1'000'000)},
           spiderFields(true),
           {questionsField()}}),
      .needsProject = false,
      .program = kBenchProgram,
      .needsPainter = true,
      .run = benchErrors};
}

}  // namespace fathom
