// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <filesystem>

#include "app/predictions/review_inputs.h"
#include "app/predictions/spider_inputs.h"
#include "app/text_table.h"
#include "core/base/errors/error_key.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/record/runs/run_folder.h"
#include "core/review/judgements.h"
#include "views/figure/figure_style.h"
#include "views/figures/figure_entry.h"
#include "views/figures/review_tables.h"
#include "views/files/neighbour_file.h"

namespace fathom {

namespace {

using Categories = std::vector<std::vector<std::uint8_t>>;

// The program's categories, or a project's, where one is named.
Result<Categories> categoriesOf(const CommandContext& context, const Review& review,
                                std::vector<int>& byHand) {
  byHand.assign(review.models.size(), 0);
  std::unique_ptr<ProjectLibrary> library;
  if (const std::string project = context.options.text("judgements"); !project.empty()) {
    FATHOM_TRY(library, ProjectLibrary::open(project));
  }
  FATHOM_TRY(const Judgements judged, Judgements::load(review, library.get()));
  for (std::size_t m = 0; m < byHand.size() && library; ++m)
    for (std::size_t i = 0; i < review.examples(); ++i) byHand[m] += judged.human(m, i) != nullptr;
  return judged.categories();
}

Json categoryCounts(const Review& review, std::size_t model, const Categories& categories) {
  Json counts = Json::object();
  const auto& kinds = review.kind->categories;
  std::vector<int> sums(kinds.size(), 0);
  for (std::size_t i = 0; i < review.examples(); ++i) ++sums[categories[model][i]];
  for (std::size_t k = 0; k < kinds.size(); ++k) counts[kinds[k].id] = sums[k];
  return counts;
}

std::string scoresText(const Review& review) {
  std::vector<std::string> head = {"system"};
  for (const ReviewScore& score : review.models.front().scores) head.push_back(score.title.english());
  head.insert(head.end(), {"wrong", "missing"});
  TextTable table(head);
  std::string why;
  for (const ReviewModel& model : review.models) {
    std::vector<std::string> row = {model.name};
    for (const ReviewScore& score : model.scores) {
      row.push_back(score.value ? fixedText(*score.value, score.decimals) : "-");
      if (!score.value) why += model.name + ": " + score.title.english() + ": " + score.why.english() + "\n";
    }
    const auto wrong = std::count_if(model.verdicts.begin(), model.verdicts.end(),
                                     [](const ReviewVerdict& verdict) { return verdict.wrong; });
    row.push_back(std::to_string(wrong));
    row.push_back(std::to_string(model.missing));
    table.addRow(std::move(row));
  }
  return table.text() + why;
}

std::string categoriesText(const Review& review, const Categories& categories) {
  std::vector<std::string> head = {"category"};
  for (const ReviewModel& model : review.models) head.push_back(model.name);
  TextTable table(head);
  for (std::size_t k = 1; k < review.kind->categories.size(); ++k) {
    std::vector<std::string> row = {review.kind->categories[k].title.english()};
    std::int64_t sum = 0;
    for (const auto& ofModel : categories) {
      const auto count = std::count(ofModel.begin(), ofModel.end(), static_cast<std::uint8_t>(k));
      row.push_back(std::to_string(count));
      sum += count;
    }
    if (sum > 0) table.addRow(std::move(row));
  }
  return "\n" + table.text();
}

Json pairsJson(const Review& review, const std::vector<ReviewPair>& pairs, std::string& text) {
  Json out = Json::array();
  const double factor = review.kind->comparedFactor;
  const bool exact = review.kind->test == PairTest::McNemar;
  TextTable table({"first", "second", "only first right", "only second right", exact ? "McNemar p" : "p",
                   "difference: " + review.kind->compared.english(), "bootstrap 95 %"});
  for (const ReviewPair& pair : pairs) {
    const std::string &first = review.models[pair.first].name, &second = review.models[pair.second].name;
    out.push_back({{"first", first},
                   {"second", second},
                   {"only_first", pair.onlyFirst},
                   {"only_second", pair.onlySecond},
                   {"test", exact ? "mcnemar" : "bootstrap"},
                   {"p", pair.p},
                   {"difference", factor * pair.difference},
                   {"low", factor * pair.low},
                   {"high", factor * pair.high}});
    table.addRow({first, second, std::to_string(pair.onlyFirst), std::to_string(pair.onlySecond),
                  probabilityText(pair.p, 4), fixedText(factor * pair.difference, 2),
                  fixedText(factor * pair.low, 2) + " to " + fixedText(factor * pair.high, 2)});
  }
  if (!pairs.empty()) text += "\n" + table.text();
  return out;
}

// For each value of a facet and each system, the number of examples and of those that are wrong.
Json facetJson(const Review& review, const ReviewFacet& facet) {
  Json values = Json::array();
  for (const ReviewFacet::Value& value : facet.values)
    values.push_back({{"value", value.word}, {"systems", Json::object()}});
  for (std::size_t m = 0; m < review.models.size(); ++m) {
    const ReviewModel& model = review.models[m];
    std::vector<int> examples(facet.values.size(), 0), wrong(facet.values.size(), 0);
    for (std::size_t i = 0; i < review.examples(); ++i) {
      for (std::size_t v = 0; v < facet.values.size(); ++v) {
        if (!facet.has(m, i, v)) continue;
        ++examples[v];
        wrong[v] += model.verdicts[i].wrong;
      }
    }
    for (std::size_t v = 0; v < values.size(); ++v)
      values[v]["systems"][model.name] = {{"examples", examples[v]}, {"wrong", wrong[v]}};
  }
  return {{"id", facet.id}, {"title", facet.title.english()}, {"values", std::move(values)}};
}

// A figure is called by the stem of its file where there is one of that name; else it is the kind's first.
Status drawReviewFigure(const CommandContext& context, const Review& review, const Categories& categories,
                        CommandOutput& output) {
  const std::string path = context.options.text("figure");
  if (path.empty()) return {};
  const std::vector<FigureEntry> entries = figuresOfKind(*review.kind);
  if (entries.empty()) return usageError(Phrase::tr("there are no figures of this kind"));
  const std::string stem = std::filesystem::path(path).stem().string();
  const auto named = std::find_if(entries.begin(), entries.end(),
                                  [&stem](const FigureEntry& entry) { return entry.id == stem; });
  FigureRecipe recipe;
  recipe.figure = named == entries.end() ? entries.front().id : named->id;
  recipe.style = context.options.text("style");
  recipe.created = isoTimeNow();
  FigureChecks found;
  FATHOM_CHECK(exportReviewRecipe(recipe, {review, categories}, path, &found));
  for (const std::string& file : found.files) output.wrote(file);
  return {};
}

Status writeReviewTable(const CommandContext& context, const Review& review, CommandOutput& output) {
  const std::string path = context.options.text("table");
  if (path.empty()) return {};
  FATHOM_TRY(const std::string text, tableForFile(scoresTable(review), path));
  FATHOM_CHECK(writeNamedFile(path, text));
  output.wrote(path);
  return {};
}

// The numbers beside the figure are a file of their own, which no other may be.
Status checkReviewFiles(const CommandContext& context) {
  const std::string figure = context.options.text("figure");
  if (figure.empty()) return {};
  if (!figure.ends_with(".csv")) FATHOM_CHECK(figureFormatOf(figure));
  const std::string numbers = absolutePath(numbersBeside(figure));
  for (const char* key : {"csv", "table"}) {
    const std::string path = context.options.text(key);
    if (path.empty() || absolutePath(path) != numbers) continue;
    return aboutKey(key, usageError(Phrase::tr("%1 is where the numbers of the figure go")(path),
                                    Phrase::tr("choose another name")));
  }
  return checkFigureNeighbours(figure);
}

std::vector<OptionChoice> reviewStyleChoices() {
  std::vector<OptionChoice> choices;
  for (const FigureStyle& style : figureStyles())
    choices.push_back({style.id.toStdString(), style.title.toStdString()});
  return choices;
}

Result<CommandOutput> runReview(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_CHECK(checkReviewFiles(context));
  FATHOM_TRY(const ReviewSources sources, reviewSources(context));
  FATHOM_TRY(const Review review, openReview(sources, spiderThreads(), progress, stop));
  std::vector<int> byHand;
  FATHOM_TRY(const Categories categories, categoriesOf(context, review, byHand));
  FATHOM_TRY(const auto pairs, comparePairs(review, stop));
  CommandOutput output;
  output.json["kind"] = review.kind->id;
  output.json["examples"] = review.examples();
  output.json["dataset"] = review.dataset;
  output.json["models"] = Json::array();
  for (std::size_t m = 0; m < review.models.size(); ++m) {
    const ReviewModel& model = review.models[m];
    output.json["models"].push_back({{"name", model.name},
                                     {"identity", model.identity},
                                     {"missing", model.missing},
                                     {"scores", reviewScoresJson(review, model)},
                                     {"categories", categoryCounts(review, m, categories)},
                                     {"by_hand", byHand[m]}});
  }
  output.text = scoresText(review) + categoriesText(review, categories);
  output.json["pairs"] = pairsJson(review, pairs, output.text);
  output.json["facets"] = Json::array();
  for (const ReviewFacet& facet : review.facets) output.json["facets"].push_back(facetJson(review, facet));
  int all = 0, any = 0;
  for (std::size_t i = 0; i < review.examples(); ++i) {
    all += isWrongInAll(review, i);
    any += isWrongInAny(review, i);
  }
  output.json["wrong_in_all"] = all;
  output.json["wrong_in_any"] = any;
  output.text += "\nwrong in every model: " + std::to_string(all) +
                 "\nwrong in some model: " + std::to_string(any) + "\n";
  output.json["notes"] = reviewNotes(review);
  for (const Json& note : output.json["notes"]) context.say(note.get<std::string>());
  if (const std::string path = context.options.text("csv"); !path.empty()) {
    FATHOM_CHECK(writeCsv(path, reviewRows(review, categories)));
    output.wrote(path);
  }
  FATHOM_CHECK(writeReviewTable(context, review, output));
  FATHOM_CHECK(drawReviewFigure(context, review, categories, output));
  return output;
}

}  // namespace

Command reviewCommandEntry() {
  std::vector<OptionField> fields = reviewFields();
  addFields(fields,
            {pathField("judgements", "Set by hand",
                       "Project whose categories, set by hand, win over the program's."),
             rowsFileField(), pathField("table", "Table", "Where to write the scores as .tex, .csv or .md."),
             pathField("figure", "Figure",
                       "Where to draw a figure: the one that the file is named after "
                       "(confusion_matrix.pdf), else the kind's first."),
             choiceField("style", "Style", "Size and look of the figure: a venue, slide or screen.",
                         reviewStyleChoices())});
  return {.id = "review",
          .title = "Review predictions",
          .description = "Scores, compares and lists any number of prediction files of any kind of task.",
          .group = "Tools",
          .fields = std::move(fields),
          .required = {"kind", "gold", "predictions"},
          .positional = "predictions",
          .needsProject = false,
          .needsPainter = true,
          .inMenu = false,
          .writes = {"csv", "table", "figure"},
          .run = runReview};
}

}  // namespace fathom
