// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/command.h"
#include "app/commands/run_control_commands.h"
#include "app/predictions/review_inputs.h"
#include "app/predictions/spider_inputs.h"
#include "app/recipes/figure_builder.h"
#include "app/recipes/library_source.h"
#include "app/runs/run_json.h"
#include "core/base/errors/error_key.h"
#include "core/base/errors/name_list.h"
#include "core/base/errors/phrase.h"
#include "core/base/options/field_builder.h"
#include "core/library/figures/figure_recipe.h"
#include "core/library/figures/style_sheet.h"
#include "core/record/runs/run_folder.h"
#include "core/review/reviewed_sql.h"
#include "core/review/stored_review.h"
#include "views/figure/figure_style.h"
#include "views/figures/composition_page.h"
#include "views/figures/figure_entry.h"
#include "views/figures/own_texts.h"
#include "views/files/neighbour_file.h"

namespace fathom {

namespace {

// The data of a figure of predictions: a stored review, or files.
Result<Json> wantedReview(const CommandContext& context, const FigureEntry& entry, ProjectLibrary& library) {
  const OptionValues& options = context.options;
  if (const std::string name = options.text("review"); !name.empty()) {
    FATHOM_TRY(const StoredReview stored, storedReview(library, name));
    return stored.toJson();
  }
  FATHOM_TRY(const ReviewKind* kind, findReviewKind(options.text("kind")));
  if (!canBeOf(entry, *kind))
    return aboutKey(
        "kind", usageError(Phrase::tr("the figure \"%1\" is not of predictions of the kind \"%2\"")(entry.id,
                                                                                                    kind->id),
                           Phrase::tr("name the kind of the predictions with --kind")));
  if (kind->id != kSqlReviewId) {
    StoredReview review;
    FATHOM_TRY(review.sources, reviewSources(context));
    return review.toJson();
  }
  for (const char* key : {"gold", "tables"}) {
    if (!options.text(key).empty()) continue;
    return aboutKey(
        key,
        usageError(Phrase::tr("this figure is of predictions"),
                   Phrase::tr("name --gold, --tables and --predictions, or a stored review with --review")));
  }
  StoredReview review;
  review.sources = reviewSourcesOf(spiderSources(context), options.text("preset"));
  return review.toJson();
}

// "WAS=>IS", as often as there are texts.
Result<FigureTexts> typedTexts(const std::vector<std::string>& typed) {
  constexpr std::string_view kArrow = "=>";
  FigureTexts texts;
  for (const std::string& each : typed) {
    const std::size_t at = each.find(kArrow);
    if (at == std::string::npos || at == 0 || at + kArrow.size() == each.size())
      return aboutKey("text", usageError(Phrase::tr("\"%1\" names no text and its words")(each),
                                         Phrase::tr("\"what the figure says=>what it is to say\"")));
    texts.say(each.substr(0, at), each.substr(at + kArrow.size()));
  }
  return texts;
}

// A text that the figure does not say would be left alone without a word.
Status checkTexts(const FigureRecipe& recipe, const FigureSpec& spec) {
  const std::vector<std::string> said = textsOf(spec);
  for (const auto& [was, is] : recipe.texts.titles)
    if (std::find(said.begin(), said.end(), was) == said.end())
      return aboutKey("text", usageError(Phrase::tr("the figure does not say \"%1\"")(was),
                                         Phrase::tr("one of: %1")(nameList(said))));
  return {};
}

// Made of the command's fields; not pinned and not stored yet.
Result<FigureRecipe> newRecipe(const CommandContext& context, ProjectLibrary& library) {
  const OptionValues& options = context.options;
  FATHOM_TRY(const FigureEntry entry, findFigure(options.text("figure")));
  OptionValues values{OptionSchema(entry.fields, {})};
  for (const std::string& assignment : options.texts("set")) FATHOM_CHECK(values.setText(assignment));
  FigureRecipe recipe;
  recipe.name = options.text("name").empty() ? entry.id : options.text("name");
  recipe.figure = entry.id;
  recipe.style = options.text("style");
  recipe.options = values.minimal();
  FATHOM_TRY(recipe.texts, typedTexts(options.texts("text")));
  recipe.created = isoTimeNow();
  if (entry.ofPredictions()) {
    FATHOM_TRY(recipe.review, wantedReview(context, entry, library));
  } else if (options.texts("runs").empty()) {
    return aboutKey("runs",
                    usageError(Phrase::tr("no runs are given"),
                               Phrase::tr("name them with --runs RUN..., or a stored figure with --recipe")));
  } else {
    FATHOM_TRY(const auto rows, findRuns(library, options.texts("runs")));
    for (const RunRow& row : rows) recipe.runs.push_back(row.identity.uuid);
  }
  return recipe;
}

// Draws a recipe, a stored one or one that is made now: that is pinned to what it shows, and stored when it
// could be made. Categories that people set in this project win.
Status drawFigure(const CommandContext& context, FigureBuilder& builder, FigureRecipe& recipe, bool isNew,
                  FigureChecks& found, std::vector<Phrase>& notes, Progress& progress,
                  const StopToken& stop) {
  const std::string out = context.options.text("out");
  const auto keep = [&]() -> Status {
    if (!isNew) return {};
    FATHOM_TRY(const Phrase why, keepOrSayWhyNot(builder.library(), recipe));
    if (!why.empty()) context.say("the recipe of the figure is not stored: " + why.english());
    return {};
  };
  if (recipe.review.is_null()) {
    if (!out.ends_with(".csv")) FATHOM_CHECK(figureFormatOf(out));
    auto spec = isNew ? builder.buildAndPin(recipe, progress, stop) : builder.build(recipe, progress, stop);
    if (!spec.ok()) return spec.error();
    if (isNew) FATHOM_CHECK(checkTexts(recipe, *spec));
    FATHOM_CHECK(keep());
    notes = spec->notes;
    return exportBuilt(recipe, std::move(*spec), out, &found);
  }
  FATHOM_TRY(const FigureReview* review, builder.review(recipe, progress, stop));
  FATHOM_TRY(const ReviewFigure fits, buildReviewFigure(recipe, review->input()));
  notes = fits.spec.notes;
  if (isNew) FATHOM_CHECK(checkTexts(recipe, fits.spec));
  FATHOM_CHECK(keep());
  return exportReviewRecipe(recipe, review->input(), out, &found);
}

// Every file that was written; what the figure is stands behind the one that was asked for.
void tellFiles(const FigureChecks& found, const std::string& what, CommandOutput& output) {
  output.json["files"] = found.files;
  for (const std::string& file : found.files)
    output.text += "wrote " + file + (file == found.files.front() ? " (" + what + ")" : "") + "\n";
}

// Texts that are cut: a reader of the file cannot ask for the rest.
void tellCut(const CommandContext& context, const FigureChecks& found, CommandOutput& output) {
  output.json["texts_cut"] = Json::array();
  for (const QString& text : found.cut) {
    output.json["texts_cut"].push_back(text.toStdString());
    context.say("cut in the figure: " + text.toStdString());
  }
  output.json["too_high_mm"] = found.tooHighMm;
  if (found.tooHighMm > 0)
    context.say("higher than a page of a paper by " +
                std::to_string(static_cast<int>(std::ceil(found.tooHighMm))) + " mm");
  if (found.wouldFit.empty()) return;
  output.json["would_fit"] = found.wouldFit;
  context.say("it would fit with " + found.wouldFit);
}

Result<CommandOutput> exportComposition(const CommandContext& context, Progress& progress,
                                        const StopToken& stop) {
  FATHOM_TRY(const auto builder, FigureBuilder::open(context.project));
  FATHOM_TRY(FigureComposition composition,
             figureComposition(builder->library(), context.options.text("composition")));
  if (const std::string name = context.options.text("sheet"); !name.empty()) {
    FATHOM_TRY(const StyleSheet sheet, styleSheet(builder->library(), name));
    composition = withStyleSheet(std::move(composition), sheet);
  }
  progress.begin(Phrase::tr("drawing").english, "", -1);
  FATHOM_TRY(auto specs, builder->build(composition, progress, stop));
  for (const std::string& note : builder->notes()) context.say(note);
  const std::string out = context.options.text("out");
  FigureChecks found;
  FATHOM_CHECK(exportCompositionPage(composition, std::move(specs), out, &found));
  progress.finish();
  CommandOutput output;
  output.json = {{"format", 1}, {"file", out}, {"composition", composition.toJson()}};
  tellCut(context, found, output);
  tellFiles(found, "composition " + composition.name + ", style " + composition.style, output);
  return output;
}

Result<CommandOutput> exportFigureCommand(const CommandContext& context, Progress& progress,
                                          const StopToken& stop) {
  FATHOM_CHECK(checkFigureNeighbours(context.options.text("out")));
  if (!context.options.text("composition").empty()) return exportComposition(context, progress, stop);
  if (!context.options.text("sheet").empty())
    return aboutKey("sheet", usageError(Phrase::tr("a style sheet is for pages of several figures"),
                                        Phrase::tr("name one with --composition, or a --style")));
  FATHOM_TRY(const auto builder, FigureBuilder::open(context.project));
  const std::string named = context.options.text("recipe");
  FATHOM_TRY(FigureRecipe recipe, named.empty() ? newRecipe(context, builder->library())
                                                : figureRecipe(builder->library(), named));
  progress.begin(Phrase::tr("drawing").english, "", -1);
  const std::string out = context.options.text("out");
  FigureChecks found;
  std::vector<Phrase> notes;
  const Status drawn = drawFigure(context, *builder, recipe, named.empty(), found, notes, progress, stop);
  for (const std::string& note : builder->notes()) context.say(note);
  FATHOM_CHECK(drawn);
  progress.finish();
  CommandOutput output;
  output.json = {{"format", 1}, {"file", out}, {"recipe", recipe.toJson()}, {"stored", !recipe.uuid.empty()}};
  output.json["notes"] = Json::array();
  for (const Phrase& note : notes) {  // what the caption must say
    output.json["notes"].push_back(note.english());
    context.say(note.english());
  }
  tellCut(context, found, output);
  tellFiles(found, "figure " + recipe.name + ", style " + recipe.style, output);
  return output;
}

std::vector<OptionChoice> figureChoices() {
  std::vector<OptionChoice> choices;
  for (const FigureEntry& entry : figures()) choices.push_back({entry.id, entry.title});
  return choices;
}

std::vector<OptionChoice> styleChoices() {
  std::vector<OptionChoice> choices;
  for (const FigureStyle& style : figureStyles())
    choices.push_back({style.id.toStdString(), style.title.toStdString()});
  return choices;
}

std::vector<OptionField> exportFields() {
  std::vector<OptionField> fields = {
      choiceField("figure", "Figure", "Kind of figure.", figureChoices()),
      runsField(),
      textField("review", "Stored review", "Name or UUID of a review of predictions, instead of files."),
      choiceField("style", "Style", "Size and look: a venue, slide or screen.", styleChoices()),
      listField("set", "Options",
                "key=value for the figure (metric, axis, smoothing, ...); may be repeated."),
      listField(
          "text", "Words",
          "\"what the figure says=>what it is to say\" for a title, an axis or an entry of the legend; may "
          "be repeated."),
      textField("name", "Name", "Name under which the recipe is stored."),
      textField("recipe", "Stored figure", "Name or UUID of a stored recipe, instead of the options above."),
      textField("composition", "Composition",
                "Name or UUID of a page of several figures that is kept in the project."),
      textField("sheet", "Style sheet",
                "Name or UUID of a style sheet of the project, in which a composition is drawn."),
      pathField("out", "File", "File to write; its ending is the format.")};
  for (OptionField& field : spiderFields(true))
    if (field.key != "databases") fields.push_back(std::move(field));
  fields.push_back(presetField());
  // Options that other kinds of predictions have besides.
  for (OptionField& field : reviewFields()) {
    const bool known = std::any_of(fields.begin(), fields.end(),
                                   [&field](const OptionField& each) { return each.key == field.key; });
    if (!known) fields.push_back(std::move(field));
  }
  return fields;
}

// A figure of runs does not need the fields of one of predictions, and the other way round.
std::vector<OptionField> askedByKind(std::vector<OptionField> fields) {
  std::vector<Json> ofRuns;
  for (const FigureEntry& entry : figures())
    if (entry.build) ofRuns.emplace_back(entry.id);
  for (OptionField& field : fields) {
    const bool common = field.key == "figure" || field.key == "style" || field.key == "set" ||
                        field.key == "text" || field.key == "name" || field.key == "recipe" ||
                        field.key == "composition" || field.key == "sheet" || field.key == "out";
    const auto test = field.key == "runs" ? OptionClause::Test::In : OptionClause::Test::NotIn;
    if (!common) field.enabledWhen.insert(field.enabledWhen.begin(), {"figure", test, ofRuns});
  }
  return fields;
}

}  // namespace

Command exportFigureCommandEntry() {
  return {.id = "export-figure",
          .title = "Export figure",
          .description =
              "Draws a figure of runs or predictions into a PDF, SVG, PNG or PGF (.tex) file and stores its "
              "recipe.",
          .group = "Figure",
          .fields = askedByKind(exportFields()),
          .required = {"out"},
          .changesData = true,
          .needsPainter = true,
          .writes = {"out"},
          .run = exportFigureCommand};
}

}  // namespace fathom
