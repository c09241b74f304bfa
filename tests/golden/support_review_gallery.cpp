// SPDX-License-Identifier: Apache-2.0
#include "support_review_gallery.h"

#include <QTemporaryDir>
#include <array>
#include <map>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/review/judgements.h"
#include "core/review/review.h"
#include "core/spider/data/made_spider.h"

namespace fathom::gallery {

namespace {

Review madeReview(std::size_t models, bool longNames) {
  const QTemporaryDir folder;
  const std::string at = folder.path().toStdString() + "/";
  const MadeSpider made = makeSpiderData();
  writeMadeSpider(made, at).value();
  ReviewSources sources{kSqlReviewId, at + "dev_gold.sql"};
  sources.files["tables"] = at + "tables.json";
  constexpr std::array<const char*, 8> kShort = {"careful", "hasty",  "mixed",   "late",
                                                 "third",   "fourth", "seventh", "last"};
  constexpr std::array<const char*, 8> kLong = {"Graphix-T5-3B + PICARD",
                                                "DIN-SQL + GPT-4",
                                                "CodeS-1B_sft",
                                                "RAT-SQL + GraPPa & GP",
                                                "<i>SQL-SP</i> 24 layers",
                                                "EditSQL (BERT, no val)",
                                                "T5-3B + NatSQL + again",
                                                "the spider repository's own"};
  for (std::size_t m = 0; m < models; ++m) {
    std::string text;
    for (std::size_t i = 0; i < made.examples.size(); ++i) {
      const auto& example = made.examples[i];
      const bool careful = m == 0 || (m >= 2 && i % m == 0);
      text += (careful ? example.careful : example.hasty) + "\n";
    }
    const std::string path = at + std::to_string(m) + ".sql";
    writeFileAtomically(path, text).value();
    sources.predictions.push_back({longNames ? kLong[m] : kShort[m], path});
  }
  Progress progress;
  return openReview(sources, 1, progress).value();
}

}  // namespace

const Review& sampleReview(std::size_t models, bool longNames) {
  static std::map<std::pair<std::size_t, bool>, Review> made;
  const std::pair asked(models, longNames);
  const auto known = made.find(asked);
  return known != made.end() ? known->second
                             : made.emplace(asked, madeReview(models, longNames)).first->second;
}

std::vector<std::vector<std::uint8_t>> categoriesOf(const Review& review) {
  return Judgements::load(review, nullptr).value().categories();
}

Result<ReviewFigure> reviewFigure(const Review& review, const std::string& figure,
                                  const std::vector<std::string>& settings) {
  FATHOM_TRY(const FigureEntry entry, findFigure(figure));
  OptionValues values{OptionSchema(entry.fields, {})};
  for (const auto& setting : settings) FATHOM_CHECK(values.setText(setting));
  FigureRecipe recipe;
  recipe.figure = figure;
  recipe.style = "acl";
  recipe.options = values.minimal();
  return buildReviewFigure(recipe, {review, categoriesOf(review)});
}

}  // namespace fathom::gallery
