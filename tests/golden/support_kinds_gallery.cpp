// SPDX-License-Identifier: Apache-2.0
#include "support_kinds_gallery.h"

#include <QTemporaryDir>
#include <map>

#include "core/review/review.h"
#include "support_built_figure.h"
#include "support_compared_gallery.h"
#include "support_figure_gallery.h"
#include "support_probe_gallery.h"
#include "support_review_gallery.h"
#include "support_states_gallery.h"
#include "tests/unit/support_small_reviews.h"

namespace fathom::gallery {

namespace {

// Figures of many states or runs.
bool ofStates(const std::string& figure) {
  return figure == "epoch_norm" || figure == "input_norm" || figure == "over_training" ||
         figure == "stability_grid";
}

Json pageOf(const char* url, const std::vector<const char*>& texts, const Json& phrases) {
  constexpr int kFeatures = 20;
  Json blocks = Json::array();
  for (const char* text : texts)
    blocks.push_back({{"text", text}, {"feature", std::vector<int>(kFeatures, 0)}});
  return {{"url", url}, {"VDOM", blocks.dump()}, {"KeyPhrases", phrases}};
}

// Two pages with their phrases.
ReviewSources phrasesOf(const QTemporaryDir& folder) {
  const auto write = [&folder](const char* name, const std::string& text) {
    QFile file(folder.filePath(QLatin1String(name)));
    const bool written = file.open(QIODevice::WriteOnly) && file.write(text.data(), qint64(text.size())) > 0;
    return written ? file.fileName().toStdString() : std::string();
  };
  const Json tide = Json::array({"tide", "tables"}), ferry = Json::array({"ferry"}),
             otter = Json::array({"otter"});
  ReviewSources sources{
      "phrases", write("gold.jsonl",
                       pageOf("one", {"The ferry runs", "Tide tables"}, Json::array({ferry, tide})).dump() +
                           "\n" + pageOf("two", {"An otter swam"}, Json::array({otter})).dump() + "\n")};
  sources.predictions = {
      {"alpha", write("alpha.jsonl", R"({"url":"one","KeyPhrases":[["ferry"],["runs"],["tide","tables"]]}
{"url":"two","KeyPhrases":[["otter"]]}
)")},
      {"beta", write("beta.jsonl", R"({"url":"one","KeyPhrases":[["runs"],["ferry"]]}
{"url":"two","KeyPhrases":[["swam"],["an"],["otter"]]}
)")}};
  return sources;
}

// Of the first small review that has what the figure shows.
Result<FigureSpec> kindFigureNamed(const std::string& id) {
  const QTemporaryDir folder;
  std::vector<ReviewSources> all;
  for (const test::SmallReview& small : test::smallReviews())
    all.push_back(test::smallSources(small, folder.path()));
  all.push_back(phrasesOf(folder));
  Error last = internalError("there is no small review for " + id);
  for (const ReviewSources& sources : all) {
    Progress progress;
    const Result<Review> review = openReview(sources, 1, progress);
    if (!review.ok()) return review.error();
    Result<ReviewFigure> figure = reviewFigure(*review, id);
    if (figure.ok()) return std::move(figure->spec);
    last = figure.error();
  }
  return last;
}

}  // namespace

QStringList everyFigure() {
  QStringList names;
  for (const FigureEntry& entry : figures()) names.append(QString::fromStdString(entry.id));
  for (const char* form :
       {"attention_jsd form=map", "attention_maps form=matrix part=scores layer=2 head=3",
        "attention_maps form=lines attention=decoder.cross_attention",
        "beta_dependency form=difference beside=init", "beta_dependency form=diagonal",
        "output_shift form=together y_scale=log x_scale=log band=range",
        "over_training part=decoder.self_attention statistic=median",
        "over_training analysis=beta_dependency", "logged_histogram update=150",
        "epoch_norm reference=network", "input_norm form=scales", "input_norm form=factors",
        "stability_grid score=last x=optimizer.beta2 y=lr_schedule.rate"})
    names.append(QLatin1String(form));
  return names;
}

namespace {

Result<FigureSpec> madeFigure(const QString& name) {
  if (name == QLatin1String("training_curve")) return gallery::trainingCurves();
  const std::string id = name.section(u' ', 0, 0).toStdString();
  const std::vector<std::string> assignments = optionWords(name.section(u' ', 1));
  FATHOM_TRY(const FigureEntry entry, findFigure(id));
  if (comparesRuns(id)) return comparedFigure(id, assignments);
  if (!entry.ofPredictions())
    return ofStates(id) ? followedFigure(id, assignments) : probeFigure(id, assignments);
  const Review& sample = sampleReview(3);
  if (!canBeOf(entry, *sample.kind)) return kindFigureNamed(id);
  FATHOM_TRY(ReviewFigure figure, reviewFigure(sample, id));
  return std::move(figure.spec);
}

}  // namespace

Result<FigureSpec> namedFigure(const QString& name) {
  static std::map<QString, FigureSpec> made;  // tests ask for each several times
  if (const auto known = made.find(name); known != made.end()) return known->second;
  FATHOM_TRY(FigureSpec spec, madeFigure(name));
  return made.emplace(name, std::move(spec)).first->second;
}

}  // namespace fathom::gallery
