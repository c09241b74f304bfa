// SPDX-License-Identifier: Apache-2.0
#include "core/review/gold_options.h"

#include "core/base/json/json_members.h"

namespace fathom {

namespace {

constexpr const char* kBadLines = "bad_lines";
constexpr const char* kExamples = "examples";

template <typename T>
void keepOnly(std::vector<T>& items, const std::vector<bool>& kept) {
  std::size_t to = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!kept[i]) continue;
    if (to != i) items[to] = std::move(items[i]);
    ++to;
  }
  items.resize(to);
}

}  // namespace

ReviewOption examplesOption() {
  return {kExamples, Phrase::tr("Examples"),
          Phrase::tr("all, or predicted: only those that some file has a prediction for, as where a share "
                     "of the training file was kept apart")};
}

std::vector<ReviewOption> goldOptions() {
  return {{kBadLines, Phrase::tr("Bad examples"),
           Phrase::tr("refuse: the gold file is not read; skip: they are left out and counted")},
          examplesOption()};
}

Status checkGoldOptions(const ReviewSources& sources) {
  for (const auto& [key, usual, other] :
       {std::tuple{kBadLines, "refuse", "skip"}, std::tuple{kExamples, "all", "predicted"}}) {
    const std::string word = memberText(sources.options, key, usual);
    if (word != usual && word != other)
      return usageError(Phrase::tr("%1 is \"%2\": it can be %3 or %4")(key, word, usual, other));
  }
  return {};
}

bool skipsBadGold(const ReviewSources& sources) {
  return memberText(sources.options, kBadLines) == "skip";
}

bool onlyPredicted(const ReviewSources& sources) {
  return memberText(sources.options, kExamples) == "predicted";
}

void BadGold::add(std::int64_t line, const Phrase& what) {
  if (count++ > 0) return;
  first = what;
  if (line > 0) first = Phrase::tr("line %1: %2")(line, what);
}

void noteBadGold(ReviewGold& gold, const BadGold& bad) {
  if (bad.count == 0) return;
  gold.notes.push_back(
      Phrase::tr("%1 bad examples of the gold file are left out; the first: %2")(bad.count, bad.first));
}

void keepPredicted(Review& review) {
  std::vector<bool> kept(review.examples(), false);
  std::size_t dropped = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    for (const ReviewModel& model : review.models) kept[i] = kept[i] || model.outputs[i].given;
    dropped += !kept[i];
  }
  if (dropped == 0) return;
  review.gold.notes.push_back(
      Phrase::tr("%1 examples of the gold file have no prediction and are left out")(dropped));
  keepOnly(review.gold.examples, kept);
  for (ReviewModel& model : review.models) keepOnly(model.outputs, kept);
}

}  // namespace fathom
