// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>

#include "app/command.h"
#include "app/recipes/figure_builder.h"
#include "app/requests/analysis_job.h"
#include "app/runs/run_json.h"
#include "core/base/errors/error_key.h"
#include "core/base/files/path_facts.h"
#include "core/base/options/field_builder.h"
#include "core/base/text/text_list.h"
#include "core/library/figures/figure_recipe.h"
#include "core/record/results/analysis_variant.h"
#include "core/record/runs/checkpoint_choice.h"
#include "core/record/runs/run_folder.h"
#include "views/figures/figure_entry.h"
#include "views/files/figure_export.h"
#include "views/files/neighbour_file.h"

namespace fathom {

namespace {

// The figure of the same id, of exactly what was computed; kept as a recipe like every exported figure.
Status drawFigure(const CommandContext& context, ProjectLibrary& library, const std::vector<RunRow>& rows,
                  const std::string& checkpoint, const AnalysisVariant& variant, FigureChecks& found) {
  const std::string path = context.options.text("figure");
  FigureRecipe recipe;
  recipe.figure = recipe.name = context.options.text("analysis");
  recipe.style = context.options.text("style");
  recipe.created = isoTimeNow();
  FATHOM_TRY(const FigureEntry entry, findFigure(recipe.figure));
  OptionValues values{OptionSchema(entry.fields, {})};
  FATHOM_CHECK(values.set("checkpoint", checkpoint));
  FATHOM_CHECK(values.set("computed", variantText(variant)));
  // The analysis passes on to its figure the option that both have: which example.
  for (const std::string& assignment : context.options.texts("set"))
    if (values.schema().find(assignment.substr(0, assignment.find('='))) != nullptr)
      FATHOM_CHECK(values.setText(assignment));
  for (const std::string& assignment : context.options.texts("figure-set"))
    FATHOM_CHECK(values.setText(assignment));
  recipe.options = values.minimal();
  for (const RunRow& row : rows) recipe.runs.push_back(row.identity.uuid);
  FATHOM_TRY(FigureSpec spec, buildAndPin(recipe, context.project, rows));
  FATHOM_TRY(const Phrase why, keepOrSayWhyNot(library, recipe));
  if (!why.empty()) context.say("the recipe of the figure is not stored: " + why.english());
  return exportBuilt(recipe, std::move(spec), path, &found);
}

AnalysisWish wishOf(const OptionValues& options) {
  AnalysisWish wish;
  wish.analysis = options.text("analysis");
  wish.checkpoint = options.text("checkpoint");
  wish.split = options.text("split");
  if (const std::string examples = options.text("examples"); !examples.empty())
    wish.assignments.push_back("examples=" + examples);
  for (const std::string& assignment : options.texts("set")) wish.assignments.push_back(assignment);
  wish.runAssignments = options.texts("run-set");
  return wish;
}

// Before minutes of work, not after.
Status checkFigureFile(const std::string& path) {
  if (path.empty()) return {};
  FATHOM_CHECK(figureFormatOf(path));
  const std::filesystem::path folder = std::filesystem::path(absolutePath(path)).parent_path();
  if (folderExists(folder)) return checkFigureNeighbours(path);
  return aboutFile(folder.string(),
                   unavailableError(Phrase::tr("there is no folder %1 for the figure")(folder.string()),
                                    Phrase::tr("make it first")));
}

// The last of several checkpoints, which a figure shows; "" of all of them, which stands for the newest.
std::string lastCheckpoint(const std::string& checkpoints) {
  return checkpoints == kAllCheckpoints ? "" : checkpoints.substr(checkpoints.rfind(',') + 1);
}

Result<CommandOutput> analyse(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const auto rows, findRuns(*library, context.options.texts("run")));
  AnalysisWish wish = wishOf(context.options);
  FATHOM_CHECK(checkFigureFile(context.options.text("figure")));
  CommandOutput output;
  output.json = {
      {"format", 1}, {"analysis", wish.analysis}, {"results", Json::array()}, {"notes", Json::array()}};
  // While it goes on, and with what came out.
  wish.say = [&](const Phrase& words) {
    context.say(words.english());
    output.json["notes"].push_back(words.english());
  };
  AnalysisVariant variant;
  for (const RunRow& row : rows) {
    FATHOM_TRY(const auto results, computeAnalyses(context.project, row, wish, progress, stop));
    for (const StoredAnalysis& stored : results) {
      variant = AnalysisVariant::of(stored.request);
      output.json["results"].push_back({{"run", row.identity.uuid},
                                        {"name", row.name},
                                        {"path", stored.path},
                                        {"request", stored.request.toJson()},
                                        {"result", stored.result}});
      output.text += row.name + ", checkpoint " + stored.request.checkpoint + ": " + stored.path + "\n";
    }
  }
  if (const std::string path = context.options.text("figure"); !path.empty()) {
    FigureChecks found;
    FATHOM_CHECK(drawFigure(context, *library, rows, lastCheckpoint(wish.checkpoint), variant, found));
    output.json["figure"] = path;
    for (const std::string& file : found.files) output.wrote(file);
  }
  return output;
}

std::string probedAnalyses() {
  std::vector<std::string> ids;
  for (const AnalysisEntry& entry : analyses())
    if (!entry.whileTraining) ids.push_back(entry.id);
  return joined(ids);
}

std::vector<OptionField> fields() {
  return {
      textField("analysis", "Analysis", probedAnalyses() + "."),
      listField("run", "Runs", "UUID, its beginning, name or path of each run."),
      textField("checkpoint", "Checkpoint",
                "Number of updates, name, best or init (before the first update); several with commas, "
                "or all; otherwise the newest."),
      choiceField("split", "Part",
                  "Part of the data that is looked at; otherwise validation, for input_norm train.",
                  {{"", "as the analysis has it"},
                   {"validation", "validation"},
                   {"test", "test"},
                   {"train", "training"}}),
      textField("examples", "Examples",
                "So many are looked at, drawn at random; 0: all. For attention_entropy, attention_jsd and "
                "attention_logit (otherwise 1000) and input_norm (otherwise all)."),
      listField("set", "Options", "key=value for the analysis; may be repeated."),
      listField("run-set", "Options of the run",
                "key=value on top of the run's own options, such as another data file."),
      pathField("figure", "Figure", "Also draw the figure into this PDF, SVG, PNG or .tex file."),
      listField("figure-set", "Options of the figure", "key=value for the figure; may be repeated."),
      textField("style", "Style", "Size and look: a venue, slide or screen.", "acl")};
}

}  // namespace

Command analyseCommandEntry() {
  return {.id = "analyse",
          .title = "Analyse a run",
          .description =
              "Looks into a checkpoint: attention, dependency of layers, gradients; computed once and kept.",
          .group = "Figure",
          .fields = fields(),
          .required = {"analysis", "run"},
          .positional = "analysis",
          .changesData = true,
          .needsPainter = true,
          .writes = {"figure"},
          .run = analyse};
}

}  // namespace fathom
