// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>

#include "app/predictions/spider_inputs.h"
#include "app/text_table.h"
#include "core/analysis/statistics/paired_test.h"
#include "core/base/files/atomic_file.h"
#include "core/base/text/csv.h"

namespace fathom {

namespace {

// "index,tag" per line, a heading line or none.
Result<std::map<std::string, std::vector<std::size_t>>> readTags(const std::string& path, std::size_t count) {
  std::map<std::string, std::vector<std::size_t>> tags;
  if (path.empty()) return tags;
  FATHOM_TRY(const std::string text, readFile(path, std::size_t{64} << 20));
  FATHOM_TRY(const auto rows, parseCsv(text, path));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::int64_t index = -1;
    const bool number = rows[r].size() == 2 && pythonInt(rows[r][0], index);
    if (!number && r == 0) continue;
    if (!number || index < 0 || index >= static_cast<std::int64_t>(count)) {
      return dataErrorAt(path, static_cast<std::int64_t>(r) + 1,
                         Phrase::tr("an example's number (0 to %1) and a tag expected")(count - 1));
    }
    tags[rows[r][1]].push_back(static_cast<std::size_t>(index));
  }
  return tags;
}

Result<CommandOutput> slices(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const SpiderReview review, loadSpiderReview(context, progress, stop));
  const SpiderModel& first = review.models.front();
  SliceInputs more;
  more.questions = review.questions;
  more.categories = first.verdicts;
  more.features = review.features;
  FATHOM_TRY(more.tags, readTags(context.options.text("tags"), review.examples()));
  const auto found = buildSlices(first.pairs, first.evaluation, review.schemas, more);
  std::vector<std::string> head = {"group", "slice", "examples"};
  for (const auto& model : review.models) head.push_back(model.name + " %");
  TextTable table(head);
  std::vector<std::vector<std::string>> rows = {head};
  CommandOutput output;
  output.json["slices"] = Json::array();
  for (const auto& slice : found) {
    std::vector<std::string> row = {slice.group, slice.name, std::to_string(slice.examples.size())};
    Json models = Json::object();
    for (const auto& model : review.models) {
      int right = 0;
      for (const auto example : slice.examples) right += model.evaluation.verdicts[example].match.exact;
      const auto n = static_cast<int>(slice.examples.size());
      const Interval interval = wilsonInterval(right, n);
      models[model.name] = {{"right", right}, {"low", interval.low}, {"high", interval.high}};
      row.push_back(partText(right, n));
    }
    output.json["slices"].push_back({{"group", slice.group},
                                     {"name", slice.name},
                                     {"examples", slice.examples.size()},
                                     {"models", std::move(models)}});
    table.addRow(row);
    rows.push_back(std::move(row));
  }
  output.json["query_variance"] = Json::object();
  TextTable variance(
      {"model", "query variance %", "queries asked in several ways", "answered at least once"});
  for (const auto& model : review.models) {
    const QueryVariance found = queryVariance(model.pairs, model.evaluation);
    output.json["query_variance"][model.name] = {{"score", found.answered == 0 ? Json() : Json(found.score)},
                                                 {"queries", found.queries},
                                                 {"answered", found.answered}};
    variance.addRow({model.name, found.answered == 0 ? "-" : percentText(found.score),
                     std::to_string(found.queries), std::to_string(found.answered)});
  }
  output.json["notes"] = spiderNotes(review);
  output.text = table.text() + "\n" + variance.text();
  if (const auto path = context.options.text("csv"); !path.empty()) {
    FATHOM_CHECK(writeCsv(path, rows));
    output.wrote(path);
  }
  return output;
}

}  // namespace

Command spiderSlicesCommandEntry() {
  return {.id = "spider-slices",
          .title = "Scores by slice",
          .description =
              "Exact match by hardness, database, category, SQL features, question length and own tags.",
          .group = "Text-to-SQL",
          .fields = joinedFields(
              {spiderFields(true),
               {questionsField(),
                pathField("tags", "Own tags", "CSV file with the number of an example and a tag per line."),
                rowsFileField("Where to write one row per slice.")}}),
          .required = {"gold", "predictions", "tables"},
          .positional = "predictions",
          .needsProject = false,
          .writes = {"csv"},
          .run = slices};
}

}  // namespace fathom
