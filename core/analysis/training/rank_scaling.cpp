// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/training/rank_scaling.h"

#include <algorithm>
#include <cmath>

#include "core/base/json/json_members.h"
#include "core/base/json/phrase_json.h"
#include "core/base/text/number_text.h"

namespace fathom {

namespace {

double shownSeconds(const RankWork& work, const RankLink& link, std::int64_t ranks) {
  return std::max(0.0, allReduceSeconds(link, work.gradientBytes, ranks) - work.hidden);
}

std::string secondsWords(double seconds) {
  return formatted(seconds < 1 ? "%.2g s" : "%.1f s", seconds);
}

Json predictionToJson(const RankPrediction& one) {
  return {{"ranks", one.ranks},
          {"update", jsonReal(one.seconds)},
          {"efficiency", jsonReal(one.efficiency)},
          {"batches", one.batches}};
}

std::optional<double> numberIn(const Json& object, const char* key) {
  if (!object.contains(key)) return std::nullopt;
  const auto number = realFromJson(object[key]);
  return number.ok() ? std::optional(*number) : std::nullopt;
}

Phrase wordsOfLink(const Json& link) {
  const Phrase name = readPhrase(link, "name");
  const Json& below = memberObject(link, "below");
  const auto ranks = numberIn(below, "ranks"), batches = numberIn(below, "batches");
  if (!ranks || !batches)
    return Phrase::tr("%1: 80 % or more up to %2 processes.")(name, kMostPredictedRanks);
  return Phrase::tr("%1: below 80 % from %2 processes on, where %3 batches per update would lift it.")(
      name, static_cast<std::int64_t>(*ranks), static_cast<std::int64_t>(*batches));
}

}  // namespace

double allReduceSeconds(const RankLink& link, double bytes, std::int64_t ranks) {
  if (ranks < 2) return 0;
  const auto n = static_cast<double>(ranks);
  return 2 * (n - 1) / n * bytes / link.bandwidth + 2 * (n - 1) * link.latency;
}

RankLink linkOf(std::int64_t ranks, double secondsOfFew, double bytes, double seconds) {
  constexpr double kLeast = 1e-9;  // seconds: a clock that ran unevenly makes no infinite speed
  const auto n = static_cast<double>(ranks);
  RankLink link;
  link.latency = secondsOfFew / (2 * (n - 1));
  link.bandwidth = 2 * (n - 1) / n * bytes / std::max(seconds - secondsOfFew, kLeast);
  return link;
}

RankPrediction predictedRanks(const RankWork& work, const RankLink& link, std::int64_t ranks) {
  const auto n = static_cast<double>(ranks);
  const double shown = shownSeconds(work, link, ranks);
  const double computing = work.seconds - work.step;
  const double batchSeconds = computing / static_cast<double>(work.batches);
  RankPrediction one;
  one.ranks = ranks;
  one.seconds = computing / n + work.step + shown;
  one.efficiency = work.seconds / (n * one.seconds);
  // With k batches a rank: (k · batchSeconds + step/n) / (k · batchSeconds + step + shown) is good.
  const double each =
      (kGoodEfficiency * (work.step + shown) - work.step / n) / ((1 - kGoodEfficiency) * batchSeconds);
  constexpr double kRounding = 1e-9;
  one.batches = ranks * std::max<std::int64_t>(1, std::llround(std::ceil(each * (1 - kRounding))));
  return one;
}

std::vector<RankPrediction> predictedCurve(const RankWork& work, const RankLink& link) {
  std::vector<RankPrediction> curve;
  for (std::int64_t ranks = 1; ranks <= kMostPredictedRanks; ranks *= 2)
    curve.push_back(predictedRanks(work, link, ranks));
  return curve;
}

std::optional<RankPrediction> firstBelowGood(const RankWork& work, const RankLink& link) {
  for (std::int64_t ranks = 2; ranks <= kMostPredictedRanks; ++ranks) {
    const RankPrediction one = predictedRanks(work, link, ranks);
    if (one.efficiency < kGoodEfficiency) return one;
  }
  return std::nullopt;
}

std::vector<NamedLink> usualLinks() {
  constexpr double kArrives = 0.9, kGigabit = 1e9 / 8, kMessage = 30e-6;
  return {{Phrase::words("10 Gbit/s"), {kMessage, 10 * kArrives * kGigabit}},
          {Phrase::words("100 Gbit/s"), {kMessage, 100 * kArrives * kGigabit}}};
}

Json rankOutlookToJson(const RankWork& work, std::int64_t asked, const std::vector<NamedLink>& links) {
  Json json = {{"asked", asked},
               {"update", jsonReal(work.seconds)},
               {"step", jsonReal(work.step)},
               {"batches", work.batches},
               {"gradient_bytes", jsonReal(work.gradientBytes)},
               {"links", Json::array()}};
  for (const NamedLink& named : links) {
    Json one = Json::object();
    writePhrase(one, "name", named.name);
    one["measured"] = named.measured;
    one["latency"] = jsonReal(named.link.latency);
    one["bandwidth"] = jsonReal(named.link.bandwidth);
    one["asked"] = predictionToJson(predictedRanks(work, named.link, asked));
    const auto below = firstBelowGood(work, named.link);
    one["below"] = below ? predictionToJson(*below) : Json();
    one["curve"] = Json::array();
    for (const RankPrediction& each : predictedCurve(work, named.link))
      one["curve"].push_back(predictionToJson(each));
    json["links"].push_back(std::move(one));
  }
  return json;
}

RankWords rankWords(const Json& report) {
  RankWords words;
  const Json& ranks = memberObject(report, "ranks");
  const Json& links = memberList(ranks, "links");
  const auto asked = numberIn(ranks, "asked");
  if (links.empty() || !asked || *asked < 2) return words;
  const Json& first = memberObject(links.front(), "asked");
  const auto update = numberIn(first, "update"), efficiency = numberIn(first, "efficiency");
  if (!update || !efficiency) return words;
  words.summary = Phrase::tr("%1 predicted: %2 an update, %3 % efficient")(
      static_cast<std::int64_t>(*asked), secondsWords(*update), formatted("%.0f", 100 * *efficiency));
  words.details =
      Phrase::tr("Predicted for processes that each have the cores or the card of this measurement.");
  for (const Json& link : links) words.details.append(wordsOfLink(link), "\n");
  return words;
}

double secondsAnUpdate(const RunCurve& curve) {
  std::vector<double> each;
  for (std::size_t i = 1; i < curve.steps.size() && i < curve.seconds.size(); ++i) {
    const double updates = curve.steps[i] - curve.steps[i - 1];
    const double seconds = curve.seconds[i] - curve.seconds[i - 1];
    if (updates > 0 && seconds > 0) each.push_back(seconds / updates);
  }
  if (each.empty()) return 0;
  const auto middle = each.begin() + static_cast<std::ptrdiff_t>(each.size() / 2);
  std::nth_element(each.begin(), middle, each.end());
  return *middle;
}

}  // namespace fathom
