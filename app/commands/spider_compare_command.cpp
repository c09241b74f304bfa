// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/predictions/judged_text.h"
#include "app/predictions/spider_inputs.h"
#include "app/text_table.h"
#include "core/analysis/statistics/paired_test.h"
#include "core/spider/judgement/error_breakdown.h"

namespace fathom {

namespace {

constexpr double kPoints = 100;  // a share in JSON, as in reviews

// Examples whose gold query is refused are left out, as in the score.
std::vector<int> rightOf(const SpiderModel& model) {
  std::vector<int> right;
  for (const auto& verdict : model.evaluation.verdicts)
    if (!verdict.goldError) right.push_back(verdict.match.exact);
  return right;
}

std::vector<double> gapsOf(const std::vector<int>& first, const std::vector<int>& second) {
  std::vector<double> gaps;
  for (std::size_t i = 0; i < first.size(); ++i) gaps.push_back(first[i] - second[i]);
  return gaps;
}

Json barsJson(const std::vector<SpiderModel>& models,
              const std::vector<std::vector<ErrorCategory>>& categories,
              const std::vector<std::size_t>& set) {
  Json out = {{"examples", set.size()}};
  for (const auto& [name, rule] :
       {std::pair{"remove_if_false_negative_for_that_model", FalseNegativeRule::ThatModel},
        std::pair{"remove_if_false_negative_for_any_model", FalseNegativeRule::AnyModel}}) {
    const auto bars = errorBars(categories, set, rule);
    for (std::size_t m = 0; m < models.size(); ++m) {
      out[name][models[m].name] = {{"examples", bars[m].examples},
                                   {"column", bars[m].column},
                                   {"sketch", bars[m].sketch},
                                   {"column_share", partJson(bars[m].column, bars[m].examples)},
                                   {"sketch_share", partJson(bars[m].sketch, bars[m].examples)}};
    }
  }
  return out;
}

// Table 6 and the sets of figures 3 and 4.
std::string modelsText(const std::vector<SpiderModel>& models,
                       const std::vector<std::vector<ErrorCategory>>& categories) {
  TextTable table({"model", "exact match %", "95 %", "false negative", "column", "sketch", "both"});
  for (std::size_t m = 0; m < models.size(); ++m) {
    const auto counts = countCategories(categories[m]);
    const int n = models[m].evaluation.levels[4].count, k = models[m].evaluation.exactCount;
    const Interval interval = wilsonInterval(k, n);
    table.addRow({models[m].name, partText(k, n),
                  n == 0 ? "-" : percentText(interval.low) + "-" + percentText(interval.high),
                  std::to_string(counts.falseNegative), std::to_string(counts.column),
                  std::to_string(counts.sketch), std::to_string(counts.both)});
  }
  return table.text() + "\nwrong in every model: " + std::to_string(failingInAll(categories).size()) +
         "\nwrong in some model: " + std::to_string(failingInAny(categories).size()) + "\n";
}

Json comparePairs(const std::vector<SpiderModel>& models, std::string& text) {
  Json out = Json::array();
  TextTable table({"first", "second", "only first right", "only second right", "McNemar p", "difference",
                   "bootstrap 95 %"});
  for (std::size_t a = 0; a < models.size(); ++a) {
    for (std::size_t b = a + 1; b < models.size(); ++b) {
      const auto first = rightOf(models[a]), second = rightOf(models[b]);
      const McNemarTest test = mcnemarTest(first, second);
      const PairedBootstrap boot = bootstrapMean(gapsOf(first, second));
      out.push_back({{"first", models[a].name},
                     {"second", models[b].name},
                     {"only_first", test.onlyFirst},
                     {"only_second", test.onlySecond},
                     {"mcnemar_p", test.pExact},
                     {"mcnemar_chi_square", test.chiSquare},
                     {"difference", kPoints * boot.difference},
                     {"bootstrap_low", kPoints * boot.interval.low},
                     {"bootstrap_high", kPoints * boot.interval.high},
                     {"bootstrap_p", boot.p},
                     {"resamples", boot.resamples},
                     {"examples", first.size()},
                     {"gold_errors_left_out", models[a].pairs.size() - first.size()}});
      table.addRow({models[a].name, models[b].name, std::to_string(test.onlyFirst),
                    std::to_string(test.onlySecond), probabilityText(test.pExact, 3),
                    percentText(boot.difference),
                    percentText(boot.interval.low) + " to " + percentText(boot.interval.high)});
    }
  }
  if (models.size() < 2) return out;
  text += "\n" + table.text();
  const auto scored = rightOf(models.front()).size(), all = models.front().pairs.size();
  if (scored < all)
    text +=
        std::to_string(all - scored) + " examples whose gold query is refused are left out of the tests\n";
  return out;
}

// Beside the numbers of the metric those by people's verdicts, where somebody judged.
Status addPeoplesPairs(const JudgedReview& judged, CommandOutput& output, const StopToken& stop) {
  output.json["people"] = judgedJson(judged);
  if (judged.judged == 0) return {};
  FATHOM_TRY(const auto pairs, comparePeoplesPairs(judged, stop));
  for (std::size_t i = 0; i < pairs.size(); ++i)
    output.json["pairs"][i]["people"] = pairNumbersJson(*judged.review.kind, pairs[i]);
  output.text += peoplesPairsText(judged, pairs);
  return {};
}

Status writeTable(const std::string& path, const std::vector<SpiderModel>& models,
                  const std::vector<std::vector<ErrorCategory>>& categories) {
  std::vector<std::vector<std::string>> rows = {{"index", "db_id", "hardness", "gold"}};
  for (const auto& model : models) rows[0].push_back(model.name);
  for (std::size_t i = 0; i < models.front().pairs.size(); ++i) {
    const auto& pair = models.front().pairs[i];
    std::vector<std::string> row = {std::to_string(i), pair.dbId,
                                    hardnessName(models.front().evaluation.verdicts[i].hardness), pair.gold};
    for (const auto& model : categories) row.emplace_back(errorCategoryName(model[i]));
    rows.push_back(std::move(row));
  }
  return writeCsv(path, rows);
}

Result<CommandOutput> comparePredictions(const CommandContext& context, Progress& progress,
                                         const StopToken& stop) {
  FATHOM_TRY(const CategorisedReview all, categorisedReview(context, progress, stop));
  const auto& models = all.review.models;
  CommandOutput output;
  output.json["preset"] = all.review.preset.id;
  output.json["models"] = Json::array();
  for (std::size_t m = 0; m < models.size(); ++m) {
    const auto counts = countCategories(all.categories[m]);
    const SpiderEvaluation& evaluation = models[m].evaluation;
    const Interval interval = wilsonInterval(evaluation.exactCount, evaluation.levels[4].count);
    output.json["models"].push_back({{"name", models[m].name},
                                     {"right", evaluation.exactCount},
                                     {"examples", evaluation.levels[4].count},
                                     {"low", kPoints * interval.low},
                                     {"high", kPoints * interval.high},
                                     {"by_hand", all.byHand[m]}});
    addCategoryCounts(counts, output.json["models"].back());
    if (all.execution.empty()) continue;
    output.json["models"].back()["execution"] = executionCounts(all.execution[m]);
    addExecutedCounts(all.execution[m], true, output.json["models"].back());
  }
  output.json["wrong_in_all"] = barsJson(models, all.categories, failingInAll(all.categories));
  output.json["wrong_in_any"] = barsJson(models, all.categories, failingInAny(all.categories));
  output.text = modelsText(models, all.categories);
  output.json["pairs"] = comparePairs(models, output.text);
  if (all.people) FATHOM_CHECK(addPeoplesPairs(*all.people, output, stop));
  if (!all.execution.empty()) {
    std::vector<ExecutedModel> executed;
    for (std::size_t m = 0; m < models.size(); ++m) executed.push_back({models[m].name, all.execution[m]});
    output.text += "\n" + executedText(executed, true);
    output.json["databases"] = suiteJson(suiteOf(context.options.text("databases"), all.review.gold));
  }
  output.json["notes"] = spiderNotes(all.review);
  if (const auto path = context.options.text("csv"); !path.empty()) {
    FATHOM_CHECK(writeTable(path, models, all.categories));
    output.wrote(path);
  }
  return output;
}

}  // namespace

Command spiderCompareCommandEntry() {
  return {
      .id = "spider-compare",
      .title = "Compare Text-to-SQL systems",
      .description =
          "Compares any number of prediction files: error categories, common failures, significance.",
      .group = "Text-to-SQL",
      .fields = joinedFields({spiderFields(true), categoryFields(), executionFields(), {rowsFileField()}}),
      .required = {"gold", "predictions", "tables"},
      .positional = "predictions",
      .needsProject = false,
      .writes = {"csv"},
      .run = comparePredictions};
}

}  // namespace fathom
