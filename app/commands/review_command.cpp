// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <filesystem>
#include <optional>

#include "app/predictions/judged_text.h"
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

// People's judgements, where a project is named. The review that it is of outlives it.
struct NamedJudgements {
  std::unique_ptr<ProjectLibrary> library;  // null: none is named
  std::optional<Judgements> book;
  int byHand(std::size_t model, std::size_t examples) const {
    int count = 0;
    for (std::size_t i = 0; i < examples; ++i) count += book->human(model, i) != nullptr;
    return count;
  }
};

Result<NamedJudgements> judgementsOf(const CommandContext& context, const Review& review) {
  NamedJudgements named;
  if (const std::string project = context.options.text("judgements"); !project.empty()) {
    FATHOM_TRY(named.library, ProjectLibrary::open(project));
  }
  FATHOM_TRY(named.book, Judgements::load(review, named.library.get()));
  return named;
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

Json pairsJson(const Review& review, const JudgedPairs& pairs, std::string& text) {
  Json out = Json::array();
  std::vector<std::string> head = {"first", "second"};
  for (std::string& column : pairColumns(*review.kind)) head.push_back(std::move(column));
  TextTable table(head);
  for (std::size_t i = 0; i < pairs.byMetric.size(); ++i) {
    const ReviewPair& pair = pairs.byMetric[i];
    const std::string &first = review.models[pair.first].name, &second = review.models[pair.second].name;
    Json one = pairNumbersJson(*review.kind, pair);
    one["first"] = first;
    one["second"] = second;
    one["test"] = review.kind->test == PairTest::McNemar ? "mcnemar" : "bootstrap";
    if (!pairs.byPeople.empty()) one["people"] = pairNumbersJson(*review.kind, pairs.byPeople[i]);
    out.push_back(std::move(one));
    std::vector<std::string> row = {first, second};
    for (std::string& cell : pairCells(*review.kind, pair)) row.push_back(std::move(cell));
    table.addRow(std::move(row));
  }
  if (!pairs.byMetric.empty()) text += "\n" + table.text();
  text += peoplesPairsText(pairs.judged, pairs.byPeople);
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
Status drawReviewFigure(const CommandContext& context, const ReviewFigureInput& input,
                        CommandOutput& output) {
  const std::string path = context.options.text("figure");
  if (path.empty()) return {};
  const std::vector<FigureEntry> entries = figuresOfKind(*input.review.kind);
  if (entries.empty()) return usageError(Phrase::tr("there are no figures of this kind"));
  const std::string stem = std::filesystem::path(path).stem().string();
  const auto named = std::find_if(entries.begin(), entries.end(),
                                  [&stem](const FigureEntry& entry) { return entry.id == stem; });
  const FigureEntry& entry = named == entries.end() ? entries.front() : *named;
  FigureRecipe recipe;
  recipe.figure = entry.id;
  const std::string verdicts = context.options.text("verdicts");
  if (verdicts != kVerdictsOfMetric) {
    if (!hasVerdicts(entry))
      return aboutKey("verdicts", usageError(Phrase::tr("the figure %1 counts nobody's verdicts")(entry.id),
                                             Phrase::tr("exact_match and facet_scores do")));
    recipe.options["verdicts"] = verdicts;
  }
  recipe.style = context.options.text("style");
  recipe.created = isoTimeNow();
  FigureChecks found;
  FATHOM_CHECK(exportReviewRecipe(recipe, input, path, &found));
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
  FATHOM_TRY(const NamedJudgements named, judgementsOf(context, review));
  const Categories categories = named.book->categories();
  FATHOM_TRY(const JudgedPairs pairs, compareJudged(review, judgedReview(review, *named.book), stop));
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
                                     {"by_hand", named.byHand(m, review.examples())}});
  }
  output.text = scoresText(review) + categoriesText(review, categories);
  output.json["pairs"] = pairsJson(review, pairs, output.text);
  if (named.library) output.json["people"] = judgedJson(pairs.judged);
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
  FATHOM_CHECK(drawReviewFigure(context, {review, categories, &*named.book}, output));
  return output;
}

}  // namespace

Command reviewCommandEntry() {
  std::vector<OptionField> fields = reviewFields();
  addFields(fields,
            {pathField("judgements", "Set by hand",
                       "Project whose categories, set by hand, win over the program's; pairs of systems are "
                       "compared by them too."),
             rowsFileField(), pathField("table", "Table", "Where to write the scores as .tex, .csv or .md."),
             pathField("figure", "Figure",
                       "Where to draw a figure: the one that the file is named after "
                       "(confusion_matrix.pdf), else the kind's first."),
             verdictsField(),
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
          .writes = {"csv", "table", "figure"},
          .run = runReview};
}

}  // namespace fathom
