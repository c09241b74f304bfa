// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/predictions/review_inputs.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "app/predictions/review_execution.h"
#include "app/predictions/spider_inputs.h"
#include "core/base/options/entry_table.h"
#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"
#include "core/review/reviewed_sql.h"

namespace fathom {

namespace {

std::vector<OptionChoice> kindChoices() {
  std::vector<OptionChoice> choices;
  for (const ReviewKind& kind : reviewKinds()) choices.push_back({kind.id, kind.title.english()});
  return choices;
}

// Which kinds have this file or option, for the rule when a field is active.
template <typename Has>
std::vector<Json> kindsWith(const Has& has) {
  std::vector<Json> ids;
  for (const ReviewKind& kind : reviewKinds())
    if (has(kind)) ids.emplace_back(kind.id);
  return ids;
}

template <typename Items>
bool hasKey(const Items& items, const std::string& key) {
  return std::any_of(items.begin(), items.end(), [&key](const auto& item) { return item.key == key; });
}

std::string cellOf(double number, int decimals) {
  return std::isnan(number) ? std::string()
                            : formatted(("%." + std::to_string(decimals) + "f").c_str(), number);
}

}  // namespace

std::vector<OptionField> reviewFields() {
  std::vector<OptionField> fields = {
      choiceField("kind", "Kind of review", "What the predictions are.", kindChoices()),
      pathField("gold", "Gold", "File with the right answers, as the data set ships it."),
      listField("predictions", "Predictions", "Prediction files, each as a path or as name=path."),
      listField(
          "null_odds", "Null odds",
          "SQuAD's files of null odds, each as name=path of a system or in the order of the predictions.")
          .when("kind", kindsWith([](const ReviewKind& each) { return each.nullOdds; }))};
  std::set<std::string> known;
  for (const ReviewKind& kind : reviewKinds()) {
    for (const ReviewFile& file : kind.files) {
      if (!known.insert(file.key).second) continue;
      fields.push_back(pathField(file.key, file.title.english(), file.help.english() + ".")
                           .when("kind", kindsWith([&file](const ReviewKind& each) {
                                   return hasKey(each.files, file.key);
                                 })));
    }
    for (const ReviewOption& option : kind.options) {
      if (!known.insert(option.key).second) continue;
      fields.push_back(textField(option.key, option.title.english(), option.help.english() + ".")
                           .when("kind", kindsWith([&option](const ReviewKind& each) {
                                   return hasKey(each.options, option.key);
                                 })));
    }
  }
  return fields;
}

Result<ReviewSources> reviewSources(const CommandContext& context) {
  const OptionValues& options = context.options;
  FATHOM_TRY(const ReviewKind* kind, findReviewKind(options.text("kind")));
  ReviewSources sources;
  sources.kind = kind->id;
  sources.gold = options.text("gold");
  for (const ReviewFile& file : kind->files)
    if (const std::string path = options.text(file.key); !path.empty()) sources.files[file.key] = path;
  for (const ReviewOption& option : kind->options)
    if (const std::string value = options.text(option.key); !value.empty())
      sources.options[option.key] = value;
  for (const std::string& word : options.texts("predictions"))
    sources.predictions.push_back(reviewPredictions(word));
  const std::vector<std::string> odds =
      options.active("null_odds") ? options.texts("null_odds") : std::vector<std::string>();
  for (std::size_t i = 0; i < odds.size(); ++i) {
    const ReviewPredictions named = reviewPredictions(odds[i]);
    const auto of = std::find_if(sources.predictions.begin(), sources.predictions.end(),
                                 [&named](const ReviewPredictions& each) { return each.name == named.name; });
    if (of != sources.predictions.end()) {
      of->nullOdds = named.path;
    } else if (i < sources.predictions.size()) {
      sources.predictions[i].nullOdds = named.path;
    } else {
      return usageError(Phrase::tr("no predictions belong to the null odds %1")(odds[i]),
                        Phrase::tr("name them name=path"));
    }
  }
  return sources;
}

Result<Review> openExecutedReview(const ReviewSources& sources, const KeptExecutions& kept,
                                  Progress& progress, const StopToken& stop) {
  FATHOM_TRY(Review review, openReview(sources, spiderThreads(), progress, stop));
  auto* sql = dynamic_cast<SqlOwn*>(review.own.get());
  if (sql == nullptr || spiderSourcesOf(sources).databases.empty()) return review;
  FATHOM_CHECK(executeStoredReview(sql->spider, spiderSourcesOf(sources), kept, progress, stop));
  return sqlReview(std::move(sql->spider), review.sources);
}

std::vector<std::vector<std::string>> reviewRows(const Review& review,
                                                 const std::vector<std::vector<std::uint8_t>>& categories) {
  const ReviewKind& kind = *review.kind;
  std::vector<std::vector<std::string>> rows = {{"index", "id"}};
  for (const ReviewText& text : review.gold.texts) rows[0].push_back(text.id);
  rows[0].push_back("gold");
  for (const ReviewModel& model : review.models) {
    rows[0].push_back(model.name);
    for (const char* what : {"category", "right"}) rows[0].push_back(model.name + " " + what);
    for (const ReviewNumber& number : kind.numbers) rows[0].push_back(model.name + " " + number.id);
  }
  for (std::size_t i = 0; i < review.examples(); ++i) {
    const ReviewExample& example = review.gold.examples[i];
    std::vector<std::string> row = {std::to_string(i), example.id};
    row.insert(row.end(), example.texts.begin(), example.texts.end());
    row.push_back(joined(example.references, " | "));
    for (std::size_t m = 0; m < review.models.size(); ++m) {
      const ReviewModel& model = review.models[m];
      row.push_back(model.outputs[i].text);
      row.push_back(kind.categories[categories[m][i]].id);
      row.push_back(model.verdicts[i].right ? "1" : "0");
      for (std::size_t n = 0; n < kind.numbers.size(); ++n)
        row.push_back(cellOf(double{model.verdicts[i].numbers[n]}, 6));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Json reviewScoresJson(const Review&, const ReviewModel& model) {
  Json scores = Json::object();
  for (const ReviewScore& score : model.scores) {
    if (score.value)
      scores[score.id] = jsonReal(*score.value);
    else
      scores[score.id] = {{"undefined", score.why.english()}};
  }
  return scores;
}

Json reviewNotes(const Review& review) {
  Json notes = Json::array();
  for (const Phrase& note : review.gold.notes) notes.push_back(note.english());
  for (const ReviewModel& model : review.models)
    for (const Phrase& note : model.notes) notes.push_back(model.name + ": " + note.english());
  return notes;
}

}  // namespace fathom
