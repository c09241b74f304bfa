// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/dependency/shift_sweep.h"

#include <cmath>
#include <set>
#include <utility>

#include "core/analysis/statistics/seed_summary.h"
#include "core/base/errors/error_key.h"
#include "core/base/json/json_fields.h"
#include "core/base/numbers/not_a_number.h"

namespace fathom {

// The members of a sweep beside its series, and of a series beside its draws.
template <typename Io>
void jsonMembers(Io& io, ShiftSweep& sweep) {
  io.derived("quantity", std::string("output_shift"));
  io("stack", sweep.stack)("delta", sweep.delta)("adam_rate", sweep.adamRate)("tokens", sweep.tokens);
  io("depths", sweep.depths)("seeds", sweep.seeds).derived("series", Json(Json::array()));
}

template <typename Io>
void jsonMembers(Io& io, ShiftSeries& series) {
  io("name", series.name)("change", series.change)("residual", series.residual);
}

namespace {

using SumsOf = OutputShift::Sums OutputShift::*;
constexpr std::pair<const char*, SumsOf> kMeasures[] = {{"raw", &OutputShift::raw},
                                                        {"normalised", &OutputShift::normalised},
                                                        {"theorem2", &OutputShift::theorem2}};
using PlaceOf = OutputShift DepthShift::*;
constexpr std::pair<const char*, PlaceOf> kShiftPlaces[] = {{"after_top_norm", &DepthShift::afterTopNorm},
                                                            {"stream", &DepthShift::stream}};
using CountOf = double OutputShift::Sums::*;
constexpr std::pair<const char*, CountOf> kCounts[] = {{"real", &OutputShift::Sums::real},
                                                       {"all", &OutputShift::Sums::all}};

Json fitToJson(const ShiftFit& fit) {
  return {{"slope", jsonReal(fit.slope)},
          {"intercept", jsonReal(fit.intercept)},
          {"r2", fit.r2 ? jsonReal(*fit.r2) : Json()}};
}

Json summaryToJson(const ShiftSummary& summary) {
  return {{"mean", jsonOf(summary.mean)},
          {"deviation", jsonOf(summary.deviation)},
          {"not_finite", summary.notFinite},
          {"linear", fitToJson(summary.linear)},
          {"logarithmic", fitToJson(summary.logarithmic)},
          {"ratio", summary.ratio ? jsonReal(*summary.ratio) : Json()}};
}

// {place: {measure: {count: [draw][depth]}}}
Json drawsToJson(const ShiftSeries& series) {
  Json json;
  for (const auto& [place, ofPlace] : kShiftPlaces)
    for (const auto& [measure, ofMeasure] : kMeasures)
      for (const auto& [count, ofCount] : kCounts) {
        Json& draws = json[place][measure][count] = Json::array();
        for (const auto& draw : series.draws) {
          std::vector<double> values;
          for (const DepthShift& shift : draw) values.push_back(shift.*ofPlace.*ofMeasure.*ofCount);
          draws.push_back(jsonOf(values));
        }
      }
  return json;
}

void drawsFromJson(const Json& json, const ShiftSweep& sweep, ShiftSeries& series) {
  series.draws.assign(sweep.seeds.size(), std::vector<DepthShift>(sweep.depths.size()));
  for (const auto& [place, ofPlace] : kShiftPlaces)
    for (const auto& [measure, ofMeasure] : kMeasures)
      for (const auto& [count, ofCount] : kCounts) {
        const Json& draws = json.at(place).at(measure).at(count);
        for (std::size_t i = 0; i < series.draws.size(); ++i) {
          std::vector<double> values;
          readJson(draws.at(i), values);
          for (std::size_t d = 0; d < series.draws[i].size(); ++d) {
            OutputShift::Sums& sums = series.draws[i][d].*ofPlace.*ofMeasure;
            sums.*ofCount = values.at(d);
            sums.perToken = sums.real / static_cast<double>(sweep.tokens);
          }
        }
      }
}

}  // namespace

double readShift(const DepthShift& shift, const ShiftReading& reading) {
  const OutputShift& place = reading.place == ShiftPlace::AfterTopNorm ? shift.afterTopNorm : shift.stream;
  const OutputShift::Sums& sums = reading.measure == ShiftMeasure::Raw          ? place.raw
                                  : reading.measure == ShiftMeasure::Normalised ? place.normalised
                                                                                : place.theorem2;
  if (reading.tokens == ShiftTokens::All) return sums.all;
  return reading.tokens == ShiftTokens::Real ? sums.real : sums.perToken;
}

ShiftSummary summariseShift(const ShiftSweep& sweep, const ShiftSeries& series, const ShiftReading& reading) {
  ShiftSummary summary;
  std::vector<double> depths, means;
  for (std::size_t d = 0; d < sweep.depths.size(); ++d) {
    std::vector<double> values;
    for (const auto& draw : series.draws) values.push_back(readShift(draw[d], reading));
    const SeedSummary over = summariseSeeds(values);
    summary.mean.push_back(over.mean);
    summary.deviation.push_back(over.deviation);
    summary.lowest.push_back(over.minimum);
    summary.highest.push_back(over.maximum);
    summary.notFinite += over.failed();
    if (over.finished == 0) continue;
    depths.push_back(sweep.depths[d]);
    means.push_back(over.mean);
  }
  const ShiftFit none{kNaN, kNaN, std::nullopt};
  const bool enough = depths.size() >= kFewestShiftDepths;
  summary.linear = enough ? fitAgainstDepth(depths, means) : none;
  summary.logarithmic = enough ? fitAgainstLogDepth(depths, means) : none;
  if (!summary.mean.empty() && summary.mean.front() > 0 && std::isfinite(summary.mean.back()))
    summary.ratio = summary.mean.back() / summary.mean.front();
  return summary;
}

Status checkShiftDepths(std::span<const std::int64_t> depths) {
  const auto refuse = [](const Phrase& words) {
    return aboutKey("depths", usageError(Phrase::tr("option 'depths': %1")(words),
                                         Phrase::tr("for example depths=6,12,18,24,30,36,42,48")));
  };
  std::set<std::int64_t> seen;
  for (const std::int64_t depth : depths) {
    if (depth < 1 || depth > kDeepestShift)
      return refuse(Phrase::tr("%1 is not a number of layers from 1 to %2")(depth, kDeepestShift));
    if (!seen.insert(depth).second) return refuse(Phrase::tr("%1 is there twice")(depth));
  }
  if (seen.size() < kFewestShiftDepths)
    return refuse(
        Phrase::tr("a law needs at least %1 depths, there are %2")(kFewestShiftDepths, seen.size()));
  return {};
}

Json shiftSweepToJson(const ShiftSweep& sweep) {
  Json json = jsonOf(sweep);
  for (const ShiftSeries& series : sweep.series) {
    Json& item = json["series"].emplace_back(jsonOf(series));
    item["path"] = series.sharedPrefixes ? "shared_prefixes" : "one_net_per_depth";
    item["summary"] = summaryToJson(summariseShift(sweep, series, {}));
    item["draws"] = drawsToJson(series);
  }
  return json;
}

Result<ShiftSweep> shiftSweepFromJson(const Json& json) {
  try {
    if (json.at("quantity") != "output_shift")
      return dataError(Phrase::tr("the result is not a sweep of output shifts"));
    ShiftSweep sweep;
    readJson(json, sweep);
    for (const Json& item : json.at("series")) {
      ShiftSeries series;
      readJson(item, series);
      series.sharedPrefixes = item.at("path") == "shared_prefixes";
      drawsFromJson(item.at("draws"), sweep, series);
      sweep.series.push_back(std::move(series));
    }
    return sweep;
  } catch (const Failure& failure) {
    return failure.error();
  } catch (const std::exception& e) {
    return dataError(Phrase::tr("a stored sweep of output shifts is damaged: %1")(e.what()));
  }
}

}  // namespace fathom
